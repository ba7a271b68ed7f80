import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { AppError } from '../../../../platform/errors/AppError.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { type DealerRecord, defaultLimits } from '../../../people/dealer/model.ts';
import { lockSeller } from '../../../people/seller-standing/sellerStanding.ts';
import { ListingModel, type ListingRecord } from '../record/model.ts';
import { publicStates } from '../record/states.ts';

/** Counted states: published listings, and those about to be published. */
export const countedStates: ReadonlySet<ListingRecord['state']> = new Set([
  ...publicStates,
  'pending_review',
]);

/** Published listings of a private seller. A user who sells more is a dealer. */
const privateLimit = 100;

/**
 * Checks whether the owner may publish one more listing. Publications write the owner's record, so concurrent ones
 * conflict; otherwise each would count without the other.
 *
 * @throws AppError `quota_exceeded`
 */
export async function assertQuota(
  context: RequestContext,
  listing: ListingRecord,
  dealer: DealerRecord | null,
  session: ClientSession,
): Promise<void> {
  const { owner } = listing;
  const limit = quotaOf(dealer);
  await lockSeller(context, owner.id, session);
  const active = await scoped(ListingModel, context.installationId).count(
    { 'owner.id': owner.id, state: { $in: [...countedStates] }, _id: { $ne: listing._id } },
    { limit, session },
  );
  if (active >= limit) throw quotaExceeded(limit);
}

/** Returns the maximum number of published listings of a dealer, or of a private seller. */
export function quotaOf(dealer: DealerRecord | null): number {
  return dealer ? (dealer.limits?.maxActiveListings ?? defaultLimits.maxActiveListings) : privateLimit;
}

/** Returns the 403 for exceeding the quota. */
export function quotaExceeded(limit: number): AppError {
  return new AppError(
    'quota_exceeded',
    `At most ${limit} listings can be published at the same time. Archive one first.`,
  );
}
