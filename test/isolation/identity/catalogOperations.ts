import type { Operation } from '../Operation.ts';

/** The public catalogue: P10, P11. */
export const catalogOperations: readonly Operation[] = [
  {
    field: 'Query.catalogListings',
    source: 'P10: public',
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
    source: 'P11: public; what is not published does not exist',
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
];
