import { scoped } from '../../../platform/installation/scoped.ts';
import { dueBatchJob } from '../../../platform/jobs/dueJob.ts';
import { dayMs, hourMs } from '../../../platform/time/durations.ts';
import { NoticeModel } from '../notice/model.ts';
import { ReportModel } from './model.ts';

/**
 * Removes reports a year after they were resolved, with their evidence and the addresses of notices. This covers the
 * appeal period and the same time again for the follow-up. The audit log keeps the actions.
 */
export const reportRetention = dueBatchJob({
  name: 'identity.report-retention',
  everyMs: hourMs,
  model: ReportModel,
  due: 'resolvedAt',
  afterMs: 365 * dayMs,
  projection: { noticeId: 1 },
  batchSize: 200,
  async work({ installationId, session }, found) {
    const notices = found.flatMap(({ noticeId }) => noticeId ?? []);
    await scoped(NoticeModel, installationId).deleteMany({ _id: { $in: notices } }, { session });
    const ids = found.map(({ _id }) => _id);
    await scoped(ReportModel, installationId).deleteMany({ _id: { $in: ids } }, { session });
  },
});
