import { ListingModel, type ListingRecord } from '../../../subgraphs/identity/listing/model.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { storeMedia } from '../../support/storeMedia.ts';
import { isUnverified, unverified } from '../meanings.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';

const dayMs = 24 * 3600 * 1000;

/** Transitions of a listing: its owner only, whatever the caller's role. */
export const listingStateOperations: readonly Operation[] = [
  {
    field: 'Mutation.archiveListing',
    source: 'owner; 204',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'DELETE /api/v1/listings/{listingId}': 204 },
    selection: 'archivedListingId',
    cases: onListings(async (cell) => toCall(await fresh(cell))),
  },
  {
    field: 'Mutation.pauseListing',
    source: 'owner',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'POST /api/v1/listings/{listingId}/pause': 200 },
    selection: 'listing { id state }',
    cases: onListings(async (cell) => toCall(await shown(cell))),
    check: (data) => expect((data.listing ?? data).state).toMatch(/^paused$/i),
  },
  {
    field: 'Mutation.renewListing',
    source: 'owner; it publishes, so that n 48 holds: 403 email_unverified',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'POST /api/v1/listings/{listingId}/renew': 200 },
    selection: 'listing { id state }',
    cases: onListings(async (cell) =>
      toCall(await shown(cell, (now) => ({ expiresAt: new Date(now + dayMs) }))),
    ).map((entry) => ({ ...entry, meaning: (cell: Cell) => (isUnverified(cell) ? unverified : null) })),
  },
  {
    field: 'Mutation.reserveListing',
    source: 'owner; until at most 30 days',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'PUT /api/v1/listings/{listingId}/reservation': 200 },
    selection: 'listing { id reservation { until } }',
    cases: onListings(async (cell) => {
      const until = new Date(cell.world.app.stack.platform.now() + dayMs).toISOString();
      return toCall(await shown(cell), { until });
    }),
  },
  {
    field: 'Mutation.releaseListingReservation',
    source: 'owner; 204',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'DELETE /api/v1/listings/{listingId}/reservation': 204 },
    selection: 'listing { id state }',
    cases: onListings(async (cell) =>
      toCall(
        await shown(cell, (now) => ({
          state: 'reserved',
          reservation: {
            until: new Date(now + dayMs),
            conversationId: null,
            buyerUserId: null,
            paymentId: null,
          },
        })),
      ),
    ),
  },
  {
    field: 'Mutation.setListingMedia',
    source:
      'n 54: owner of the listing, and the files are its owner’s; 403 ownership_required for foreign ones',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'PUT /api/v1/listings/{listingId}/media': 200 },
    selection: 'listing { id media { mediaId } }',
    cases: [
      ...onListings(async (cell) => withFile(cell, true)).map((entry) => ({
        ...entry,
        meaning: (cell: Cell) => (isUnverified(cell) ? unverified : null),
      })),
      ...onListings(async (cell) => withFile(cell, false)).map((entry) => ({
        ...entry,
        name: `${entry.item} with a foreign file`,
        meaning: (cell: Cell) =>
          isUnverified(cell) ? unverified : { status: 403, code: 'ownership_required' },
      })),
    ],
  },
  {
    field: 'Mutation.markListingSold',
    source: 'owner',
    rule: { kind: 'owner' },
    scope: 'listings:write',
    routes: { 'POST /api/v1/listings/{listingId}/mark-sold': 200 },
    selection: 'listing { id state sale { channel } }',
    cases: onListings(async (cell) => toCall(await shown(cell), { channel: 'elsewhere' })),
    check: (data) => expect((data.listing ?? data).sale.channel).toMatch(/^elsewhere$/i),
  },
];

function onListings(call: (cell: Cell) => Promise<Call>): Case[] {
  return (['garage', 'private', 'elsewhere', 'never'] as const).map((item) => ({ item, call }));
}

/** Enum values are upper case in GraphQL and lower case in REST. */
function toCall(listingId: string, body: Record<string, string> = {}) {
  const { channel, ...rest } = body;
  const input = { listingId, ...rest, ...(channel ? { channel: channel.toUpperCase() } : {}) };
  return { variables: { input }, path: { listingId }, ...(Object.keys(body).length > 0 && { body }) };
}

/** A picture of the listing's owner, or of a stranger. */
async function withFile(cell: Cell, own: boolean): Promise<Call> {
  const { item, world, isAnswered } = cell;
  const owner = item?.dealerId
    ? { type: 'dealer' as const, id: item.dealerId }
    : { type: 'user' as const, id: world.ids.seller };
  const mediaId =
    own && isAnswered ? await storeMedia(world.shop.installation.id, owner) : world.foreignPicture;
  const { variables, path } = toCall(await fresh(cell));
  const media = [{ mediaId }];
  return { variables: { input: { ...variables.input, media } }, path, body: { media } };
}

/** A draft that only this call uses, if it is going to be answered. */
async function fresh({ item, world, isAnswered }: Cell, options = {}): Promise<string> {
  return isAnswered && item ? (await world.draft(item, options)).id : (item?.id ?? '');
}

/** The same, published and then brought to where the call finds it. */
async function shown(cell: Cell, change?: (now: number) => Partial<ListingRecord>): Promise<string> {
  const id = await fresh(cell, { published: true });
  const { shop, app } = cell.world;
  if (cell.isAnswered && change) {
    const $set = change(app.stack.platform.now());
    await scoped(ListingModel, shop.installation.id).findOneAndUpdate({ _id: id }, { $set });
  }
  return id;
}
