import { namesOf } from '../Item.ts';
import type { Operation } from '../Operation.ts';

/** The public catalogue: P10 to P14. */
export const catalogOperations: readonly Operation[] = [
  {
    field: 'Query.catalogListings',
    source: 'public',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/listings': 200 },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { world: { items } }) => {
      const found = (data.nodes ?? data.data).map(({ id }: { id: string }) => id);
      expect(found).toContain(items.published.id);
      for (const hidden of [items.garage, items.private, items.elsewhere])
        expect(found).not.toContain(hidden.id);
    },
  },
  {
    field: 'Query.catalogListing',
    source: 'public; what is not published does not exist',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/listings/{listingId}': 200 },
    selection: 'id',
    cases: (['published', 'garage', 'elsewhere', 'never'] as const).map((item) => ({
      item,
      call: ({ item }) => ({ variables: { listingId: item?.id }, path: { listingId: item?.id ?? '' } }),
      // GraphQL has a word for nothing; REST says it with a status.
      meaning: ({ item, style }) =>
        item?.name === 'published' || style === 'graphql' ? null : { status: 404, code: 'not_found' },
    })),
    check: (data, { item }) => expect(data?.id ?? null).toBe(item?.name === 'published' ? item.id : null),
  },
  {
    field: 'Query.catalogFacets',
    source: 'public; only what is published is counted',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/facets': 200 },
    selection: 'total facets { name buckets { value count } }',
    cases: [
      {
        call: () => ({
          variables: { facets: ['sellerType'] },
          query: { facets: 'sellerType' },
        }),
      },
    ],
    check: (data) => {
      const [{ buckets }] = data.facets;
      const counted = buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      expect(counted).toBe(data.total);
      expect(counted).toBeGreaterThan(0);
    },
  },
  {
    field: 'Query.catalogCategories',
    source: 'public',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/categories': 200 },
    selection: 'items { slug }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data) => {
      const slugs = (data.items ?? data.data).map(({ slug }: { slug: string }) => slug);
      expect(slugs).toContain('cars');
    },
  },
  {
    field: 'Query.catalogDealer',
    source: 'public; a dealer of another installation does not exist',
    rule: { kind: 'public' },
    routes: { 'GET /api/v1/catalog/dealers/{dealerId}': 200 },
    selection: 'id',
    cases: namesOf('dealer').map((item) => ({
      item,
      call: ({ item }) => ({ variables: { dealerId: item?.id }, path: { dealerId: item?.id ?? '' } }),
      meaning: ({ item, style }) =>
        item?.name === 'dealer' || style === 'graphql' ? null : { status: 404, code: 'not_found' },
    })),
    check: (data, { item }) => expect(data?.id ?? null).toBe(item?.name === 'dealer' ? item.id : null),
  },
];
