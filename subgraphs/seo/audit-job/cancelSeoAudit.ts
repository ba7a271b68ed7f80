import type { CancelSeoAuditInput } from '../../../schema/seo.generated.ts';
import type { Platform } from '../../platform/context/Platform.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { textProblems } from '../analysis/checkTexts.ts';
import { itemsOf, jobsOf, loadOwnJob, type Place, readJob } from './jobs.ts';
import { openItemStates, openStates, type StoredAuditJob } from './model.ts';
import { notOpen } from './notOpen.ts';
import { tellJob } from './tellJob.ts';

const longestReason = 500;

/**
 * Cancels a job; one that is cancelled already is answered as it is.
 *
 * @throws AppError `validation_failed`, `not_found`, `ownership_required`, `seo_job_finished`, `seo_job_expired`
 */
export async function cancelSeoAudit(
  context: RequestContext,
  { jobId, reason }: CancelSeoAuditInput,
): Promise<{ job: StoredAuditJob }> {
  const problems = textProblems('#/reason', reason, longestReason);
  if (problems.length > 0) throw invalidFields(problems);
  const job = await loadOwnJob(context, jobId);
  const ended = await endJob(context, job, { state: 'cancelled', cancelReason: reason?.trim() || null });
  if (ended) return { job: ended };
  const current = await readJob(context, jobId);
  if (current.state !== 'cancelled') throw notOpen(current);
  // Whoever cancelled it may have been killed before he came to the items.
  await cancelItems(context, current);
  return { job: current };
}

/** How a job ends before its items do. */
export interface JobEnd {
  state: 'cancelled' | 'expired';
  cancelReason: string | null;
}

/**
 * Ends an open job: first the job, so that no batch begins, then its items, whose tokens go, so that no batch that has
 * begun writes a result. Null if it was not open any more.
 */
export async function endJob(
  place: Place & { platform: Pick<Platform, 'now'> },
  { _id, ...job }: StoredAuditJob,
  { state, cancelReason }: JobEnd,
): Promise<StoredAuditJob | null> {
  const at = new Date(place.platform.now());
  const ended = await jobsOf(place).findOneAndUpdate(
    { _id, state: { $in: openStates } },
    {
      $set: { state, cancelReason, finishedAt: at, lastActivityAt: at },
      $unset: { active: 1, slot: 1 },
      $inc: { version: 1 },
      $push: tellJob(place, `seo.audit_job.${state}`, { ...job, state }),
    },
  );
  if (ended) await cancelItems(place, ended);
  return ended;
}

/** Of this round and earlier ones: those that a retry puts back at the same time are of the next one. */
export async function cancelItems(place: Place, { _id, round }: StoredAuditJob): Promise<void> {
  await itemsOf(place).updateMany(
    { jobId: _id, state: { $in: openItemStates }, round: { $lte: round } },
    { $set: { state: 'cancelled', leaseToken: null, leaseUntil: null } },
  );
}
