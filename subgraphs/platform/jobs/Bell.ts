import type { Platform } from '../context/Platform.ts';
import type { Job } from './Job.ts';
import { ringHolders } from './leases.ts';

/** What must be known of a job to ring for it. */
type Rung = Pick<Job, 'name' | 'wokenBy' | 'isWokenEverywhere'>;

/** Tells other processes that there is work for the jobs that they hold. */
export interface Bell {
  /** Rings whenever the job is woken in this process, until the function that it answers is called. */
  ringFor(job: Rung): () => void;
  /** What was not rung for yet is found when the job's rest is over. */
  close(): Promise<void>;
}

/** Those who are woken together are rung for together. */
const collectMs = 50;

export function openBell({ wakeUps, log }: Pick<Platform, 'wakeUps' | 'log'>): Bell {
  const names = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const ring = async (): Promise<void> => {
    timer = undefined;
    const jobs = [...names];
    names.clear();
    await ringHolders(jobs).catch((error: unknown) => log.info({ err: error, jobs }, 'holders not rung for'));
  };
  const add = (name: string): void => {
    names.add(name);
    timer ??= setTimeout(() => void ring(), collectMs).unref();
  };
  return {
    ringFor({ name, wokenBy = [], isWokenEverywhere }) {
      const heard = isWokenEverywhere ? [name] : [name, ...wokenBy];
      const stops = heard.map((one) => wakeUps.listen(one, () => add(name)));
      return () => {
        for (const stop of stops) stop();
      };
    },
    async close() {
      clearTimeout(timer);
    },
  };
}

/** For a process that works on no jobs: it says to those who do that there is work. */
export function ringForJobs(jobs: readonly Rung[], platform: Pick<Platform, 'wakeUps' | 'log'>): Bell {
  const bell = openBell(platform);
  for (const job of jobs) bell.ringFor(job);
  return bell;
}
