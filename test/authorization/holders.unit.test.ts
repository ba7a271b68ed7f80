import { impliedPermissions, permissions } from '../../schema/permissions.ts';
import { holders, implied, ofDealers, ofSellers } from './people.ts';

test('each permission is held by the roles and standings of the matrix, and by no others', () => {
  const product = Object.entries(permissions).map(([name, { roles, own }]) => [name, [...roles].sort(), own]);
  const matrix = Object.entries(holders).map(([name, roles]) => [
    name,
    [...roles].sort(),
    [...(ofDealers.includes(name) ? ['dealer'] : []), ...(ofSellers.includes(name) ? ['seller'] : [])],
  ]);
  expect(product.sort()).toEqual(matrix.sort());
});

test('each permission implies those of the matrix, and no others', () => {
  const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(table)
      .map(([name, others]) => [name, [...others].sort()])
      .sort();
  expect(sorted(impliedPermissions)).toEqual(sorted(implied));
});
