import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ConversationModel } from './model.ts';

/** Returns a loader for the number of conversations about a listing. Any number of listings is one command. */
export function conversationCountLoader({ installationId }: RequestContext): DataLoader<string, number> {
  return new DataLoader(async (listingIds) => {
    const counts = await scoped(ConversationModel, installationId).aggregate<{ _id: string; count: number }>(
      { topicId: { $in: [...listingIds] } },
      [{ $group: { _id: '$topicId', count: { $sum: 1 } } }],
    );
    const byId = new Map(counts.map(({ _id, count }) => [_id, count]));
    return listingIds.map((id) => byId.get(id) ?? 0);
  });
}
