import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../../platform/context/Platform.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { ListingModel } from './model.ts';

/**
 * Removes a user as the contact of dealers' listings. A contact must be a member; otherwise the next change of the
 * listing would be refused.
 */
export async function unassignListings(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  { dealerIds, userId }: { dealerIds: readonly string[]; userId: string },
  session: ClientSession,
): Promise<void> {
  await scoped(ListingModel, installationId).updateMany(
    { 'owner.id': { $in: [...dealerIds] }, 'contact.assigneeUserId': userId },
    {
      $set: { 'contact.assigneeUserId': null, updatedAt: new Date(platform.now()) },
      $inc: { version: 1 },
    },
    { session },
  );
}
