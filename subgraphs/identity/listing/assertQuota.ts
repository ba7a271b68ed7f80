import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { type DealerRecord, defaultLimits } from '../dealer/model.ts';
import { ListingModel, ListingQuotaModel, type ListingRecord } from './model.ts';
import { publicStates } from './states.ts';

/** Published listings of a private person. Whoever sells more is a dealer. */
const privateLimit = 100;

/** Makes the record on which publications of one owner meet; outside the transaction, which only bumps it. */
export async function openQuota({ installationId }: RequestContext, ownerId: string): Promise<void> {
  const quotas = scoped(ListingQuotaModel, installationId);
  if (await quotas.findOne({ _id: ownerId })) return;
  await quotas.insert({ _id: ownerId, publications: 0 }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}

/**
 * Whether the owner may have one more published listing. The bump makes publications of one owner conflict: without
 * it two of them would each count without the other.
 *
 * @throws AppError `quota_exceeded`
 */
export async function assertQuota(
  { installationId }: RequestContext,
  listing: ListingRecord,
  dealer: DealerRecord | null,
  session: ClientSession,
): Promise<void> {
  const { owner } = listing;
  const limit = dealer ? (dealer.limits?.maxActiveListings ?? defaultLimits.maxActiveListings) : privateLimit;
  await scoped(ListingQuotaModel, installationId).findOneAndUpdate(
    { _id: owner.id },
    { $inc: { publications: 1 } },
    { session },
  );
  const active = await scoped(ListingModel, installationId).count(
    { 'owner.id': owner.id, state: { $in: [...publicStates, 'pending_review'] }, _id: { $ne: listing._id } },
    { limit, session },
  );
  if (active < limit) return;
  throw new AppError('quota_exceeded', `No more than ${limit} listings can be published at a time.`);
}
