import { ConversationModel } from '../../../subgraphs/identity/messaging/conversation/model.ts';
import { MessageModel } from '../../../subgraphs/identity/messaging/message/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a conversation of a user with a dealer or a private seller, with one message. Returns both ids. */
export async function storeThread(
  installationId: string,
  {
    buyerUserId,
    dealerId = null,
    sellerUserId = null,
  }: { buyerUserId: string; dealerId?: string | null; sellerUserId?: string | null },
): Promise<{ conversationId: string; messageId: string }> {
  const at = new Date();
  const sellerId = dealerId ?? sellerUserId ?? '';
  const [conversationId, messageId] = [newId('conversation'), newId('message')];
  const sent = { buyer: 1, seller: 0 };
  const unreadByNobody = { seq: 0, count: 0 };
  await scoped(ConversationModel, installationId).insert({
    _id: conversationId,
    // Unique among the conversations.
    topicId: newId('listing'),
    listingId: null,
    subject: null,
    dealerId,
    buyerUserId,
    sellerUserId,
    sellerId,
    assigneeUserId: null,
    state: 'open',
    blockedBy: [],
    participants: [{ userId: buyerUserId, side: 'buyer', lastReadSeq: 0 }],
    archivedBy: [],
    mutedBy: [],
    lastSeq: 1,
    sent,
    read: { buyer: unreadByNobody, seller: unreadByNobody },
    unread: { buyer: 0, seller: 1 },
    unreadFor: [sellerId],
    lastMessageAt: at,
    lastMessagePreview: 'Is it still there?',
    version: 1,
    createdAt: at,
    updatedAt: at,
  });
  await scoped(MessageModel, installationId).insert({
    _id: messageId,
    conversationId,
    seq: 1,
    authorId: buyerUserId,
    side: 'buyer',
    kind: 'text',
    text: 'Is it still there?',
    mediaIds: [],
    state: 'sent',
    sent,
    createdAt: at,
    endedAt: null,
  });
  return { conversationId, messageId };
}
