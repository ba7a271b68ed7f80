import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { findRuleset } from '../../pages/ruleset/rulesets.ts';
import type { RunSeoAuditBatchInput } from '../../seo.generated.ts';
import { assertBatch } from '../job/assertItemIds.ts';
import { type Change, changeJob, headOf, loadOwnJob, type ReadAuditJob } from '../job/jobs.ts';
import type { AuditJobHead } from '../job/model.ts';
import { type RejectionCode, rejectionOf, rejectionReasons } from '../job/reasons.ts';
import { isOpen, type Result } from '../job/reduce.ts';
import { auditItems } from './auditItems.ts';
import { type AuditItemView, nextItemIds, viewsOf } from './items.ts';

/**
 * Time after the start of a batch when the last item may start. It may wait for 2 s and run for 4 s, and the limit is
 * 15 s.
 */
const lastBeginMs = 8500;

/** The current state of an item that a batch named and has not processed. */
export interface BatchRejection {
  itemId: string;
  code: RejectionCode;
  message: string;
  item: AuditItemView;
}

/** Result of a batch. */
export interface BatchOutcome {
  job: AuditJobHead & { nextIds: string[] };
  processed: AuditItemView[];
  notProcessed: BatchRejection[];
  done: boolean;
  aiUsed: false;
}

/**
 * Processes a few items of a job in two changes of the job: the claim of the items, and their results. After a crash in
 * between, the leases of the items expire, and the next batch finds the analyses again: see
 * docs/reference/audit-jobs.md.
 *
 * @throws AppError `seo_batch_too_large`, `validation_failed`, `not_found`, `ownership_required`,
 *   `seo_item_not_in_job`, `seo_job_cancelled`, `seo_job_finished`, `seo_job_expired`
 */
export async function runSeoAuditBatch(
  { jobId, itemIds }: RunSeoAuditBatchInput,
  context: RequestContext,
): Promise<BatchOutcome> {
  const begunAt = performance.now();
  assertBatch(itemIds);
  await loadOwnJob(context, jobId);
  const token = randomUUID();
  const { job: claimed } = await changeJob(context, jobId, { type: 'claim', itemIds, token });
  const results = await process(context, claimed, { token, begunAt });
  const change =
    results.size === 0
      ? { before: claimed, job: claimed }
      : await changeJob(context, jobId, { type: 'finish', token, results }, claimed);
  const { processed, notProcessed } = sort(change, { itemIds, token, results });
  const { job } = change;
  return {
    job: { ...headOf(job), nextIds: nextItemIds(job) },
    processed,
    notProcessed,
    done: !isOpen(job),
    aiUsed: false,
  };
}

/** Analyzes the items that the batch holds. */
async function process(
  context: RequestContext,
  job: ReadAuditJob,
  { token, begunAt }: { token: string; begunAt: number },
): Promise<Map<number, Result | null>> {
  const held = viewsOf(job).filter(({ leaseToken }) => leaseToken === token);
  if (held.length === 0) return new Map();
  const ruleset = await findRuleset(context, job.ruleset);
  const isLate = (): boolean => performance.now() - begunAt > lastBeginMs;
  const results = await auditItems(context, job, held, { ruleset, isLate });
  return new Map(held.map(({ position }, index) => [position, results[index] ?? null]));
}

/** Returns which of the named items have a result of this batch, and why the others have none. */
function sort(
  { before, job }: Change,
  batch: { itemIds: readonly string[]; token: string; results: ReadonlyMap<number, Result | null> },
): Pick<BatchOutcome, 'processed' | 'notProcessed'> {
  const processed: AuditItemView[] = [];
  const notProcessed: BatchRejection[] = [];
  const byId = new Map(viewsOf(job).map((item) => [item.id, item]));
  for (const itemId of batch.itemIds) {
    const item = byId.get(itemId);
    if (!item) continue;
    const result = batch.results.get(item.position);
    const isLost = result !== undefined && before.items[item.position - 1]?.leaseToken !== batch.token;
    if (result && !isLost) processed.push(item);
    else {
      const code = isLost ? 'lease_lost' : rejectionOf[item.state];
      notProcessed.push({ itemId, code, message: rejectionReasons[code], item });
    }
  }
  return { processed, notProcessed };
}
