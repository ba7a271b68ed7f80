import { setTimeout } from 'node:timers/promises';
import type { Job } from '../../platform/jobs/Job.ts';

/**
 * Returns the job, delayed after its signal, so that the results of many consecutive changes are processed together.
 * For work that no request waits for.
 *
 * @param afterMs delay; a run without a signal starts immediately
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
