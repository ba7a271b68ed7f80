import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { ListingModel } from './model.ts';

/** Returns whether the dealer has a listing at one of these locations that is not archived. */
export async function isLocationUsed(
  dealer: { _id: string; installationId: string },
  locationIds: readonly string[],
  session: ClientSession,
): Promise<boolean> {
  const listing = await scoped(ListingModel, dealer.installationId).findOne(
    { 'owner.id': dealer._id, dealerLocationId: { $in: [...locationIds] }, state: { $ne: 'archived' } },
    { projection: { _id: 1 }, session },
  );
  return listing !== null;
}
