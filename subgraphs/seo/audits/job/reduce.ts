import type { SeoAuditRetryScope } from '../../seo.generated.ts';
import { positionOf } from './itemIds.ts';
import {
  type AuditItem,
  type AuditJobHead,
  type ItemCounts,
  idleMs,
  keptMs,
  mostAttempts,
  openStates,
  type StoredAuditJob,
} from './model.ts';
import { alreadyActive, nothingToRetry, notInJob, notOpen } from './refusals.ts';
import { openedBy } from './states.ts';

/** Lease of a batch on an item. A batch takes less than a quarter of this time. */
const leaseMs = 60_000;

/** Batches of one round that may end without a result of an item; the item fails with the last one. */
const mostLostLeases = 3;

/** Result of an item's analysis. */
export type Result = Pick<AuditItem, 'state' | 'reason' | 'retryable'> &
  Required<
    Pick<AuditItem, 'snapshotId' | 'score' | 'rating' | 'issues' | 'contentVersionAnalysed' | 'textId'>
  >;

/** Changes of a job. Items are identified by their ids, or by their positions from 1. */
export type AuditAction =
  /** A batch claims items that are queued or whose lease has expired. */
  | { type: 'claim'; itemIds: readonly string[]; token: string }
  /** A batch returns its items: results, or null for an item that it did not reach. */
  | { type: 'finish'; token: string; results: ReadonlyMap<number, Result | null> }
  | { type: 'end'; state: 'cancelled' | 'expired'; cancelReason: string | null }
  | { type: 'retry'; scope: SeoAuditRetryScope; itemIds: readonly string[] | null; slot: number };

/** Clocks of the process and the database. Leases use the latter, because the clocks of processes differ. */
export interface Clocks {
  readonly now: Date;
  readonly database: Date;
}

/**
 * Returns the job after an action; the same object if the action changes nothing. Pure: the caller writes the
 * difference on the version that it has read, or reads again.
 *
 * @throws AppError `seo_item_not_in_job`, `seo_job_cancelled`, `seo_job_finished`, `seo_job_expired`,
 *   `seo_job_already_active`, `seo_nothing_to_retry`
 */
export function reduce(job: StoredAuditJob, action: AuditAction, clocks: Clocks): StoredAuditJob {
  switch (action.type) {
    case 'claim':
      return claim(job, action, clocks);
    case 'finish':
      return finish(job, action, clocks);
    case 'end':
      return end(job, action, clocks);
    case 'retry':
      return retry(job, action, clocks);
  }
}

type ActionOf<T extends AuditAction['type']> = Extract<AuditAction, { type: T }>;

function claim(job: StoredAuditJob, { itemIds, token }: ActionOf<'claim'>, clocks: Clocks): StoredAuditJob {
  const positions = positionsOf(job, itemIds);
  if (!isOpen(job)) throw notOpen(job);
  const next = withItems(job, (item, position) =>
    positions.has(position) && isFree(item, clocks.database) ? take(item, token, clocks.database) : item,
  );
  if (!next.items.some(({ leaseToken }) => leaseToken === token)) return closeIfDone(next, clocks);
  const { now } = clocks;
  return { ...next, state: 'running', startedAt: job.startedAt ?? now, lastActivityAt: now };
}

/**
 * Returns whether a batch can take an item: it is queued, or the lease of its batch has expired. Items in other states
 * have no lease.
 */
export function isFree({ state, leaseUntil }: AuditItem, database: Date): boolean {
  return state === 'queued' || (!!leaseUntil && leaseUntil < database);
}

function take(item: AuditItem, token: string, database: Date): AuditItem {
  const lostLeases = item.lostLeases + (item.state === 'processing' ? 1 : 0);
  if (lostLeases === mostLostLeases) {
    const retryable = item.attempts < mostAttempts;
    const finishedAt = item.leaseUntil ?? null;
    return { ...item, ...free, state: 'failed', reason: 'worker_lost', retryable, lostLeases, finishedAt };
  }
  return {
    ...item,
    state: 'processing',
    attempts: item.attempts + 1,
    lostLeases,
    leaseToken: token,
    leaseUntil: new Date(database.getTime() + leaseMs),
    reason: null,
  };
}

const free = { leaseToken: null, leaseUntil: null } as const;

/** Returns the job with the results. Items that the batch no longer holds keep their state. */
function finish(job: StoredAuditJob, { token, results }: ActionOf<'finish'>, clocks: Clocks): StoredAuditJob {
  const next = withItems(job, (item, position) => {
    const result = results.get(position);
    if (result === undefined || item.leaseToken !== token) return item;
    if (result === null) return { ...item, ...free, state: 'queued', attempts: item.attempts - 1 };
    return { ...item, ...result, ...free, finishedAt: clocks.now };
  });
  return closeIfDone(next, clocks);
}

function closeIfDone(job: StoredAuditJob, { now }: Clocks): StoredAuditJob {
  if (job.state !== 'running' || countOpen(job.counts) > 0) return job;
  const state = job.counts.failed > 0 ? 'completed_with_errors' : 'completed';
  return { ...job, ...closed, state, finishedAt: now, lastActivityAt: now };
}

const closed = { active: undefined, slot: undefined } as const;

/** Ends a job. Open items lose their lease, so that a running batch stores no result. */
function end(job: StoredAuditJob, { state, cancelReason }: ActionOf<'end'>, { now }: Clocks): StoredAuditJob {
  if (!isOpen(job)) return job;
  if (state === 'expired' && now.getTime() - job.lastActivityAt.getTime() < idleMs) return job;
  const next = withItems(job, (item) =>
    item.state === 'queued' || item.state === 'processing' ? { ...item, ...free, state: 'cancelled' } : item,
  );
  return { ...next, ...closed, state, cancelReason, finishedAt: now, lastActivityAt: now };
}

function retry(
  job: StoredAuditJob,
  { scope, itemIds, slot }: ActionOf<'retry'>,
  { now }: Clocks,
): StoredAuditJob {
  const named = itemIds && positionsOf(job, itemIds);
  if (isOpen(job)) throw alreadyActive(job._id);
  if (!openedBy[scope].includes(job.state)) throw nothingToRetry();
  if (expiryOf(job) < now) throw nothingToRetry();
  const isMeant = (item: AuditItem, position: number): boolean => {
    if (named) return named.has(position);
    if (item.state === 'failed') return item.retryable;
    return item.state === 'cancelled' && scope === 'failed_and_cancelled';
  };
  const next = withItems(job, (item, position) =>
    isMeant(item, position)
      ? { ...item, ...free, state: 'queued', lostLeases: 0, retryable: false, finishedAt: null }
      : item,
  );
  if (next.items === job.items) throw nothingToRetry();
  const opened = { state: 'running', active: true, slot, round: job.round + 1 } as const;
  return { ...next, ...opened, finishedAt: null, cancelReason: null, lastActivityAt: now };
}

/** Returns whether a job accepts batches. */
export function isOpen({ state }: Pick<AuditJobHead, 'state'>): boolean {
  return openStates.includes(state);
}

/** Returns when an open job expires, or when an ended one is deleted. */
export function expiryOf({ finishedAt, lastActivityAt }: AuditJobHead): Date {
  return finishedAt ? new Date(finishedAt.getTime() + keptMs) : new Date(lastActivityAt.getTime() + idleMs);
}

/** Counts the items by state. */
export function countItems(items: readonly AuditItem[]): ItemCounts {
  const counts = { queued: 0, processing: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };
  for (const { state } of items) counts[state] += 1;
  return counts;
}

/** Returns the number of items that are queued or held by a batch. */
export function countOpen({ queued, processing }: ItemCounts): number {
  return queued + processing;
}

/** Returns the job with other items and their counts; the same object if no item differs. */
function withItems(
  job: StoredAuditJob,
  change: (item: AuditItem, position: number) => AuditItem,
): StoredAuditJob {
  const items = job.items.map((item, index) => change(item, index + 1));
  if (items.every((item, index) => item === job.items[index])) return job;
  return { ...job, items, counts: countItems(items) };
}

function positionsOf({ _id, total }: StoredAuditJob, itemIds: readonly string[]): ReadonlySet<number | null> {
  const positions = itemIds.map((id) => positionOf(_id, total, id));
  const unknown = positions.flatMap((position, index) => (position === null ? [index] : []));
  if (unknown.length > 0) throw notInJob(unknown);
  return new Set(positions);
}
