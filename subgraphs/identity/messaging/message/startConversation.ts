import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { StartConversationInput } from '../../identity.generated.ts';
import { assertMayWrite, recipientUnavailable } from '../block/assertMayWrite.ts';
import { enforceBlocks } from '../block/enforceBlocks.ts';
import { findBlockers } from '../block/findBlockers.ts';
import { findTopic, type Topic } from '../conversation/findTopic.ts';
import { ConversationModel, type ConversationRecord } from '../conversation/model.ts';
import { appendMessage, type NewMessage } from './appendMessage.ts';
import { checkMessage } from './checkMessage.ts';
import type { MessageRecord } from './model.ts';
import { append, findSent } from './sendMessage.ts';

/**
 * `created` states whether the conversation is new. There is one for each buyer and listing; a second start writes into
 * it.
 */
export interface Started {
  conversation: ConversationRecord;
  message: MessageRecord;
  created: boolean;
}

export async function startConversation(
  input: StartConversationInput,
  context: RequestContext,
): Promise<Started> {
  const ids = {
    conversation: context.attempt.newId('conversation'),
    message: context.attempt.newId('message'),
  };
  if (Boolean(input.listingId) === Boolean(input.dealerId))
    throw invalidField('#/listingId', 'Send either a listing or a dealer.');
  const topic = await findTopic(input, context);
  if (!topic) throw notFound(input.listingId ? 'The listing' : 'The dealer');
  if (topic.sellerId === context.viewer.id || context.viewer.membershipOf(topic.sellerId))
    throw new AppError('own_listing', 'You cannot send a message to yourself.');
  const message = {
    ...(await checkMessage(input, null, context)),
    _id: ids.message,
    side: 'buyer',
  } as const;
  await assertMayWrite({ ...topic, buyerUserId: context.viewer.id }, 'buyer', context);
  const known = await findThread(topic, context);
  return known ? goOn(known, message, context) : begin(ids.conversation, topic, message, context);
}

function findThread(
  { topicId }: Topic,
  { viewer, installationId }: RequestContext,
): Promise<ConversationRecord | null> {
  return scoped(ConversationModel, installationId).findOne({ topicId, buyerUserId: viewer.id });
}

/** Writes into the existing conversation. */
async function goOn(
  known: ConversationRecord,
  message: NewMessage,
  context: RequestContext,
): Promise<Started> {
  const earlier = await findSent(known._id, message, context);
  const sent = earlier ?? (await append(known, message, context)).message;
  const conversation = await scoped(ConversationModel, context.installationId).findOne({ _id: known._id });
  if (!conversation) throw notFound('The conversation');
  return { conversation, message: sent, created: false };
}

/** Creates the conversation. Of several concurrent starts, the first creates it and the others write into it. */
async function begin(
  _id: string,
  topic: Topic,
  message: NewMessage,
  context: RequestContext,
): Promise<Started> {
  const { installationId, viewer } = context;
  if ((await findBlockers({ ...topic, buyerUserId: viewer.id }, context)).length > 0)
    throw recipientUnavailable();
  const conversations = scoped(ConversationModel, installationId);
  try {
    const stored = await inTransaction(async (session) => {
      const conversation = await conversations.insert(newConversation(_id, topic, context), { session });
      return appendMessage(context, conversation, message, session);
    });
    // A concurrent block did not see this conversation.
    await enforceBlocks({ ...topic, buyerUserId: viewer.id }, context);
    const conversation = await conversations.findOne({ _id });
    if (!conversation) throw notFound('The conversation');
    return { conversation, message: stored, created: true };
  } catch (error) {
    const known = isDuplicateKey(error) ? await findThread(topic, context) : null;
    if (!known) throw error;
    return goOn(known, message, context);
  }
}

function newConversation(
  _id: string,
  { topicId, listingId, subject, dealerId, sellerUserId, sellerId }: Topic,
  { viewer, platform }: RequestContext,
): Omit<ConversationRecord, 'installationId'> {
  const at = new Date(platform.now());
  return {
    _id,
    topicId,
    listingId,
    subject,
    dealerId,
    sellerUserId,
    sellerId,
    buyerUserId: viewer.id,
    assigneeUserId: null,
    state: 'open',
    blockedBy: [],
    participants: [
      { userId: viewer.id, side: 'buyer', lastReadSeq: 0 },
      ...(sellerUserId === null ? [] : [{ userId: sellerUserId, side: 'seller' as const, lastReadSeq: 0 }]),
    ],
    archivedBy: [],
    mutedBy: [],
    lastSeq: 0,
    sent: { buyer: 0, seller: 0 },
    read: { buyer: { seq: 0, count: 0 }, seller: { seq: 0, count: 0 } },
    unread: { buyer: 0, seller: 0 },
    unreadFor: [],
    lastMessageAt: at,
    lastMessagePreview: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}
