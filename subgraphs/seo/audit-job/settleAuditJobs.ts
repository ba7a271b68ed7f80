import { holdersAmong } from '../../platform/auth/holdersAmong.ts';
import type { Platform } from '../../platform/context/Platform.ts';
import type { Job, JobRun } from '../../platform/jobs/Job.ts';
import { endJob } from './cancelSeoAudit.ts';
import { closeJob } from './closeJob.ts';
import { itemsOf, jobsOf, type Place } from './jobs.ts';
import { idleMs, keptMs } from './lifetimes.ts';
import type { StoredAuditJob } from './model.ts';

const batchSize = 50;

type Settled = Place & { platform: Pick<Platform, 'now'> };

/**
 * Brings jobs to the state that nobody's request brings them to: expired, cancelled with their initiator, closed where
 * the batch that did the last item was killed, and removed when their time is over.
 */
export const settleAuditJobs: Job = {
  name: 'seo.audit-jobs',
  everyMs: 60_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) {
      if (run.signal.aborted) return;
      await run.assertHeld();
      const place = { installationId: id, platform: run.platform };
      await settleOpen(place);
      await removeOver(place, run);
    }
  },
};

/** Five of an installation at most. */
async function settleOpen(place: Settled): Promise<void> {
  const open = await jobsOf(place).find({ active: true });
  if (open.length === 0) return;
  const initiators = open.map(({ initiatorId }) => initiatorId);
  const holders = await holdersAmong(place.installationId, initiators, 'seo:admin');
  for (const job of open) await settle(place, job, holders.has(job.initiatorId));
}

async function settle(place: Settled, job: StoredAuditJob, isHolder: boolean): Promise<void> {
  if (!isHolder) await endJob(place, job, { state: 'cancelled', cancelReason: 'initiator_unavailable' });
  else if (place.platform.now() - job.lastActivityAt.getTime() >= idleMs)
    await endJob(place, job, { state: 'expired', cancelReason: null });
  else if (job.state === 'running') await closeJob(place, job._id);
}

/** The items first: a crash in between leaves a job whose removal is repeated. */
async function removeOver(place: Settled, { signal, assertHeld }: JobRun): Promise<void> {
  const before = new Date(place.platform.now() - keptMs);
  for (let size = batchSize; size === batchSize && !signal.aborted; ) {
    const over = await jobsOf(place).find(
      { finishedAt: { $type: 'date', $lt: before } },
      { projection: { _id: 1 }, sort: { finishedAt: 1 }, limit: batchSize },
    );
    const ids = over.map(({ _id }) => _id);
    size = ids.length;
    if (size === 0) return;
    await assertHeld();
    await itemsOf(place).deleteMany({ jobId: { $in: ids } });
    await jobsOf(place).deleteMany({ _id: { $in: ids }, finishedAt: { $type: 'date', $lt: before } });
  }
}
