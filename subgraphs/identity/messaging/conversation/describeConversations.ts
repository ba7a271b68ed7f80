import type { ConversationChanged } from '../../../../schema/events.ts';
import type { FeedEntry } from '../../../platform/events/model.ts';
import type { OutboxEntry } from '../../../platform/events/outbox.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { toFeed, toParties } from '../../kernel/announcement/parties.ts';
import type { ConversationRecord, PerSide, Side } from './model.ts';
import { shownStateOn } from './shownStateOf.ts';

/** Data of entries in the outbox of a conversation. */
export interface ConversationEntry {
  /** The message that was written or retracted. */
  messageId?: string;
  /** Number of the message, or how far a participant has read. */
  seq?: number;
  /** Side of the author or reader. */
  side?: Side;
  /** The new assignee; null for none. */
  assigneeUserId?: string | null;
  archived?: boolean;
  muted?: boolean;
  /** Number of unread messages of each side after this entry; the current number if omitted. */
  unread?: PerSide;
  /** The only recipients: a side, the side of a user, or a user. */
  to?: { side: Side } | { sideOf: string } | { userId: string };
}

/** Describes conversations for the relay. Each side gets its own view of a conversation, without texts of messages. */
export async function describeConversations(
  conversations: readonly ConversationRecord[],
): Promise<EventSubject[]> {
  return conversations.map((conversation) => ({
    object: { type: 'conversation' as const, id: conversation._id },
    contentVersion: conversation.version,
    content: null,
    feedOf: (entry) => feedOf(conversation, entry),
  }));
}

function feedOf(
  conversation: ConversationRecord,
  { type, data = {} }: Pick<OutboxEntry, 'type' | 'data'>,
): FeedEntry[] {
  const entry = data as ConversationEntry;
  const told = (side: Side, parties = partiesOn(conversation, side)): FeedEntry[] =>
    toFeed(parties, toData(conversation, type as ConversationChanged['type'], entry, side));
  const { to } = entry;
  if (!to) return [...told('buyer'), ...told('seller')];
  if ('userId' in to) return told(sideOfUser(conversation, to.userId), [to.userId]);
  return told('side' in to ? to.side : sideOfUser(conversation, to.sideOf));
}

function sideOfUser({ buyerUserId }: ConversationRecord, userId: string): Side {
  return userId === buyerUserId ? 'buyer' : 'seller';
}

function partiesOn({ buyerUserId, sellerUserId, dealerId }: ConversationRecord, side: Side): string[] {
  if (side === 'buyer') return [buyerUserId];
  if (dealerId !== null) return toParties({ type: 'dealer', id: dealerId }, 'members');
  return sellerUserId === null ? [] : [sellerUserId];
}

function toData(
  conversation: ConversationRecord,
  type: ConversationChanged['type'],
  { messageId, seq, side, assigneeUserId, archived, muted, unread = conversation.unread }: ConversationEntry,
  own: Side,
): FeedEntry['data'] {
  const { _id, listingId, dealerId } = conversation;
  return {
    conversationId: _id,
    listingId,
    dealerId,
    ...(messageId !== undefined && { messageId }),
    ...(seq !== undefined && { seq }),
    ...(side && { side }),
    ...stateIn(type, conversation, own),
    ...(assigneeUserId !== undefined && { assigneeUserId }),
    ...(archived !== undefined && { archived }),
    ...(muted !== undefined && { muted }),
    unreadCount: unread[own],
  };
}

/** Returns the state after closing or reopening, regardless of the current state. */
function stateIn(type: ConversationChanged['type'], conversation: ConversationRecord, own: Side) {
  if (type === 'conversation.closed') return { state: 'closed' };
  if (type === 'conversation.opened' || type === 'conversation.started') return { state: 'open' };
  return type === 'conversation.updated' ? { state: shownStateOn(own, conversation) } : {};
}
