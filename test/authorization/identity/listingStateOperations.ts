import {
  ListingModel,
  type ListingRecord,
} from '../../../subgraphs/identity/listings/listing/record/model.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { storeMedia } from '../../support/people/storeMedia.ts';
import { hasState, onEach, writing } from '../matrix/calls.ts';
import type { Call, Case, Cell, Operation } from '../matrix/Operation.ts';
import type { ItemName } from '../world/Item.ts';
import { foreign, isUnverified, onlyVerified, unverified } from '../world/meanings.ts';

const dayMs = 24 * 3600 * 1000;
const listings: readonly ItemName[] = ['garage', 'private', 'elsewhere', 'never'];
const guard = { rule: { kind: 'owner' }, scope: 'listings:write' } as const satisfies Partial<Operation>;

/** Transitions of a listing, which only its owner can request. */
export const listingStateOperations: readonly Operation[] = [
  {
    ...guard,
    field: 'Mutation.archiveListing',
    selection: 'archivedListingId',
    cases: onListings(async (cell) => writing({ listingId: await fresh(cell) })),
  },
  {
    ...guard,
    field: 'Mutation.pauseListing',
    selection: 'listing { id state }',
    cases: onListings(async (cell) => writing({ listingId: await shown(cell) })),
    check: hasState('listing', 'paused'),
  },
  {
    ...guard,
    field: 'Mutation.renewListing',
    selection: 'listing { id state }',
    cases: onListings(
      async (cell) => {
        const change = (now: number) => ({ expiresAt: new Date(now + dayMs) });
        return writing({ listingId: await shown(cell, change) });
      },
      // A renewal publishes the listing.
      { meaning: onlyVerified },
    ),
  },
  {
    ...guard,
    field: 'Mutation.reserveListing',
    selection: 'listing { id reservation { until } }',
    cases: onListings(async (cell) => {
      const until = new Date(cell.world.app.stack.platform.now() + dayMs).toISOString();
      return writing({ listingId: await shown(cell) }, { until });
    }),
  },
  {
    ...guard,
    field: 'Mutation.releaseListingReservation',
    selection: 'listing { id state }',
    cases: onListings(async (cell) => {
      const nobody = { conversationId: null, buyerUserId: null, paymentId: null };
      const listingId = await shown(cell, (now) => ({
        state: 'reserved',
        reservation: { until: new Date(now + dayMs), ...nobody },
      }));
      return writing({ listingId });
    }),
  },
  {
    ...guard,
    field: 'Mutation.setListingMedia',
    selection: 'listing { id media { mediaId } }',
    cases: [
      ...onListings((cell) => withFile(cell, true), { meaning: onlyVerified }),
      ...onListings((cell) => withFile(cell, false)).map((entry) => ({
        ...entry,
        name: `${entry.item} with a foreign file`,
        meaning: (cell: Cell) => (isUnverified(cell) ? unverified : foreign),
      })),
    ],
  },
  {
    ...guard,
    field: 'Mutation.markListingSold',
    selection: 'listing { id state sale { channel } }',
    cases: onListings(async (cell) =>
      writing({ listingId: await shown(cell) }, { channel: 'elsewhere' }, { channel: 'ELSEWHERE' }),
    ),
    check: (data) => expect((data.listing ?? data).sale.channel).toMatch(/^elsewhere$/i),
  },
];

function onListings(call: (cell: Cell) => Promise<Call>, options: Partial<Case> = {}): Case[] {
  return onEach(listings, (_, cell) => call(cell), options);
}

/** A picture of the listing's owner, or of another user. */
async function withFile(cell: Cell, own: boolean): Promise<Call> {
  const { item, world, isAnswered } = cell;
  const owner = item?.dealerId
    ? { type: 'dealer' as const, id: item.dealerId }
    : { type: 'user' as const, id: world.ids.seller };
  const mediaId =
    own && isAnswered ? await storeMedia(world.shop.installation.id, owner) : world.foreignPicture;
  return writing({ listingId: await fresh(cell) }, { media: [{ mediaId }] });
}

/** A new draft for an allowed call. */
async function fresh({ item, world, isAnswered }: Cell, options = {}): Promise<string> {
  return isAnswered && item ? (await world.draft(item, options)).id : (item?.id ?? '');
}

/** A new listing that was published and then changed. */
async function shown(cell: Cell, change?: (now: number) => Partial<ListingRecord>): Promise<string> {
  const id = await fresh(cell, { published: true });
  const { shop, app } = cell.world;
  if (cell.isAnswered && change) {
    const $set = change(app.stack.platform.now());
    await scoped(ListingModel, shop.installation.id).findOneAndUpdate({ _id: id }, { $set });
  }
  return id;
}
