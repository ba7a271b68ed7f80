import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QueryadminListingsArgs } from '../../identity.generated.ts';
import { ListingModel, type ListingRecord } from '../listing/record/model.ts';
import { nowIn } from '../listing/record/nowIn.ts';
import { listingLoader } from '../listing/record/policy.ts';

/** Parent of the resolvers of `AdminListing`. */
export type AdminListingParent = ListingRecord;

export async function adminListings(
  args: QueryadminListingsArgs,
  context: RequestContext,
): Promise<Connection<ListingRecord>> {
  const { state, first, after } = args;
  const isQueue = args.queued ?? (!state?.length && !args.ownerId);
  const page = await findPage({
    context,
    collection: scoped(ListingModel, context.installationId),
    filter: isQueue ? { $and: [waiting, toFilter(args)] } : toFilter(args),
    ...(state?.length ? { moving: nowIn(state, context.platform.now()), binding: state } : {}),
    sort: isQueue ? [{ key: 'queuedAt', direction: 1 }] : [{ key: 'updatedAt', direction: -1 }],
    first,
    after,
  });
  // The guard of each listing needs it.
  const loader = context.loader(listingLoader);
  for (const listing of page.nodes) loader.prime(listing._id, listing);
  return page;
}

/**
 * Jobs archive and expire many listings at once and leave their queue entries to the next change; such listings need no
 * review.
 */
const waiting = {
  queuedAt: { $type: 'date' },
  $or: [{ state: { $nin: ['archived', 'expired'] } }, { 'flags.0': { $exists: true } }],
} as unknown as QueryFilter<ListingRecord>;

function toFilter({
  flag,
  ownerId,
  categoryId,
  queuedBefore,
}: QueryadminListingsArgs): QueryFilter<ListingRecord> {
  return {
    ...(flag?.length ? { flags: { $in: flag } } : {}),
    ...(ownerId ? { 'owner.id': ownerId } : {}),
    ...(categoryId ? { categoryId } : {}),
    ...(queuedBefore ? { queuedAt: { $lt: queuedBefore } } : {}),
  };
}
