import DataLoader from 'dataloader';
import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { MessageModel, type MessageRecord } from './model.ts';

/** Messages by id, batched per request; null for an id of another installation. */
export function messageLoader({ installationId }: RequestContext): DataLoader<string, MessageRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('message', id));
    const records =
      known.length > 0 ? await scoped(MessageModel, installationId).find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/** A message is its author's; whoever takes part in the conversation reads it there. */
export const messagePolicy: OwnershipPolicy<MessageRecord> = {
  load: (id, context) => context.loader(messageLoader).load(id),
  isOwner: (viewer, { authorId }) => viewer.id === authorId,
};
