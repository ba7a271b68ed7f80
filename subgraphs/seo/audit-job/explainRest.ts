import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { itemsOf } from './jobs.ts';
import type { StoredAuditItem } from './model.ts';

/** Why a batch has not processed an item that it named, and how the item is now. */
export interface BatchRejection {
  itemId: string;
  code: 'already_done' | 'cancelled' | 'leased_elsewhere' | 'lease_lost' | 'not_reached';
  message: string;
  item: StoredAuditItem;
}

const messages: Readonly<Record<BatchRejection['code'], string>> = {
  already_done: 'The item was dealt with before.',
  cancelled: 'The item was cancelled.',
  leased_elsewhere: 'Another batch holds the item.',
  lease_lost: 'The item was taken from this batch, and its result was dropped.',
  not_reached: 'The batch had no time or no room for the item; it waits for the next one.',
};

/** Why items were not processed; one command, none if there are none. */
export async function explainRest(
  context: RequestContext,
  ids: readonly string[],
  { lost, left }: { lost: readonly string[]; left: readonly StoredAuditItem[] },
): Promise<BatchRejection[]> {
  if (ids.length === 0) return [];
  const found = await itemsOf(context).find({ _id: { $in: [...ids] } });
  const byId = new Map(found.map((item) => [item._id, item]));
  return ids.flatMap((itemId) => {
    const item = byId.get(itemId);
    if (!item) return [];
    const code = lost.includes(itemId)
      ? 'lease_lost'
      : left.some(({ _id }) => _id === itemId)
        ? 'not_reached'
        : codeOf(item);
    return [{ itemId, code, message: messages[code], item }];
  });
}

function codeOf({ state }: StoredAuditItem): BatchRejection['code'] {
  if (state === 'processing') return 'leased_elsewhere';
  if (state === 'cancelled') return 'cancelled';
  // Given back between the claim and this read.
  return state === 'queued' ? 'not_reached' : 'already_done';
}
