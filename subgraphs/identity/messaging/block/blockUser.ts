import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField, notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { insertOnce } from '../../../platform/installation/insertOnce.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import type { BlockUserInput, UnblockUserInput } from '../../identity.generated.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { userLoader } from '../../people/user/policy.ts';
import { ConversationModel, type ConversationRecord } from '../conversation/model.ts';
import { liftBlocks, tellingSideOf } from './liftBlocks.ts';
import { liftBuyersBlocks } from './liftBuyersBlocks.ts';
import { BlockModel, type BlockRecord, blockId } from './model.ts';

/**
 * Blocks every conversation of the caller, or of a dealer that the caller acts for. The other side is the user, or a
 * dealer that the user acts for.
 */
export async function blockUser(
  { userId }: BlockUserInput,
  context: RequestContext,
): Promise<{ block: BlockRecord; created: boolean }> {
  const { viewer, platform, installationId } = context;
  if (userId === viewer.id) throw invalidField('#/userId', 'You cannot block yourself.');
  const user = await context.loader(userLoader).load(userId);
  if (!user || user.state === 'deleted') throw notFound('The user');
  const { record: block, isNew } = await insertOnce(scoped(BlockModel, installationId), {
    _id: blockId(viewer.id, userId),
    userId: viewer.id,
    blockedUserId: userId,
    createdAt: new Date(platform.now()),
  });
  await scoped(ConversationModel, installationId).updateMany(
    { $and: [await withUser(userId, context), { blockedBy: { $ne: viewer.id } }] },
    {
      $addToSet: { blockedBy: viewer.id },
      $set: { state: 'blocked' },
      $inc: { version: 1 },
      $push: tellingSideOf(viewer.id, context),
    },
  );
  return { block, created: isNew };
}

/** Unblocks the conversations, except those that another block still blocks. Without a block, it does nothing. */
export async function unblockUser(
  { userId }: UnblockUserInput,
  context: RequestContext,
): Promise<{ unblockedUserId: string }> {
  const { viewer, installationId } = context;
  if (!isId('user', userId)) throw notFound('The user');
  await scoped(BlockModel, installationId).deleteMany({ _id: blockId(viewer.id, userId) });
  await liftBlocks(context, viewer.id, { $or: [{ buyerUserId: userId }, { sellerUserId: userId }] });
  await liftBuyersBlocks(context, { buyerIds: [viewer.id] });
  return { unblockedUserId: userId };
}

/** Returns the conversations between the caller, or a dealer of the caller, and a user, or a dealer of that user. */
async function withUser(
  userId: string,
  { viewer, installationId }: RequestContext,
): Promise<QueryFilter<ConversationRecord>> {
  const dealers = await reads(DealerModel, installationId).find(
    { 'members.userId': userId },
    { projection: { _id: 1 } },
  );
  const sellers = [viewer.id, ...viewer.principal.memberships.map(({ dealerId }) => dealerId)];
  return {
    $or: [
      { buyerUserId: userId, sellerId: { $in: sellers } },
      { buyerUserId: viewer.id, sellerId: { $in: [userId, ...dealers.map(({ _id }) => _id)] } },
    ],
  };
}
