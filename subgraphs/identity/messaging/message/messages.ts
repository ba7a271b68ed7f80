import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerymessagesArgs } from '../../identity.generated.ts';
import { MessageModel, type MessageRecord } from './model.ts';

/** Returns messages in descending order; with a number, later messages in ascending order. */
export function messages(
  { conversationId, sinceSeq, first, after }: QuerymessagesArgs,
  context: RequestContext,
): Promise<Connection<MessageRecord>> {
  const catchesUp = sinceSeq !== null && sinceSeq !== undefined;
  return findPage({
    context,
    collection: scoped(MessageModel, context.installationId),
    filter: { conversationId, ...(catchesUp ? { seq: { $gt: sinceSeq } } : {}) },
    sort: [{ key: 'seq', direction: catchesUp ? 1 : -1 }],
    first,
    after,
  });
}
