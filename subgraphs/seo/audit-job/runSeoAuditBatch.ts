import { randomUUID } from 'node:crypto';
import type { RunSeoAuditBatchInput } from '../../../schema/seo.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { loadOwned } from '../../platform/federation/askOwner.ts';
import { once } from '../../platform/idempotency/once.ts';
import { ownedTypeOf } from '../object/ObjectRef.ts';
import { findRuleset } from '../ruleset/rulesets.ts';
import { auditItem, type Result, untouched } from './auditItem.ts';
import { claimItems, releaseItems } from './claimItems.ts';
import { closeJob } from './closeJob.ts';
import { findNextItemIds, type ItemCounts } from './countItems.ts';
import { type BatchRejection, explainRest } from './explainRest.ts';
import { itemsOf, jobsOf, loadOwnJob, readJob } from './jobs.ts';
import { openStates, type StoredAuditItem, type StoredAuditJob } from './model.ts';
import { notOpen } from './notOpen.ts';
import { assertBatch, readItems } from './readItemIds.ts';

/** When the last item is begun, from the begin of the batch: it may wait for 2 s and run for 4 s, and 15 s are all. */
const lastBeginMs = 8500;

/** What a batch has done. */
export interface BatchOutcome {
  job: StoredAuditJob & { itemCounts: ItemCounts; nextIds: string[] };
  processed: StoredAuditItem[];
  notProcessed: BatchRejection[];
  done: boolean;
  aiUsed: false;
}

/**
 * Works on a few items of a job. Every step is one conditional write, and a crash between two of them leaves nothing
 * that the next batch does not put right: see docs/audit-jobs.md.
 *
 * @throws AppError `seo_batch_too_large`, `validation_failed`, `not_found`, `ownership_required`,
 *   `seo_item_not_in_job`, `seo_job_cancelled`, `seo_job_finished`, `seo_job_expired`
 */
export async function runSeoAuditBatch(
  context: RequestContext,
  input: RunSeoAuditBatchInput,
): Promise<BatchOutcome> {
  assertBatch(input.itemIds);
  await loadOwnJob(context, input.jobId);
  return once(context, 'runSeoAuditBatch', input, () => runBatch(context, input));
}

async function runBatch(
  context: RequestContext,
  { jobId, itemIds }: RunSeoAuditBatchInput,
): Promise<BatchOutcome> {
  const begunAt = performance.now();
  const named = await readItems(context, jobId, itemIds);
  const before = await readJob(context, jobId);
  if (!openStates.includes(before.state)) throw notOpen(before);
  const token = randomUUID();
  const claimed = await claimItems(context, named, token);
  const job = claimed.length > 0 ? await confirmOpen(context, claimed, token) : before;
  const { processed, lost, left } = await work(context, job, { claimed, token, begunAt });
  await releaseItems(context, left, token);
  const closed = await closeJob(context, jobId);
  const rest = itemIds.filter((id) => !processed.some(({ _id }) => _id === id));
  return {
    job: {
      ...withoutOutbox(closed.job),
      itemCounts: closed.counts,
      nextIds: await findNextItemIds(context, closed.job),
    },
    processed,
    notProcessed: await explainRest(context, rest, { lost, left }),
    done: !openStates.includes(closed.job.state),
    aiUsed: false,
  };
}

/**
 * The job once more, now that the items are held: who cancelled it in between may have passed them already. The first
 * item that is ever held makes it run.
 */
async function confirmOpen(
  context: RequestContext,
  claimed: readonly StoredAuditItem[],
  token: string,
): Promise<StoredAuditJob> {
  const [first] = claimed;
  const jobId = first?.jobId ?? '';
  const at = new Date(context.platform.now());
  const job = await jobsOf(context).findOneAndUpdate({ _id: jobId, state: { $in: [...openStates] } }, [
    { $set: { state: 'running', startedAt: { $ifNull: ['$startedAt', at] }, lastActivityAt: at } },
  ]);
  if (job) return job;
  const ended = await readJob(context, jobId);
  const isLeftOver = ended.state === 'cancelled' || ended.state === 'expired';
  await releaseItems(context, claimed, token, isLeftOver ? 'cancelled' : 'queued');
  throw notOpen(ended);
}

interface Claim {
  claimed: readonly StoredAuditItem[];
  token: string;
  begunAt: number;
}

interface Worked {
  processed: StoredAuditItem[];
  /** Ids of those whose result came too late. */
  lost: string[];
  /** Those that it has not come to. */
  left: StoredAuditItem[];
}

async function work(
  context: RequestContext,
  job: StoredAuditJob,
  { claimed, token, begunAt }: Claim,
): Promise<Worked> {
  const worked: Worked = { processed: [], lost: [], left: [] };
  if (claimed.length === 0) return worked;
  const ruleset = await findRuleset(context, job.ruleset);
  // One question for all of them; who cannot be asked is each item's own result.
  await Promise.allSettled(
    claimed.map(({ objectType, objectId }) => loadOwned(context, ownedTypeOf[objectType], objectId)),
  );
  for (const item of claimed) {
    const isLate = performance.now() - begunAt > lastBeginMs;
    const result = isLate ? untouched : await auditItem(context, job, item, ruleset);
    if (result === untouched) worked.left.push(item);
    else {
      const written = await writeResult(context, item, token, result);
      if (written) worked.processed.push(written);
      else worked.lost.push(item._id);
    }
  }
  return worked;
}

/** Null when the batch does not hold the item any more: then somebody else deals with it, or nobody shall. */
function writeResult(
  context: RequestContext,
  { _id }: StoredAuditItem,
  token: string,
  result: Result,
): Promise<StoredAuditItem | null> {
  return itemsOf(context).findOneAndUpdate(
    { _id, state: 'processing', leaseToken: token },
    {
      $set: { ...result, leaseToken: null, leaseUntil: null, finishedAt: new Date(context.platform.now()) },
    },
  );
}

/** The answer is kept under its key; what waits to be told is no part of it. */
function withoutOutbox(job: StoredAuditJob): StoredAuditJob {
  const told = { ...job };
  delete told.outbox;
  return told;
}
