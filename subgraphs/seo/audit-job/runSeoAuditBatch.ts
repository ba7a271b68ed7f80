import { randomUUID } from 'node:crypto';
import type { RunSeoAuditBatchInput } from '../../../schema/seo.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { findRuleset } from '../ruleset/rulesets.ts';
import { auditItems, type Result, untouched } from './auditItems.ts';
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
  return runBatch(context, input);
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
  const isLate = (): boolean => performance.now() - begunAt > lastBeginMs;
  const results = await auditItems(context, job, claimed, { ruleset, isLate });
  const done: Done[] = [];
  for (const [index, item] of claimed.entries()) {
    const result = results[index] ?? untouched;
    if (result === untouched) worked.left.push(item);
    else done.push({ item, result });
  }
  return { ...worked, ...(await writeResults(context, token, done)) };
}

/** An item that was dealt with. */
interface Done {
  readonly item: StoredAuditItem;
  readonly result: Result;
}

/**
 * Writes results where the batch still holds the item: else somebody else deals with it, or nobody shall. Each is one
 * conditional write, all of them one command.
 */
async function writeResults(
  context: RequestContext,
  token: string,
  done: readonly Done[],
): Promise<Pick<Worked, 'processed' | 'lost'>> {
  if (done.length === 0) return { processed: [], lost: [] };
  const finishedAt = new Date(context.platform.now());
  const written = done.map(({ item, result }) => ({
    ...item,
    ...result,
    leaseToken: null,
    leaseUntil: null,
    finishedAt,
  }));
  const count = await itemsOf(context).writeEach(
    done.map(({ item, result }) => ({
      filter: { _id: item._id, state: 'processing', leaseToken: token },
      update: { $set: { ...result, leaseToken: null, leaseUntil: null, finishedAt } },
    })),
  );
  if (count === done.length) return { processed: written, lost: [] };
  // Nobody else can have written this result: another batch would have begun the item once more.
  const stored = await itemsOf(context).find({ $or: written.map(markOf) });
  const kept = new Set(stored.map(({ _id }) => _id));
  return {
    processed: written.filter(({ _id }) => kept.has(_id)),
    lost: written.filter(({ _id }) => !kept.has(_id)).map(({ _id }) => _id),
  };
}

function markOf({ _id, state, attempts, finishedAt }: StoredAuditItem) {
  return { _id, state, attempts, finishedAt };
}

/** The answer is kept under its key; what waits to be told is no part of it. */
function withoutOutbox(job: StoredAuditJob): StoredAuditJob {
  const told = { ...job };
  delete told.outbox;
  return told;
}
