import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { ConversationEntry } from '../conversation/describeConversations.ts';
import { ConversationModel } from '../conversation/model.ts';
import { liftBuyersBlocks } from './liftBuyersBlocks.ts';
import { BlockModel } from './model.ts';

/**
 * Removes a user who leaves dealers from their conversations. Also lifts the user's blocks there, and buyers' blocks of
 * the user.
 */
export async function unassignConversations(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  { dealerIds, userId }: { dealerIds: readonly string[]; userId: string },
  session: ClientSession,
): Promise<void> {
  const conversations = scoped(ConversationModel, installationId);
  const at = new Date(platform.now());
  const ofDealers = { sellerId: { $in: [...dealerIds] } };
  await conversations.updateMany(
    { ...ofDealers, assigneeUserId: userId },
    {
      $set: { assigneeUserId: null, updatedAt: at },
      $inc: { version: 1 },
      $push: announce({ platform }, 'conversation.assigned', {
        data: { assigneeUserId: null, to: { side: 'seller' } } satisfies ConversationEntry,
      }),
    },
    { session },
  );
  await conversations.updateMany(
    { ...ofDealers, blockedBy: userId },
    { $pull: { blockedBy: userId }, $set: { updatedAt: at }, $inc: { version: 1 } },
    { session },
  );
  await conversations.updateMany(
    { ...ofDealers, state: 'blocked', blockedBy: { $size: 0 } },
    {
      $set: { state: 'open' },
      $inc: { version: 1 },
      $push: announce({ platform }, 'conversation.updated', {
        data: { to: { side: 'seller' } } satisfies ConversationEntry,
      }),
    },
    { session },
  );
  const blocks = await scoped(BlockModel, installationId).find({ blockedUserId: userId }, { session });
  const buyerIds = blocks.map((block) => block.userId);
  await liftBuyersBlocks(
    { installationId, platform },
    { buyerIds, dealerIds, leaverId: userId },
    { session },
  );
}
