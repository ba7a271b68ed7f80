import { FavoriteModel, favoriteId } from '../../../subgraphs/identity/listings/favorite/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { once, onEach, writing } from '../matrix/calls.ts';
import type { Cell, Operation } from '../matrix/Operation.ts';
import { type ItemName, namesOf } from '../world/Item.ts';
import { notFound, notOwn } from '../world/meanings.ts';
import { storeSavedSearch } from '../world/storeSavedSearch.ts';

const listings: readonly ItemName[] = ['published', 'garage', 'private', 'elsewhere', 'never'];
const storeSearch = ({ world, who }: Cell) => storeSavedSearch(world.shop.installation.id, world.ids[who]);
const noteOf = (who: string) => `noted by ${who}`;

/** Saved listings and searches of the caller. The owner of a listing does not matter. */
export const favoriteOperations: readonly Operation[] = [
  {
    field: 'Query.myFavorites',
    rule: { kind: 'signed in' },
    selection: 'nodes { listingId note }',
    cases: [
      once(async (cell) => {
        if (cell.isAnswered) await save(cell);
        return { variables: {} };
      }),
    ],
    check: (data, { who, world }) =>
      expect(data.nodes ?? data.data).toEqual([
        expect.objectContaining({ listingId: world.items.published.id, note: noteOf(who) }),
      ]),
  },
  {
    field: 'Mutation.addFavorite',
    rule: { kind: 'signed in' },
    // Only the first call returns 201, and that is the GraphQL call.
    status: 200,
    selection: 'favorite { listingId }',
    cases: onEach(listings, (listingId) => writing({ listingId }), {
      meaning: ({ item }) => (item?.name === 'published' ? null : notFound),
    }),
    check: (data, { item }) => expect((data.favorite ?? data).listingId).toBe(item?.id),
  },
  {
    field: 'Mutation.removeFavorite',
    rule: { kind: 'signed in' },
    selection: 'removedListingId',
    cases: onEach(listings, (listingId) => writing({ listingId })),
  },
  {
    field: 'Query.mySavedSearches',
    rule: { kind: 'signed in' },
    selection: 'nodes { name }',
    cases: [
      once(async (cell) => {
        if (cell.isAnswered) await storeSearch(cell);
        return { variables: {} };
      }),
    ],
    check: (data, { who, world }) => {
      const names = new Set((data.nodes ?? data.data).map(({ name }: { name: string }) => name));
      expect([...names]).toEqual([`Kept by ${world.ids[who]}`]);
    },
  },
  {
    field: 'Mutation.createSavedSearch',
    rule: { kind: 'signed in' },
    selection: 'savedSearch { id }',
    cases: [once(() => writing({}, { name: 'Mine', query: { dealerId: [newId('dealer')] } }))],
  },
  {
    field: 'Mutation.deleteSavedSearch',
    rule: { kind: 'signed in' },
    selection: 'deletedSavedSearchId',
    cases: [
      once(
        async (cell) =>
          writing({ savedSearchId: cell.isAnswered ? await storeSearch(cell) : newId('savedSearch') }),
        { name: 'own' },
      ),
      ...onEach(namesOf('search'), (savedSearchId) => writing({ savedSearchId }), { meaning: notOwn }),
    ],
  },
];

async function save({ world, who }: Cell): Promise<void> {
  const [userId, listingId] = [world.ids[who], world.items.published.id];
  await scoped(FavoriteModel, world.shop.installation.id).findOneAndUpdate(
    { _id: favoriteId(userId, listingId) },
    { $set: { userId, listingId, note: noteOf(who), priceAtSave: null, savedAt: new Date() } },
    { upsert: true },
  );
}
