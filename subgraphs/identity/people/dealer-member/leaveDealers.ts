import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';

/** Ends the memberships of a user in these dealers, in the transaction that erases the account. */
export async function leaveDealers(
  installationId: string,
  { dealerIds, userId, at }: { dealerIds: readonly string[]; userId: string; at: Date },
  session: ClientSession,
): Promise<void> {
  await scoped(DealerModel, installationId).updateMany(
    { _id: { $in: [...dealerIds] } },
    { $pull: { members: { userId } }, $set: { updatedAt: at }, $inc: { version: 1 } },
    { session },
  );
}
