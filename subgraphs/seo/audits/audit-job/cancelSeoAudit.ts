import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { CancelSeoAuditInput } from '../../seo.generated.ts';
import { changeJob, headOf, loadOwnJob } from '../job/jobs.ts';
import type { AuditJobHead } from '../job/model.ts';
import { notOpen } from '../job/refusals.ts';

/**
 * Cancels a job. An already canceled job is returned unchanged.
 *
 * @throws AppError `not_found`, `ownership_required`, `seo_job_finished`, `seo_job_expired`
 */
export async function cancelSeoAudit(
  { jobId, reason }: CancelSeoAuditInput,
  context: RequestContext,
): Promise<{ job: AuditJobHead }> {
  await loadOwnJob(context, jobId);
  const cancelReason = reason?.trim() || null;
  const { job } = await changeJob(context, jobId, { type: 'end', state: 'cancelled', cancelReason });
  if (job.state !== 'cancelled') throw notOpen(job);
  return { job: headOf(job) };
}
