import type { Job } from '../../../platform/jobs/Job.ts';
import { holdersAmong } from '../../../platform/principal/holdersAmong.ts';
import { changeJob, type JobScope, jobsOf } from '../job/jobs.ts';

/**
 * Expires jobs without activity for 24 hours, and jobs whose initiator is no longer an administrator. A TTL index
 * deletes ended jobs.
 */
export const expireAuditJobs: Job = {
  name: 'seo.audit-jobs',
  everyMs: 60_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) {
      if (run.signal.aborted) return;
      await run.assertHeld();
      await endOpenJobs({ installationId: id, platform: run.platform });
    }
  },
};

/** Ends open jobs, at most five of an installation. */
async function endOpenJobs(scope: JobScope): Promise<void> {
  const open = await jobsOf(scope).find({ active: true }, { projection: { initiatorId: 1 } });
  if (open.length === 0) return;
  const initiators = open.map(({ initiatorId }) => initiatorId);
  const holders = await holdersAmong(scope.installationId, initiators, 'seo:admin');
  for (const { _id, initiatorId } of open)
    await changeJob(
      scope,
      _id,
      holders.has(initiatorId)
        ? { type: 'end', state: 'expired', cancelReason: null }
        : { type: 'end', state: 'cancelled', cancelReason: 'initiator_unavailable' },
    );
}
