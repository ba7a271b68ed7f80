import type { SendMessageInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { ConversationModel } from '../conversation/model.ts';
import { conversationLoader, ownSideOf } from '../conversation/policy.ts';
import { appendMessage, type NewMessage } from './appendMessage.ts';
import { assertMayWrite } from './assertMayWrite.ts';
import { checkMessage } from './checkMessage.ts';
import { MessageModel, type MessageRecord } from './model.ts';

/** `created` is false for a message that was there already, by its `clientMessageId` or the idempotency key. */
export interface Sent {
  message: MessageRecord;
  created: boolean;
}

export function sendMessage(input: SendMessageInput, context: RequestContext): Promise<Sent> {
  return once(context, 'sendMessage', input, async (attempt) => {
    const conversation = await context.loader(conversationLoader).load(input.conversationId);
    if (!conversation) throw notFound('The conversation');
    const side = ownSideOf(context.viewer, conversation);
    const draft = await checkMessage(input, side === 'seller' ? conversation.dealerId : null, context);
    const message = { ...draft, _id: attempt.newId('message'), side };
    const earlier = await findSent(conversation._id, message, context);
    if (earlier) return { message: earlier, created: false };
    await assertMayWrite(conversation, side, context);
    return append(conversation._id, message, context);
  });
}

/** Of two at once under one `clientMessageId` the later one finds what the first has written. */
export async function append(
  conversationId: string,
  message: NewMessage,
  context: RequestContext,
): Promise<Sent> {
  const conversations = scoped(ConversationModel, context.installationId);
  try {
    return await inTransaction(async (session) => {
      const conversation = await conversations.findOne({ _id: conversationId }, { session });
      if (!conversation) throw notFound('The conversation');
      return { message: await appendMessage(context, conversation, message, session), created: true };
    });
  } catch (error) {
    const earlier = isDuplicateKey(error) ? await findSent(conversationId, message, context) : null;
    if (!earlier) throw error;
    return { message: earlier, created: false };
  }
}

/** The message as it was stored before: by an earlier run under the same key, or as the author's program calls it. */
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
