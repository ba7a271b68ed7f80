import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { setMediaUsage } from '../../media/setMediaUsage.ts';
import { recipientUnavailable } from '../block/assertMayWrite.ts';
import type { ConversationRecord, Side } from '../conversation/model.ts';
import { otherSide } from '../conversation/policy.ts';
import { saveConversation, withParticipant } from '../conversation/saveConversation.ts';
import type { MessageDraft } from './checkMessage.ts';
import { mailRecipients } from './mailRecipients.ts';
import { MessageModel, type MessageRecord } from './model.ts';

const longestPreview = 140;

/** A message without a number. */
export interface NewMessage extends MessageDraft {
  _id: string;
  side: Side;
}

/** Position that a message has taken in a conversation. */
export interface MessagePosition extends Pick<MessageRecord, 'seq' | 'sent' | 'createdAt'> {
  /** The conversation before the message. */
  conversation: ConversationRecord;
}

/**
 * Appends a message to a conversation. The conversation is written first: of two concurrent writers, one is repeated
 * and takes the next number.
 *
 * @param conversation the conversation as read in the same transaction
 * @throws AppError `recipient_unavailable`, `conversation_closed`, `dealer_role_required`
 */
export async function appendMessage(
  context: RequestContext,
  conversation: ConversationRecord,
  message: NewMessage,
  session: ClientSession,
): Promise<MessageRecord> {
  const place = await takePosition(context, conversation, message, session);
  return storeMessage(context, place, message, session);
}

/**
 * Takes the next number if the conversation is unchanged.
 *
 * @throws AppError `concurrent_update` without a write if it has changed; otherwise as `appendMessage`
 */
export async function takePosition(
  context: RequestContext,
  conversation: ConversationRecord,
  { _id: messageId, side, text }: NewMessage,
  session: ClientSession,
): Promise<MessagePosition> {
  assertMayAppend(context, conversation, side);
  const { viewer, platform } = context;
  const seq = conversation.lastSeq + 1;
  const createdAt = new Date(platform.now());
  const sent = { ...conversation.sent, [side]: conversation.sent[side] + 1 };
  await saveConversation(
    context,
    conversation,
    {
      state: 'open',
      lastSeq: seq,
      sent,
      lastMessageAt: createdAt,
      lastMessagePreview: toPreview(text),
      participants: withParticipant(conversation.participants, viewer.id, side),
      // A conversation is no longer archived when the other side writes.
      archivedBy: conversation.archivedBy.filter((id) => sideOfUser(conversation, id) === side),
      tell: [
        ...(seq === 1 ? [{ type: 'conversation.started' } as const] : []),
        ...(conversation.state === 'closed' ? [{ type: 'conversation.opened' } as const] : []),
        { type: 'message.created', messageId, seq, side },
      ],
    },
    session,
  );
  return { conversation, seq, sent, createdAt };
}

/** Writes a message at its position, in the transaction in which the position was taken. */
export async function storeMessage(
  context: RequestContext,
  { conversation, ...place }: MessagePosition,
  { side, ...message }: NewMessage,
  session: ClientSession,
): Promise<MessageRecord> {
  const { mediaIds } = message;
  const stored = await scoped(MessageModel, context.installationId).insert(
    {
      ...message,
      ...place,
      conversationId: conversation._id,
      authorId: context.viewer.id,
      side,
      kind: 'text',
      state: 'sent',
      endedAt: null,
    },
    { session },
  );
  await setMediaUsage(context, { type: 'message', id: stored._id }, { before: [], after: mediaIds }, session);
  // The first unread message sends a mail; later ones do not while it is unread.
  if (conversation.unread[otherSide[side]] === 0) await mailRecipients(context, conversation, side, session);
  return stored;
}

function assertMayAppend(
  { viewer }: RequestContext,
  { state, dealerId, assigneeUserId }: ConversationRecord,
  side: Side,
): void {
  if (state === 'blocked') throw recipientUnavailable();
  if (side === 'buyer') {
    if (state === 'open') return;
    throw new AppError('conversation_closed', 'The seller has closed this conversation.');
  }
  const isElsewhere = assigneeUserId !== null && assigneeUserId !== viewer.id;
  if (dealerId !== null && isElsewhere && !viewer.hasDealerRole(dealerId, 'MANAGER'))
    throw new AppError(
      'dealer_role_required',
      'This conversation is assigned to another member of the dealer.',
    );
}

function sideOfUser({ buyerUserId }: ConversationRecord, userId: string): Side {
  return userId === buyerUserId ? 'buyer' : 'seller';
}

/** Returns the beginning of a text in one line. */
export function toPreview(text: string | null): string | null {
  if (text === null) return null;
  return [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, longestPreview).join('');
}
