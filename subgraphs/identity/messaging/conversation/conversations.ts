import type { QueryFilter } from 'mongoose';
import { dealerMembershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { QueryconversationsArgs } from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { ConversationModel, type ConversationRecord } from './model.ts';
import { conversationLoader } from './policy.ts';

/** Conversations of a user on one side, personally or for one dealer. An index holds each inbox in order. */
export interface Inbox {
  readonly key: 'buyerUserId' | 'sellerId';
  readonly id: string;
}

/** A page of conversations, with the inboxes that it was read from. */
export type ConversationConnectionParent = Connection<ConversationRecord> & { inboxes: readonly Inbox[] };

/**
 * Returns conversations of the caller's inboxes. The inboxes are part of the filter, so a list never contains other
 * users' records.
 */
export async function conversations(
  args: QueryconversationsArgs,
  context: RequestContext,
): Promise<ConversationConnectionParent> {
  const { dealerId, side, first, after } = args;
  if (dealerId && !context.viewer.membershipOf(dealerId))
    throw (await context.loader(dealerLoader).load(dealerId))
      ? dealerMembershipRequired(dealerId)
      : notFound('The dealer');
  const inboxes = inboxesOf(context.viewer, { dealerId, side });
  const page = await findPage({
    context,
    collection: merged(scoped(ConversationModel, context.installationId), inboxes, args),
    filter: toFilter(args, context.viewer),
    sort: [{ key: 'lastMessageAt', direction: -1 }],
    first,
    after,
    binding: [inboxes, args.unread ?? null],
  });
  const loader = context.loader(conversationLoader);
  for (const conversation of page.nodes) loader.prime(conversation._id, conversation);
  return { ...page, inboxes };
}

/** Returns every inbox of a user; an API client has only that of its dealer. */
export function inboxesOf(
  viewer: Viewer,
  { dealerId, side }: Pick<QueryconversationsArgs, 'dealerId' | 'side'> = {},
): Inbox[] {
  const dealers = viewer.principal.memberships
    .map((membership) => membership.dealerId)
    .filter((id) => !dealerId || id === dealerId);
  const own = dealerId || viewer.isClient ? [] : [viewer.id];
  return [
    ...(side === 'seller' ? [] : own.map((id) => ({ key: 'buyerUserId', id }) as const)),
    ...(side === 'buyer' ? [] : [...own, ...dealers].map((id) => ({ key: 'sellerId', id }) as const)),
  ];
}

/**
 * Merges the first conversations of several inboxes in one order. A user has only a few inboxes; each is a separate
 * command.
 */
function merged(
  collection: ScopedCollection<ConversationRecord>,
  inboxes: readonly Inbox[],
  args: QueryconversationsArgs,
): Pick<ScopedCollection<ConversationRecord>, 'find'> {
  return {
    async find(filter, options = {}) {
      const parts = await Promise.all(
        inboxes.map(({ key, id }) => {
          const own = {
            [key]: id,
            ...(args.unread ? { unreadFor: id } : {}),
          } as QueryFilter<ConversationRecord>;
          return collection.find({ $and: [own, filter] }, { ...options, hint: orderOf(key, args) });
        }),
      );
      const all = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(byLastMessage);
      return all.slice(0, options.limit);
    },
  };
}

/**
 * Returns the index that holds an inbox in order, or the few conversations about one listing. Undefined if most of an
 * inbox would be skipped, where the query planner chooses better.
 */
function orderOf(
  key: Inbox['key'],
  { unread, archived, listingId, assignee }: QueryconversationsArgs,
): Record<string, 1 | -1> | undefined {
  if (listingId) return { installationId: 1, topicId: 1, buyerUserId: 1 };
  if (unread) return { installationId: 1, unreadFor: 1, lastMessageAt: -1, _id: -1 };
  if (archived) return undefined;
  const assigned = assignee && key === 'sellerId' ? { assigneeUserId: 1 as const } : {};
  return { installationId: 1, [key]: 1, ...assigned, lastMessageAt: -1, _id: -1 };
}

function byLastMessage(a: ConversationRecord, b: ConversationRecord): number {
  return b.lastMessageAt.getTime() - a.lastMessageAt.getTime() || (a._id < b._id ? 1 : -1);
}

function toFilter(
  { listingId, archived, assignee }: QueryconversationsArgs,
  { id }: Viewer,
): QueryFilter<ConversationRecord> {
  const assigneeUserId = assignee === 'me' ? id : assignee === 'none' ? null : assignee;
  return {
    archivedBy: archived ? id : { $ne: id },
    ...(listingId ? { listingId, topicId: listingId } : {}),
    ...(assigneeUserId === undefined || assignee === null || assignee === undefined
      ? {}
      : { assigneeUserId }),
  };
}
