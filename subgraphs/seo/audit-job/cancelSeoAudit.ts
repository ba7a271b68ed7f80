import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { textProblems } from '../analysis/checkTexts.ts';
import type { CancelSeoAuditInput } from '../seo.generated.ts';
import { changeJob, headOf, loadOwnJob } from './jobs.ts';
import type { AuditJobHead } from './model.ts';
import { notOpen } from './refusals.ts';

const longestReason = 500;

/**
 * Cancels a job; one that is cancelled already is returned unchanged.
 *
 * @throws AppError `validation_failed`, `not_found`, `ownership_required`, `seo_job_finished`, `seo_job_expired`
 */
export async function cancelSeoAudit(
  context: RequestContext,
  { jobId, reason }: CancelSeoAuditInput,
): Promise<{ job: AuditJobHead }> {
  const problems = textProblems('#/reason', reason, longestReason);
  if (problems.length > 0) throw invalidFields(problems);
  await loadOwnJob(context, jobId);
  const cancelReason = reason?.trim() || null;
  const { job } = await changeJob(context, jobId, { type: 'end', state: 'cancelled', cancelReason });
  if (job.state !== 'cancelled') throw notOpen(job);
  return { job: headOf(job) };
}
