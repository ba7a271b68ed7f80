import { setTimeout } from 'node:timers/promises';
import type { Job } from '../../platform/jobs/Job.ts';

/**
 * The job, begun a moment after its signal: what many changes in a row leave behind is worked on together, and not
 * between one of them and the next. For what nobody waits for.
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
