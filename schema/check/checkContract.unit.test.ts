import { checkContract } from './checkContract.ts';
import { checkShop, idsOf, shopBase, shopSource } from './shopFixture.ts';

const shop = 'subgraphs/shop';
const reviews = 'subgraphs/reviews';
const listing = 'rest-facade/identity/listing/listing.graphql';
const categories = 'rest-facade/seo/categories.graphql';
const dashboard = 'schema/operations/dashboard.graphql';

test('everything that is wrong with a working tree is in one report', () => {
  const ids = idsOf(
    { [reviews]: [['rating: Int ', '']], [dashboard]: [['attributes', 'nothing']], [categories]: null },
    'breaking',
  );
  expect(ids).toEqual([
    `document-invalid:${listing}`,
    `document-invalid:${dashboard}`,
    'field-removed:Listing.rating',
    'route-removed:GET /api/rest/seo-tools/v1/categories',
  ]);
});

test('the gravest changes come first, each once', () => {
  const { changes } = checkShop({
    [shop]: [
      [' subtitle: String state: ListingState! price', ' state: ListingState! price'],
      ['DRAFT PUBLISHED CLOSED', 'DRAFT PUBLISHED CLOSED SOLD'],
    ],
    [reviews]: [['rating: Int', 'rating: Int stars: Int']],
    [listing]: [['title subtitle', 'title']],
  });
  const rank = { breaking: 0, dangerous: 1, safe: 2 };
  const ranks = changes.map(({ severity }) => rank[severity]);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks)).toEqual(new Set([0, 1, 2]));
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
});

test('an operation of the base that cannot be parsed counts as using every field', () => {
  const base = shopBase();
  const unreadable = { file: 'schema/operations/old.graphql', text: 'query {' };
  const { changes } = checkContract(
    { ...base, documents: [...base.documents, unreadable] },
    shopSource({ [shop]: [[' unusedCode: String', '']] }),
  );
  expect(changes).toMatchObject([{ id: 'field-removed:Listing.unusedCode', severity: 'breaking' }]);
});

test('what the base does not have is not compared', () => {
  const nothing = { supergraph: null, api: null, openApi: null, documents: [] };
  expect(checkContract(nothing, shopSource()).changes).toEqual([]);
  const broken = checkContract(nothing, shopSource({ [dashboard]: [['attributes', 'nothing']] }));
  expect(broken.changes.map(({ id }) => id)).toEqual([`document-invalid:${dashboard}`]);
});

test.each([['api'], ['supergraph'], ['openApi']] as const)(
  'a base whose %s is unreadable is refused with the name of its file',
  (file) => {
    expect(() => checkContract({ ...shopBase(), [file]: 'type {' }, shopSource())).toThrow(
      /^schema\/\S+ of the base cannot be read .*name another one with --base <ref>\.$/,
    );
  },
);
