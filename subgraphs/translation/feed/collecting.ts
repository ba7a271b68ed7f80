import { setTimeout } from 'node:timers/promises';
import type { Job } from '../../platform/jobs/Job.ts';

/**
 * The job, begun a moment after its signal: the results of many changes in a row are processed together, and not
 * between them. For work that no request waits for.
 *
 * @param afterMs how long it collects; a run without a signal begins at once
 */
export function collecting(job: Job, afterMs: number): Job {
  return {
    ...job,
    async run(run) {
      if (run.signaledBy) await setTimeout(afterMs, undefined, { signal: run.signal });
      await job.run(run);
    },
  };
}
