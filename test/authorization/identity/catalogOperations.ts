import { asking, idsIn, onEach, reading } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import { type ItemName, namesOf } from '../world/Item.ts';
import { notFound } from '../world/meanings.ts';

/** GraphQL returns null for a record that is not public. REST returns 404. */
const shows = (shown: ItemName): Required<Pick<Case, 'meaning' | 'check'>> => ({
  meaning: ({ item, style }) => (item?.name === shown || style === 'graphql' ? null : notFound),
  check: (data, { item }) => expect(data?.id ?? null).toBe(item?.name === shown ? item.id : null),
});

/** The public catalogue. */
export const catalogOperations: readonly Operation[] = [
  {
    field: 'Query.catalogListings',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/listings': 200 },
    selection: 'nodes { id }',
    check: (data, { world: { items } }) => {
      expect(idsIn(data)).toContain(items.published.id);
      for (const hidden of [items.garage, items.private, items.elsewhere])
        expect(idsIn(data)).not.toContain(hidden.id);
    },
  },
  {
    field: 'Query.catalogListing',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/listings/{listingId}': 200 },
    selection: 'id',
    cases: onEach(
      ['published', 'garage', 'elsewhere', 'never'],
      (listingId) => reading({ listingId }),
      shows('published'),
    ),
  },
  {
    field: 'Query.catalogFacets',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/facets': 200 },
    selection: 'total facets { name buckets { value count } }',
    cases: [{ call: () => ({ ...asking({ facets: 'sellerType' }), variables: { facets: ['sellerType'] } }) }],
    check: (data) => {
      const [{ buckets }] = data.facets;
      const counted = buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      expect(counted).toBe(data.total);
      expect(counted).toBeGreaterThan(0);
    },
  },
  {
    field: 'Query.catalogCategories',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/categories': 200 },
    selection: 'items { slug }',
    check: (data) =>
      expect(data.items ?? data.data).toContainEqual(expect.objectContaining({ slug: 'cars' })),
  },
  {
    field: 'Query.catalogDealer',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/dealers/{dealerId}': 200 },
    selection: 'id',
    cases: onEach(namesOf('dealer'), (dealerId) => reading({ dealerId }), shows('dealer')),
  },
];
