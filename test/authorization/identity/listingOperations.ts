import { isUnverified, unverified } from '../meanings.ts';
import type { Cell, Operation } from '../Operation.ts';
import { isMember, owns } from '../rules.ts';

/** Listings. */
export const listingOperations: readonly Operation[] = [
  {
    field: 'Query.listings',
    source: 'authenticated; 403 for the dealer of others; lists never hold foreign records',
    rule: { kind: 'signed in' },
    scope: 'listings:read',
    routes: { 'GET /api/v1/listings': 200 },
    selection: 'nodes { id }',
    cases: [
      { name: 'of everybody', call: () => ({ variables: {} }) },
      ...(['garage', 'elsewhere', 'never'] as const).map((item) => ({
        item,
        call: ({ item }: Cell) => ({
          variables: { dealerId: item?.dealerId },
          query: { dealerId: item?.dealerId ?? '' },
        }),
        meaning: ({ item, who }: Cell) => {
          if (item?.where !== 'here') return { status: 404, code: 'not_found' };
          return isMember(who, item) ? null : { status: 403, code: 'ownership_required' };
        },
      })),
    ],
    check: (data, { who, world }) => {
      const listed = new Set((data.nodes ?? data.data).map(({ id }: { id: string }) => id));
      for (const item of Object.values(world.items)) {
        if (item.type !== 'listing') continue;
        const isAsked = item.where === 'here' && owns(who, item);
        // What somebody owns may be on a later page; what is not his is on none.
        if (!isAsked) expect(listed.has(item.id)).toBe(false);
      }
    },
  },
  {
    field: 'Mutation.createListing',
    source:
      'n 44: authenticated; 403 posting_not_allowed, dealer_role_required, email_unverified; 2.6: 422 elsewhere',
    rule: { kind: 'signed in' },
    scope: 'listings:write',
    routes: { 'POST /api/v1/listings': 201 },
    selection: 'listing { id owner { id } }',
    cases: [
      {
        name: 'privately',
        call: () => ({ variables: { input: { title: 'My own car' } }, body: { title: 'My own car' } }),
        meaning: (cell) => (isUnverified(cell) ? unverified : null),
      },
      ...(['garage', 'elsewhere', 'never'] as const).map((item) => ({
        item,
        call: ({ item, world }: Cell) => {
          const body = {
            title: 'A car of the dealer',
            dealerId: item?.dealerId,
            ...(item?.where === 'here' ? { dealerLocationId: world.garage.locationIds[0] } : {}),
          };
          return { variables: { input: body }, body };
        },
        meaning: (cell: Cell) => {
          const { item, who } = cell;
          if (item?.where !== 'here') return { status: 422, code: 'validation_failed' };
          if (!isMember(who, item)) return { status: 403, code: 'dealer_role_required' };
          if (isUnverified(cell)) return unverified;
          return owns(who, item) ? null : { status: 403, code: 'dealer_role_required' };
        },
      })),
    ],
  },
  {
    field: 'Query.listing',
    source: 'owner or listings:moderate',
    rule: { kind: 'owner', or: 'listings:moderate' },
    scope: 'listings:read',
    routes: { 'GET /api/v1/listings/{listingId}': 200 },
    selection: 'id title',
    cases: (['garage', 'private', 'published', 'elsewhere', 'never'] as const).map((item) => ({
      item,
      call: ({ item }) => ({ variables: { listingId: item?.id }, path: { listingId: item?.id ?? '' } }),
    })),
    check: (data, { item }) => expect(data.id).toBe(item?.id),
  },
  {
    field: 'Mutation.updateListing',
    source: 'owner; nobody else, whatever his role',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'PATCH /api/v1/listings/{listingId}': 200 },
    selection: 'listing { id }',
    cases: (['garage', 'private', 'elsewhere', 'never'] as const).map((item) => ({
      item,
      call: ({ item, who, world }) => {
        const body = { title: `${world.secret} by ${who}` };
        return {
          variables: { input: { listingId: item?.id, ...body } },
          path: { listingId: item?.id ?? '' },
          body,
        };
      },
      meaning: (cell) => (isUnverified(cell) ? unverified : null),
    })),
  },
  {
    field: 'Mutation.publishListing',
    source: 'owner; 403 email_unverified',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'POST /api/v1/listings/{listingId}/publish': 200 },
    selection: 'listing { id state }',
    cases: (['garage', 'private', 'elsewhere', 'never'] as const).map((name) => ({
      item: name,
      call: async ({ item, world, isAnswered }) => {
        const listingId = isAnswered && item ? (await world.draft(item)).id : (item?.id ?? '');
        return { variables: { input: { listingId } }, path: { listingId } };
      },
      meaning: (cell) => (isUnverified(cell) ? unverified : null),
    })),
  },
];
