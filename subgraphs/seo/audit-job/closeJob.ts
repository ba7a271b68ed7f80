import type { Platform } from '../../platform/context/Platform.ts';
import { countItems, countOpen, type ItemCounts } from './countItems.ts';
import { jobsOf, type Place, readJob } from './jobs.ts';
import type { StoredAuditJob } from './model.ts';
import { tellJob } from './tellJob.ts';

/** A job with what was counted when it was looked at last. */
export interface CountedJob {
  job: StoredAuditJob;
  counts: ItemCounts;
}

/**
 * Ends a running job whose items were all dealt with. The round is read before they are counted and stands in the
 * filter: a batch that counted none before a retry does not close the job that the retry has opened again.
 */
export async function closeJob(
  place: Place & { platform: Pick<Platform, 'now'> },
  jobId: string,
): Promise<CountedJob> {
  const job = await readJob(place, jobId);
  const [counts] = (await countItems(place, [jobId])) as [ItemCounts];
  if (job.state !== 'running' || countOpen(counts) > 0) return { job, counts };
  const state = counts.failed > 0 ? 'completed_with_errors' : 'completed';
  const at = new Date(place.platform.now());
  const closed = await jobsOf(place).findOneAndUpdate(
    { _id: jobId, state: 'running', round: job.round },
    {
      $set: { state, finishedAt: at, lastActivityAt: at },
      $unset: { active: 1, slot: 1 },
      $inc: { version: 1 },
      $push: tellJob(place, 'seo.audit_job.finished', { ...job, state }, counts),
    },
  );
  return { job: closed ?? (await readJob(place, jobId)), counts };
}
