import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Topic } from '../conversation/findTopic.ts';
import { ConversationModel } from '../conversation/model.ts';
import { findBlockers } from './findBlockers.ts';

/**
 * Blocks a conversation that was started during a block of the other side. A block is stored first and then looks for
 * conversations. A new conversation is stored first and then looks for blocks. One of the two therefore sees the other.
 */
export async function enforceBlocks(
  thread: Topic & { buyerUserId: string },
  context: RequestContext,
): Promise<void> {
  const blockers = await findBlockers(thread, context);
  if (blockers.length === 0) return;
  const { topicId, buyerUserId } = thread;
  await scoped(ConversationModel, context.installationId).updateMany(
    { topicId, buyerUserId },
    { $addToSet: { blockedBy: { $each: blockers } }, $set: { state: 'blocked' }, $inc: { version: 1 } },
  );
}
