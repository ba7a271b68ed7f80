import type { PipelineStage } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Inbox } from './conversations.ts';
import { ConversationModel, type ConversationRecord } from './model.ts';

/** Maximum number of conversations to count. Beyond it, the exact number is of no use. */
const mostCounted = 1000;

/** Members of a conversation that counting needs. */
export type Waiting = Pick<ConversationRecord, 'buyerUserId' | 'sellerId' | 'unread'>;

const projection = { buyerUserId: 1, sellerId: 1, unread: 1 } as const;
const waitingIn = (inboxes: readonly Inbox[]) => ({
  unreadFor: { $in: [...new Set(inboxes.map(({ id }) => id))] },
});

/** Counts the unread messages in these inboxes together, in one command. */
export async function countUnread(
  inboxes: readonly Inbox[],
  { installationId }: RequestContext,
): Promise<number> {
  if (inboxes.length === 0) return 0;
  const conversations = scoped(ConversationModel, installationId);
  const options = { projection, limit: mostCounted, inOneBatch: true };
  return sumUnread(await conversations.find(waitingIn(inboxes), options), inboxes);
}

/** Returns an expression over other members: `waiting` for `sumUnread`. */
export function lookUpWaiting(
  inboxes: readonly Inbox[],
  { installationId }: RequestContext,
): PipelineStage.Lookup {
  const $match = { ...waitingIn(inboxes), installationId };
  return {
    $lookup: {
      from: ConversationModel.collection.name,
      pipeline: [{ $match }, { $limit: mostCounted }, { $project: projection }],
      as: 'waiting',
    },
  };
}

/** Counts the unread messages of conversations in these inboxes. */
export function sumUnread(waiting: readonly Waiting[], inboxes: readonly Inbox[]): number {
  const idsOf = (key: Inbox['key']) => inboxes.filter((inbox) => inbox.key === key).map(({ id }) => id);
  const [buyers, sellers] = [idsOf('buyerUserId'), idsOf('sellerId')];
  return waiting.reduce(
    (sum, { buyerUserId, sellerId, unread }) =>
      sum +
      (buyers.includes(buyerUserId) ? unread.buyer : 0) +
      (sellers.includes(sellerId) ? unread.seller : 0),
    0,
  );
}
