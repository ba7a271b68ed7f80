import { indexesOf } from '../../test/support/indexesOf.ts';
import { newId } from '../platform/ids/newId.ts';
import { openShop, type Shop } from './fixture/openShop.ts';
import { change, create, link, readGroup, unlink } from './fixture/operations.ts';

let shop: Shop;
let [english, german]: string[] = [];
beforeAll(async () => {
  shop = await openShop();
  [english, german] = [shop.listing(), shop.listing({ languageTag: 'de' })];
  const input = { object: { type: 'LISTING', id: german }, relatedTo: { type: 'LISTING', id: english } };
  await shop.ask(link, { input });
});
afterAll(() => shop.stack.close());

const operations: [string, () => [string, object]][] = [
  ['a group by an object', () => [readGroup, { objectType: 'LISTING', objectId: german }]],
  [
    'a text by an object',
    () => [
      'query ($id: ID!) { resolveTranslation(objectType: LISTING, objectId: [$id], language: "fr") { __typename } }',
      { id: english },
    ],
  ],
  ['a creation', () => [create, { input: { source: { type: 'LISTING', id: english }, language: 'fr' } }]],
  [
    'a change by an object',
    () => [
      change,
      { input: { objectType: 'LISTING', objectId: english, language: 'fr', note: newId('group') } },
    ],
  ],
  ['an unlink', () => [unlink, { input: { objectType: 'LISTING', objectId: german } }]],
];

test.each(operations)('every read of %s is answered by an index', async (_, operation) => {
  const plans = await indexesOf(() => shop.ask(...operation()));
  const own = plans.filter(({ command }) =>
    / (translations|relation_groups|language_settings)$/.test(command),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});
