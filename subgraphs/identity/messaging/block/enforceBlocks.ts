import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Topic } from '../conversation/findTopic.ts';
import { ConversationModel } from '../conversation/model.ts';
import { findBlockers } from './findBlockers.ts';

/**
 * Bars a thread that was begun while somebody blocked the other side. Whoever blocks stores that first and looks for
 * threads then, whoever begins a thread stores it first and looks for blocks then: one of the two sees the other.
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
