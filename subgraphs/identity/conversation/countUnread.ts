import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { Inbox } from './conversations.ts';
import { ConversationModel } from './model.ts';

/** Conversations that are counted at most: whoever has more unread ones does not look at the number any more. */
const mostCounted = 1000;

/** Unread messages in these inboxes together; one command. */
export async function countUnread(
  inboxes: readonly Inbox[],
  { installationId }: RequestContext,
): Promise<number> {
  if (inboxes.length === 0) return 0;
  const idsOf = (key: Inbox['key']) => inboxes.filter((inbox) => inbox.key === key).map(({ id }) => id);
  const found = await scoped(ConversationModel, installationId).find(
    { unreadFor: { $in: [...new Set(inboxes.map(({ id }) => id))] } },
    { projection: { buyerUserId: 1, sellerId: 1, unread: 1 }, limit: mostCounted, inOneBatch: true },
  );
  const [buyers, sellers] = [idsOf('buyerUserId'), idsOf('sellerId')];
  return found.reduce(
    (sum, { buyerUserId, sellerId, unread }) =>
      sum +
      (buyers.includes(buyerUserId) ? unread.buyer : 0) +
      (sellers.includes(sellerId) ? unread.seller : 0),
    0,
  );
}
