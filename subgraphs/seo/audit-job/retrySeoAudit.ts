import type { QueryFilter } from 'mongoose';
import type { RetrySeoAuditInput, SeoAuditRetryScope } from '../../../schema/seo.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { itemsOf, jobsOf, loadOwnJob, readJob } from './jobs.ts';
import { keptMs } from './lifetimes.ts';
import { openStates, type StoredAuditItem, type StoredAuditJob } from './model.ts';
import { assertDistinct, readItems } from './readItemIds.ts';
import { openedBy } from './states.ts';
import { alreadyActive, inSlot } from './storeJob.ts';
import { tellJob } from './tellJob.ts';

/**
 * Opens a job again and puts items back into its queue.
 *
 * @throws AppError `validation_failed`, `not_found`, `ownership_required`, `seo_item_not_in_job`,
 *   `seo_nothing_to_retry`, `seo_job_already_active`, `seo_job_limit`
 */
export async function retrySeoAudit(
  context: RequestContext,
  input: RetrySeoAuditInput,
): Promise<{ job: StoredAuditJob }> {
  const scope = input.scope ?? 'FAILED';
  const itemIds = readIds(scope, input.itemIds);
  await loadOwnJob(context, input.jobId);
  if (itemIds) await readItems(context, input.jobId, itemIds);
  const { outbox: _, ...job } = await retry(context, input.jobId, scope, itemIds);
  return { job };
}

function readIds(scope: SeoAuditRetryScope, itemIds: readonly string[] | null | undefined): string[] | null {
  if (scope === 'ITEMS') {
    assertDistinct(itemIds ?? []);
    return [...(itemIds ?? [])];
  }
  if (!itemIds) return null;
  throw invalidFields([
    { pointer: '#/itemIds', code: 'invalid', detail: 'Items are named with the scope "items" only.' },
  ]);
}

/**
 * In this order: the round, while the job is still closed; the items; the job. With the job before the items, a batch
 * that runs could find nothing to do and close it in between. A crash leaves a closed job with items in its queue,
 * which the next retry takes along.
 */
async function retry(
  context: RequestContext,
  jobId: string,
  scope: SeoAuditRetryScope,
  itemIds: readonly string[] | null,
): Promise<StoredAuditJob> {
  const job = await readJob(context, jobId);
  await assertRetryable(context, job, scope);
  const candidates = toCandidates(jobId, scope, itemIds);
  if ((await itemsOf(context).count(candidates, { limit: 1 })) === 0) throw nothingToRetry();
  const { state, round } = job;
  const begun = await jobsOf(context).findOneAndUpdate(
    { _id: jobId, state, round },
    { $inc: { round: 1 }, $set: { lastActivityAt: new Date(context.platform.now()) } },
  );
  if (!begun) throw concurrent();
  await itemsOf(context).updateMany(
    // Of earlier rounds only: a later retry has its own.
    { $and: [candidates, { round: { $lt: begun.round } }] },
    {
      $set: {
        state: 'queued',
        round: begun.round,
        lostLeases: 0,
        leaseToken: null,
        leaseUntil: null,
        retryable: false,
        finishedAt: null,
      },
    },
  );
  return open(context, begun);
}

async function assertRetryable(
  context: RequestContext,
  { _id, state, finishedAt, initiatorId }: StoredAuditJob,
  scope: SeoAuditRetryScope,
): Promise<void> {
  if (openStates.includes(state)) throw alreadyActive(_id);
  if (!openedBy[scope].includes(state)) throw nothingToRetry();
  if (finishedAt && context.platform.now() - finishedAt.getTime() > keptMs) throw nothingToRetry();
  const other = await jobsOf(context).findOne({ initiatorId, active: true }, { projection: { _id: 1 } });
  if (other) throw alreadyActive(other._id);
}

/** What is left in the queue of a closed job is of a retry that was cut short. */
function toCandidates(
  jobId: string,
  scope: SeoAuditRetryScope,
  itemIds: readonly string[] | null,
): QueryFilter<StoredAuditItem> {
  const left = { state: { $in: ['queued', 'processing'] as const } };
  if (itemIds) return { jobId, $or: [{ _id: { $in: [...itemIds] } }, left] };
  const failed = { state: 'failed' as const, retryable: true };
  if (scope === 'FAILED') return { jobId, $or: [failed, left] };
  return { jobId, $or: [failed, left, { state: 'cancelled' as const }] };
}

async function open(context: RequestContext, begun: StoredAuditJob): Promise<StoredAuditJob> {
  const { _id, state, round, initiatorId } = begun;
  const opened = await inSlot(context, initiatorId, (slot) =>
    jobsOf(context).findOneAndUpdate(
      { _id, state, round },
      {
        $set: {
          state: 'running',
          active: true,
          slot,
          finishedAt: null,
          cancelReason: null,
          lastActivityAt: new Date(context.platform.now()),
        },
        $inc: { version: 1 },
        $push: tellJob(context, 'seo.audit_job.started', { ...begun, state: 'running' }),
      },
    ),
  );
  if (!opened) throw concurrent();
  return opened;
}

function nothingToRetry(): AppError {
  return new AppError('seo_nothing_to_retry', 'The job has no items that this retry could work on again.');
}

function concurrent(): AppError {
  return new AppError('concurrent_update', 'Another retry of the job was faster.', { retryAfter: 1 });
}
