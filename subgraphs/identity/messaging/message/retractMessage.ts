import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { RetractMessageInput } from '../../identity.generated.ts';
import { setMediaUsage } from '../../media/setMediaUsage.ts';
import type { ConversationEntry } from '../conversation/describeConversations.ts';
import { ConversationModel } from '../conversation/model.ts';
import { MessageModel } from './model.ts';

const windowMs = 15 * 60_000;

/**
 * Removes the text of a message and leaves a stub. The author may do this for 15 minutes, a moderator at any time. An
 * earlier report has its own copy and keeps the files.
 */
export async function retractMessage(
  { conversationId, messageId }: RetractMessageInput,
  context: RequestContext,
): Promise<{ messageId: string }> {
  const { viewer, platform, installationId } = context;
  await inTransaction(async (session) => {
    const messages = scoped(MessageModel, installationId);
    const message = await messages.findOne({ _id: messageId, conversationId }, { session });
    if (!message) throw notFound('The message');
    const isAuthor = message.authorId === viewer.id;
    const isLate = platform.now() - message.createdAt.getTime() > windowMs;
    const removes = viewer.breadthOf('messages:moderate') === 'any' && (!isAuthor || isLate);
    // A repetition changes nothing.
    if (message.state === 'removed' || (message.state === 'retracted' && !removes)) return;
    if (isLate && !removes)
      throw new AppError('retract_window_over', 'A message can only be retracted within 15 minutes.');
    const endedAt = new Date(platform.now());
    const state = removes ? 'removed' : 'retracted';
    await messages.findOneAndUpdate(
      { _id: messageId },
      { $set: { state, text: null, mediaIds: [], endedAt } },
      { session },
    );
    const use = { type: 'message', id: messageId } as const;
    await setMediaUsage(context, use, { before: message.mediaIds, after: [] }, session);
    const conversations = scoped(ConversationModel, installationId);
    const { seq, side } = message;
    const $push = announce(context, removes ? 'message.removed' : 'message.retracted', {
      data: { messageId, seq, side } satisfies ConversationEntry,
    });
    const wasLast = await conversations.findOneAndUpdate(
      { _id: conversationId, lastSeq: seq },
      { $set: { lastMessagePreview: null, updatedAt: endedAt }, $inc: { version: 1 }, $push },
      { session },
    );
    if (!wasLast) await conversations.findOneAndUpdate({ _id: conversationId }, { $push }, { session });
    if (!removes) return;
    const target = { type: 'message', id: messageId };
    await recordAudit(context, { action: 'retractMessage', target }, { session });
  });
  return { messageId };
}
