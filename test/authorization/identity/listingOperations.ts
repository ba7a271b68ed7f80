import { idsIn, isItem, ofDealers, once, onEach, onFresh, reading, writing } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';
import { isMember, owns } from '../matrix/rules.ts';
import type { ItemName } from '../world/Item.ts';
import {
  invalid,
  isUnverified,
  onlyMembers,
  onlyVerified,
  roleRequired,
  unverified,
} from '../world/meanings.ts';

const ofDealer: readonly ItemName[] = ['garage', 'elsewhere', 'never'];
const listings: readonly ItemName[] = ['garage', 'private', 'elsewhere', 'never'];

/** Listings. */
export const listingOperations: readonly Operation[] = [
  {
    field: 'Query.listings',
    rule: { kind: 'signed in' },
    scope: 'listings:read',
    selection: 'nodes { id }',
    cases: ofDealers(ofDealer, onlyMembers, ({ item }) => item?.dealerId),
    check: (data, { who, world }) => {
      const listed = new Set(idsIn(data));
      for (const item of Object.values(world.items)) {
        if (item.type !== 'listing') continue;
        // A listing of the caller can be on a later page. One of another owner is on no page.
        if (item.where !== 'here' || !owns(who, item)) expect(listed.has(item.id)).toBe(false);
      }
    },
  },
  {
    field: 'Mutation.createListing',
    rule: { kind: 'signed in' },
    scope: 'listings:write',
    selection: 'listing { id owner { id: ownerId } }',
    cases: [
      once(() => writing({}, { title: 'My own car' }), { name: 'privately', meaning: onlyVerified }),
      ...onEach(
        ofDealer,
        (_, { item, world }) =>
          writing(
            {},
            {
              title: 'A car of the dealer',
              dealerId: item?.dealerId,
              ...(item?.where === 'here' ? { dealerLocationId: world.garage.locationIds[0] } : {}),
            },
          ),
        {
          meaning: (cell) => {
            const { item, who } = cell;
            if (item?.where !== 'here') return invalid;
            if (!isMember(who, item)) return roleRequired;
            if (isUnverified(cell)) return unverified;
            return owns(who, item) ? null : roleRequired;
          },
        },
      ),
    ],
  },
  {
    field: 'Query.listing',
    rule: { kind: 'owner', or: 'listings:moderate' },
    scope: 'listings:read',
    selection: 'id title',
    cases: onEach(['garage', 'private', 'published', 'elsewhere', 'never'], (listingId) =>
      reading({ listingId }),
    ),
    check: isItem,
  },
  {
    field: 'Mutation.updateListing',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    selection: 'listing { id }',
    cases: onEach(
      listings,
      (listingId, { who, world }) => writing({ listingId }, { title: `${world.secret} by ${who}` }),
      { meaning: onlyVerified },
    ),
  },
  {
    field: 'Mutation.publishListing',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    selection: 'listing { id state }',
    cases: onFresh(
      listings,
      async ({ item, world }) => (item ? (await world.draft(item)).id : ''),
      (listingId) => writing({ listingId }),
      { meaning: onlyVerified },
    ),
  },
];
