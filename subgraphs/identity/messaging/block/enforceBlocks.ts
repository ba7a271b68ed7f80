import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Topic } from '../conversation/findTopic.ts';
import { ConversationModel } from '../conversation/model.ts';
import { findBlockers } from './findBlockers.ts';

/**
 * Bars a thread that was begun during a block of the other side. A block is stored first and then looks for threads;
 * a new thread is stored first and then looks for blocks: one of the two sees the other.
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
