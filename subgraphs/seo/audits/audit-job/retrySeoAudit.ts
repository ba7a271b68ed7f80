import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields } from '../../../platform/errors/AppError.ts';
import type { RetrySeoAuditInput, SeoAuditRetryScope } from '../../seo.generated.ts';
import { assertDistinct } from '../job/assertItemIds.ts';
import { changeJob, clocksOf, headOf, loadOwnJob, readJob } from '../job/jobs.ts';
import type { AuditJobHead } from '../job/model.ts';
import { reduce } from '../job/reduce.ts';
import { inSlot } from './openSlot.ts';

/**
 * Opens a job again and puts items back into its queue.
 *
 * @throws AppError `validation_failed`, `not_found`, `ownership_required`, `seo_item_not_in_job`,
 *   `seo_nothing_to_retry`, `seo_job_already_active`, `seo_job_limit`
 */
export async function retrySeoAudit(
  { jobId, ...input }: RetrySeoAuditInput,
  context: RequestContext,
): Promise<{ job: AuditJobHead }> {
  const scope = input.scope ?? 'failed';
  const itemIds = readIds(scope, input.itemIds);
  const { initiatorId } = await loadOwnJob(context, jobId);
  const retry = { type: 'retry', scope, itemIds, slot: 0 } as const;
  // Errors of the retry are refused before the other jobs are checked.
  const read = await readJob(context, jobId);
  reduce(read, retry, clocksOf(context, read));
  const { job } = await inSlot(context, initiatorId, (slot) =>
    changeJob(context, jobId, { ...retry, slot }, read),
  );
  return { job: headOf(job) };
}

function readIds(scope: SeoAuditRetryScope, itemIds: readonly string[] | null | undefined): string[] | null {
  if (scope === 'items') {
    assertDistinct(itemIds ?? []);
    return [...(itemIds ?? [])];
  }
  if (!itemIds) return null;
  throw invalidFields([
    { pointer: '#/itemIds', code: 'invalid', detail: 'Items are only allowed with the scope "items".' },
  ]);
}
