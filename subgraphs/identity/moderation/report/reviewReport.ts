import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ReviewReportInput } from '../../identity.generated.ts';
import { changeReport, loadReport } from './changeReport.ts';
import type { ReportRecord } from './model.ts';

/** Starts the review of a report. Of several concurrent calls, one succeeds; the others get `invalid_transition`. */
export function reviewReport(
  { reportId }: ReviewReportInput,
  context: RequestContext,
): Promise<{ report: ReportRecord }> {
  return inTransaction(async (session) => {
    const before = await loadReport(reportId, context, session);
    const set = { reviewedBy: context.viewer.id };
    const report = await changeReport(context, before, 'in_review', { set }, session);
    const target = { type: 'report', id: reportId };
    await recordAudit(context, { action: 'reviewReport', target }, { session });
    return { report };
  });
}
