import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { SendMessageInput } from '../../identity.generated.ts';
import { assertMayWrite } from '../block/assertMayWrite.ts';
import { ConversationModel, type ConversationRecord } from '../conversation/model.ts';
import { conversationLoader, ownSideOf } from '../conversation/policy.ts';
import { type MessagePosition, type NewMessage, storeMessage, takePosition } from './appendMessage.ts';
import { checkMessage } from './checkMessage.ts';
import { MessageModel, type MessageRecord } from './model.ts';

/** `created` is false if the message existed before, by its `clientMessageId` or the idempotency key. */
export interface Sent {
  message: MessageRecord;
  created: boolean;
}

export async function sendMessage(input: SendMessageInput, context: RequestContext): Promise<Sent> {
  const conversation = await context.loader(conversationLoader).load(input.conversationId);
  if (!conversation) throw notFound('The conversation');
  const side = ownSideOf(context.viewer, conversation);
  const draft = await checkMessage(input, side === 'seller' ? conversation.dealerId : null, context);
  const message = { ...draft, _id: context.attempt.newId('message'), side };
  try {
    await assertMayWrite(conversation, side, context);
    return await append(conversation, message, context);
  } catch (error) {
    // Looked up only after a failure, because most messages are new. A message that was accepted once is not refused
    // later.
    const earlier = error instanceof AppError ? await findSent(conversation._id, message, context) : null;
    if (!earlier) throw error;
    return { message: earlier, created: false };
  }
}

/**
 * Appends a message. Of two concurrent requests with one `clientMessageId`, the later one returns the message of the
 * first.
 *
 * @param known the conversation as read before; a message may have been written since
 */
export async function append(
  known: ConversationRecord,
  message: NewMessage,
  context: RequestContext,
): Promise<Sent> {
  const conversations = scoped(ConversationModel, context.installationId);
  let isFirst = true;
  try {
    return await inTransaction(async (session) => {
      let place = isFirst ? await takePositionIfLatest(context, known, message, session) : null;
      isFirst = false;
      if (!place) {
        const conversation = await conversations.findOne({ _id: known._id }, { session });
        if (!conversation) throw notFound('The conversation');
        place = await takePosition(context, conversation, message, session);
      }
      return { message: await storeMessage(context, place, message, session), created: true };
    });
  } catch (error) {
    const earlier = isDuplicateKey(error) ? await findSent(known._id, message, context) : null;
    if (!earlier) throw error;
    return { message: earlier, created: false };
  }
}

/** Returns null if the position was refused, because the conversation may have changed since it was read. */
async function takePositionIfLatest(
  ...args: Parameters<typeof takePosition>
): Promise<MessagePosition | null> {
  try {
    return await takePosition(...args);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns the message that was stored before, by an earlier run under the same key or with the same client id. */
export async function findSent(
  conversationId: string,
  { _id, clientMessageId }: Pick<NewMessage, '_id' | 'clientMessageId'>,
  { viewer, installationId }: RequestContext,
): Promise<MessageRecord | null> {
  const messages = scoped(MessageModel, installationId);
  const own = { conversationId, authorId: viewer.id };
  if (clientMessageId === undefined) return messages.findOne({ _id });
  return messages.findOne({ ...own, clientMessageId });
}
