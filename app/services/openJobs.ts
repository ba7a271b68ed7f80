import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { watchEvents } from '../../subgraphs/platform/events/watchEvents.ts';
import { forwardSignals } from '../../subgraphs/platform/jobs/forwardSignals.ts';
import type { Job } from '../../subgraphs/platform/jobs/Job.ts';
import { startJobs } from '../../subgraphs/platform/jobs/startJobs.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';

/**
 * Period over which the first runs of jobs are spread. Dozens of jobs read everything in their first run; together they
 * would take a large part of the start.
 */
const jobsBeginWithinMs = 3000;

/** Starts the jobs, or only forwards their signals to other processes; returns the function that ends it. */
export function openJobs(
  { jobs: takesPart }: Pick<Configuration, 'jobs'>,
  all: readonly Job[],
  platform: Platform,
): () => Promise<unknown> {
  const jobs = all.filter((job) => job.isNeeded?.(platform) ?? true);
  if (!takesPart) {
    const stop = forwardSignals(jobs, platform);
    return async () => stop();
  }
  const running = startJobs(jobs, platform, { spreadMs: jobsBeginWithinMs });
  const stopWatching = watchEvents(platform);
  return () => Promise.all([running.close(), stopWatching()]);
}
