import { FavoriteModel, favoriteId } from '../../../subgraphs/identity/favorite/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { namesOf } from '../Item.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';
import { storeSavedSearch } from '../storeSavedSearch.ts';

/**
 * Saved listings and searches. All of them are the caller's own; whose the listing is never
 * matters.
 */
export const favoriteOperations: readonly Operation[] = [
  {
    field: 'Query.myFavorites',
    source: 'self; people only; lists never hold foreign records',
    rule: { kind: 'signed in' },
    routes: { 'GET /api/v1/me/favorites': 200 },
    selection: 'nodes { listingId note }',
    cases: [
      {
        call: async (cell) => {
          if (cell.isAnswered) await save(cell);
          return { variables: {} };
        },
      },
    ],
    check: (data, { who, world }) =>
      expect(data.nodes ?? data.data).toEqual([
        expect.objectContaining({ listingId: world.items.published.id, note: noteOf(who) }),
      ]),
  },
  {
    field: 'Mutation.addFavorite',
    source: 'self; 404 for what is not publicly visible, also to its owner; people only',
    rule: { kind: 'signed in' },
    // 201 is for the first time; GraphQL has been first.
    routes: { 'PUT /api/v1/me/favorites/{listingId}': 200 },
    selection: 'favorite { listingId }',
    cases: onListings(({ item }) => (item?.name === 'published' ? null : { status: 404, code: 'not_found' })),
    check: (data, { item }) => expect((data.favorite ?? data).listingId).toBe(item?.id),
  },
  {
    field: 'Mutation.removeFavorite',
    source: 'self; idempotent, 204 even if absent; people only',
    rule: { kind: 'signed in' },
    routes: { 'DELETE /api/v1/me/favorites/{listingId}': 204 },
    selection: 'removedListingId',
    cases: onListings(() => null),
  },
  {
    field: 'Query.mySavedSearches',
    source: 'self; people only; lists never hold foreign records',
    rule: { kind: 'signed in' },
    routes: { 'GET /api/v1/me/saved-searches': 200 },
    selection: 'nodes { name }',
    cases: [
      {
        call: async ({ isAnswered, world, who }) => {
          if (isAnswered) await storeSavedSearch(world.shop.installation.id, world.ids[who]);
          return { variables: {} };
        },
      },
    ],
    check: (data, { who, world }) => {
      const names = new Set((data.nodes ?? data.data).map(({ name }: { name: string }) => name));
      expect([...names]).toEqual([`Kept by ${world.ids[who]}`]);
    },
  },
  {
    field: 'Mutation.createSavedSearch',
    source: 'self; people only',
    rule: { kind: 'signed in' },
    routes: { 'POST /api/v1/me/saved-searches': 201 },
    selection: 'savedSearch { id }',
    cases: [
      {
        call: () => {
          const body = { name: 'Mine', query: { dealerId: [newId('dealer')] } };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
  {
    field: 'Mutation.deleteSavedSearch',
    source: 'owner; 403 ownership_required, 404; people only',
    rule: { kind: 'signed in' },
    routes: { 'DELETE /api/v1/me/saved-searches/{savedSearchId}': 204 },
    selection: 'deletedSavedSearchId',
    cases: [
      {
        name: 'own',
        call: async ({ isAnswered, world, who }) =>
          naming(
            isAnswered
              ? await storeSavedSearch(world.shop.installation.id, world.ids[who])
              : newId('savedSearch'),
          ),
      },
      ...namesOf('search').map((item) => ({
        item,
        call: ({ item }: Cell) => naming(item?.id ?? ''),
        meaning: ({ item }: Cell) =>
          item?.where === 'here'
            ? { status: 403, code: 'ownership_required' }
            : { status: 404, code: 'not_found' },
      })),
    ],
  },
];

function naming(savedSearchId: string): Call {
  return { variables: { input: { savedSearchId } }, path: { savedSearchId } };
}

function onListings(meaning: NonNullable<Case['meaning']>): Case[] {
  return (['published', 'garage', 'private', 'elsewhere', 'never'] as const).map((item) => ({
    item,
    call: ({ item }: Cell): Call => ({
      variables: { input: { listingId: item?.id } },
      path: { listingId: item?.id ?? '' },
    }),
    meaning,
  }));
}

const noteOf = (who: string) => `noted by ${who}`;

async function save({ world, who }: Cell): Promise<void> {
  const [userId, listingId] = [world.ids[who], world.items.published.id];
  await scoped(FavoriteModel, world.shop.installation.id).findOneAndUpdate(
    { _id: favoriteId(userId, listingId) },
    { $set: { userId, listingId, note: noteOf(who), priceAtSave: null, savedAt: new Date() } },
    { upsert: true },
  );
}
