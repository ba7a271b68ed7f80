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
    selection: 'items { slug }',
    check: (data) =>
      expect(data.items ?? data.data).toContainEqual(expect.objectContaining({ slug: 'cars' })),
  },
  {
    field: 'Query.catalogDealer',
    rule: { kind: 'public' },
    selection: 'id',
    cases: onEach(namesOf('dealer'), (dealerId) => reading({ dealerId }), shows('dealer')),
  },
];
