import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { itemsOf, type Place } from './jobs.ts';
import { type AuditItemState, batchLimit, openItemStates, type StoredAuditJob } from './model.ts';

/** Items of a job by state. */
export type ItemCounts = Readonly<Record<AuditItemState, number>>;

const none: ItemCounts = { queued: 0, processing: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };

/** Whether the lease of an item is over, by the clock of the database: its batch has vanished. */
export const leaseIsOver = { $lt: ['$leaseUntil', '$$NOW'] } as const;

/** Counts of a job's items, as they are at the first question of the request; batched. */
export function findCounts(context: RequestContext, jobId: string): Promise<ItemCounts> {
  return context.loader(countsByJob).load(jobId);
}

function countsByJob(context: RequestContext): DataLoader<string, ItemCounts> {
  return new DataLoader((jobIds) => countItems(context, jobIds));
}

/** Counts of the items of jobs, now, in one command. */
export async function countItems(place: Place, jobIds: readonly string[]): Promise<ItemCounts[]> {
  const groups = await itemsOf(place).aggregate<{
    _id: { jobId: string; state: AuditItemState };
    count: number;
  }>({ jobId: { $in: [...jobIds] } }, [
    { $group: { _id: { jobId: '$jobId', state: '$state' }, count: { $sum: 1 } } },
  ]);
  const byJob = new Map<string, ItemCounts>();
  for (const { _id, count } of groups)
    byJob.set(_id.jobId, { ...(byJob.get(_id.jobId) ?? none), [_id.state]: count });
  return jobIds.map((jobId) => byJob.get(jobId) ?? none);
}

/** Number of items that are still to be dealt with. */
export function countOpen(counts: ItemCounts): number {
  return openItemStates.reduce((sum, state) => sum + counts[state], 0);
}

/**
 * Ids that the next batch can name. Of one job: a caller has one open job, and others have none. A pipeline, because a
 * plain read does not know the clock of the database.
 */
export async function findNextItemIds(place: Place, { _id, active }: StoredAuditJob): Promise<string[]> {
  if (!active) return [];
  const items = await itemsOf(place).aggregate<{ _id: string }>(
    { jobId: _id, state: { $in: [...openItemStates] } },
    [
      { $project: { seq: 1, isFree: { $or: [{ $eq: ['$state', 'queued'] }, leaseIsOver] } } },
      { $match: { isFree: true } },
      { $sort: { seq: 1 } },
      { $limit: batchLimit },
      { $project: { _id: 1 } },
    ],
  );
  return items.map(({ _id: id }) => id);
}
