import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { unique } from '../support/seed.ts';
import type { Cell, Operation } from './Operation.ts';
import { knownPassword } from './openWorld.ts';
import { people } from './people.ts';
import { isMember, owns } from './rules.ts';

const unverified = { status: 403, code: 'email_unverified' } as const;
const isUnverified = ({ who }: Cell): boolean => people[who].state === 'unverified';

/** Interface A: identity.md 3, by the number of the method. */
export const identityOperations: readonly Operation[] = [
  {
    field: 'Query.me',
    source: 'n 1: self, any client; settled 7: suspended and leaving too',
    rule: { kind: 'signed in', alsoIn: ['suspended', 'deletion_scheduled'] },
    routes: { 'GET /api/v1/me': 200 },
    selection: 'id state installation { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { who, world }) => expect(data.id).toBe(world.ids[who]),
  },
  {
    field: 'Mutation.updateMe',
    source: 'n 2: self; settled 7: nothing but cancelDeletion for those who leave',
    rule: { kind: 'signed in' },
    routes: { 'PATCH /api/v1/me': 200 },
    selection: 'me { id }',
    cases: [
      {
        call: ({ who }) => {
          const body = { displayName: `I am ${who}` };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
  {
    field: 'Query.listings',
    source: 'n 43: authenticated; 403 for the dealer of others; lists never hold foreign records',
    rule: { kind: 'signed in' },
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
    source: 'n 45: owner or listings:moderate',
    rule: { kind: 'owner', or: 'listings:moderate' },
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
    source: 'n 46: owner; nobody else, whatever his role',
    rule: { kind: 'owner' },
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
    source: 'n 48: owner; 403 email_unverified',
    rule: { kind: 'owner' },
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
  {
    field: 'Query.signingKeys',
    source: 'P9, P21: public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'GET /api/v1/auth/jwks': 200, 'GET /.well-known/jwks.json': 200 },
    selection: 'keys { kid }',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Mutation.register',
    source: 'P1: public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/register': 201 },
    selection: 'registration { userId }',
    cases: [
      {
        call: () => {
          const body = {
            email: `${unique('new')}@example.test`,
            password: knownPassword,
            displayName: 'New',
          };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
  {
    field: 'Mutation.issueToken',
    source: 'P2: public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/token': 200 },
    selection: 'tokens { sessionId }',
    cases: [
      {
        call: ({ world }) => ({
          variables: {
            input: { grantType: 'password', username: world.buyerEmail, password: knownPassword },
          },
          body: { grant_type: 'password', username: world.buyerEmail, password: knownPassword },
        }),
      },
    ],
  },
  {
    field: 'Mutation.revokeToken',
    source: 'P3: public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/revoke': 200 },
    selection: 'revoked',
    cases: [
      {
        call: () => {
          const body = { token: newId('session') };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
];
