import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ListingModel } from './record/model.ts';
import { toQueue } from './record/toQueue.ts';

/**
 * Increments or decrements the number of reports about a listing, or of appeals about its decisions. Called in the
 * transaction that opens or resolves them. The version is not changed, because it would reveal the report to the owner.
 */
export async function countReports(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  listingId: string,
  { reports = 0, appeals = 0 }: { reports?: number; appeals?: number },
  session: ClientSession,
): Promise<void> {
  const listings = scoped(ListingModel, installationId);
  const before = await listings.findOne({ _id: listingId }, { session });
  if (!before) return;
  const counts = {
    openReports: Math.max(0, (before.openReports ?? 0) + reports),
    openAppeals: Math.max(0, (before.openAppeals ?? 0) + appeals),
  };
  await listings.findOneAndUpdate(
    { _id: listingId },
    { $set: { ...counts, ...toQueue({ ...before, ...counts }, platform.now()) } },
    { session },
  );
}
