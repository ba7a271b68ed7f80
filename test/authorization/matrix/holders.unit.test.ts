import { impliedPermissions, permissions } from '../../../schema/permissions.ts';
import { holders, implied, ofDealers, ofSellers } from '../world/people.ts';

/** A table of lists whose order does not matter. */
const toSets = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(table).map(([name, list]) => [name, new Set(list)]));

const names = Object.keys(permissions) as (keyof typeof permissions)[];
const productTable = (part: 'roles' | 'own') =>
  toSets(Object.fromEntries(names.map((name) => [name, permissions[name][part]])));

test('each permission is held by the roles of the matrix, and by no others', () => {
  expect(productTable('roles')).toEqual(toSets(holders));
});

test('each permission over own objects is held by the dealers and sellers of the matrix, and by no others', () => {
  const standings = Object.keys(holders).map((name) => [
    name,
    [...(ofDealers.includes(name) ? ['dealer'] : []), ...(ofSellers.includes(name) ? ['seller'] : [])],
  ]);
  expect(productTable('own')).toEqual(toSets(Object.fromEntries(standings)));
});

test('each permission implies those of the matrix, and no others', () => {
  expect(toSets(impliedPermissions)).toEqual(toSets(implied));
});
