import type { ClientSession } from 'mongoose';
import type { ConversationChanged } from '../../../../schema/events.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ConversationEntry } from './describeConversations.ts';
import { ConversationModel, type ConversationRecord, type Side, type StoredParticipant } from './model.ts';

/** Decision of a use case about a conversation, with its events in order. */
export type ConversationChanges = Partial<
  Omit<
    ConversationRecord,
    '_id' | 'installationId' | 'unread' | 'unreadFor' | 'version' | 'createdAt' | 'updatedAt' | 'outbox'
  >
> & { tell?: readonly ConversationNews[] };

/** An event about a conversation; the number of unread messages after it is added. */
export interface ConversationNews extends Omit<ConversationEntry, 'unread'> {
  type: ConversationChanged['type'];
}

/** Returns the members that are derived from the others. */
export function derive({
  buyerUserId,
  sellerId,
  sent,
  read,
}: Pick<ConversationRecord, 'buyerUserId' | 'sellerId' | 'sent' | 'read'>): Pick<
  ConversationRecord,
  'unread' | 'unreadFor'
> {
  const unread = { buyer: sent.seller - read.buyer.count, seller: sent.buyer - read.seller.count };
  return {
    unread,
    unreadFor: [...(unread.buyer > 0 ? [buyerUserId] : []), ...(unread.seller > 0 ? [sellerId] : [])],
  };
}

/**
 * Writes a decision about a conversation, conditional on the version that it is based on.
 *
 * @param before the conversation as read in the same transaction
 */
export async function saveConversation(
  { installationId, platform }: InstallationContext,
  before: ConversationRecord,
  { tell = [], ...changes }: ConversationChanges,
  session: ClientSession,
): Promise<ConversationRecord> {
  const derived = derive({ ...before, ...changes });
  const news = tell.flatMap(
    ({ type, ...entry }) =>
      announce({ platform }, type, { data: { ...entry, unread: derived.unread } }).outbox.$each,
  );
  const saved = await scoped(ConversationModel, installationId).findOneAndUpdate(
    { _id: before._id, version: before.version },
    {
      $set: { ...changes, ...derived, updatedAt: new Date(platform.now()) },
      $inc: { version: 1 },
      ...(news.length > 0 && { $push: { outbox: { $each: news } } }),
    },
    { session },
  );
  if (saved) return saved;
  throw concurrentUpdate('conversation');
}

/**
 * Reads a conversation and applies a decision in one transaction. The conversation may have changed since the guard
 * loaded it. A decision of null changes nothing.
 */
export function changeConversation(
  context: RequestContext,
  conversationId: string,
  decide: (
    conversation: ConversationRecord,
    session: ClientSession,
  ) => ConversationChanges | null | Promise<ConversationChanges | null>,
): Promise<ConversationRecord> {
  return inTransaction(async (session) => {
    const conversation = await scoped(ConversationModel, context.installationId).findOne(
      { _id: conversationId },
      { session },
    );
    if (!conversation) throw notFound('The conversation');
    const changes = await decide(conversation, session);
    return changes === null ? conversation : saveConversation(context, conversation, changes, session);
  });
}

/** Returns the participants, including the user, who has read at least up to this number. */
export function withParticipant(
  participants: readonly StoredParticipant[],
  userId: string,
  side: Side,
  lastReadSeq = 0,
): StoredParticipant[] {
  const known = participants.find((one) => one.userId === userId);
  if (!known) return [...participants, { userId, side, lastReadSeq }];
  return participants.map((one) =>
    one === known ? { ...one, lastReadSeq: Math.max(one.lastReadSeq, lastReadSeq) } : one,
  );
}
