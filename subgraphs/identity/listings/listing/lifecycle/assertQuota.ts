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
 * Whether the owner may have one more published listing. Publications of one owner write the owner's record: without
 * it two of them would each count without the other.
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

/** Most published listings of a dealer, or of a private person. */
export function quotaOf(dealer: DealerRecord | null): number {
  return dealer ? (dealer.limits?.maxActiveListings ?? defaultLimits.maxActiveListings) : privateLimit;
}

/** 403 for one published listing too many. */
export function quotaExceeded(limit: number): AppError {
  return new AppError(
    'quota_exceeded',
    `At most ${limit} listings can be published at the same time. Archive one first.`,
  );
}
