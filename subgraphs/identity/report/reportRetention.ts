import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { NoticeModel } from '../notice/model.ts';
import { ReportModel } from './model.ts';

/** Time for an appeal, and as much again for what follows from it. */
const keptMs = 365 * 24 * 3600 * 1000;
const batchSize = 200;

/**
 * Removes reports a year after they were resolved, with the evidence in them and the addresses of notices. What was
 * done stays in the audit.
 */
export const reportRetention: Job = {
  name: 'identity.report-retention',
  everyMs: 3_600_000,
  run: (run) => drainEach(run, batchSize, ({ id }) => removeBatch(id, new Date(run.platform.now() - keptMs))),
};

/** The notices first: a report that is left is found again, a notice without its report is not. */
async function removeBatch(installationId: string, before: Date): Promise<number> {
  const reports = scoped(ReportModel, installationId);
  const due = await reports.find(
    { resolvedAt: { $lt: before, $type: 'date' } },
    { projection: { noticeId: 1 }, sort: { resolvedAt: 1 }, limit: batchSize },
  );
  if (due.length === 0) return 0;
  const notices = due.flatMap(({ noticeId }) => noticeId ?? []);
  await scoped(NoticeModel, installationId).deleteMany({ _id: { $in: notices } });
  await reports.deleteMany({ _id: { $in: due.map(({ _id }) => _id) } });
  return due.length;
}
