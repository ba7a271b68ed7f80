import { setTimeout as wait } from 'node:timers/promises';
import type { Platform } from '../context/Platform.ts';
import { forwardSignals } from './forwardSignals.ts';
import { type Job, type JobRun, subgraphOf } from './Job.ts';
import { jittered, keepLease, type Lease, type LeaseKeeper, pause, signaledJobs } from './lease.ts';

/** The jobs of this process. */
export interface RunningJobs {
  /** Aborts the runs, waits for them with a timeout, and releases the leases. */
  close(): Promise<void>;
}

/** Times in milliseconds. */
export interface JobTimes {
  /** Duration of the lease, for which a crashed process blocks others. */
  leaseMs?: number;
  /** Pause after the first of several failed runs; it doubles up to five minutes. */
  retryMs?: number;
  /**
   * Period over which the first runs are spread, which leaves the processor to requests after a start. 0 by default.
   */
  spreadMs?: number;
  /** Maximum wait for active runs when the process ends. */
  closeMs?: number;
}

/** A third of a minute, the time within which another process continues the work of one that was killed. */
export const usualLeaseMs = 20_000;
const mostRetryMs = 5 * 60_000;

/**
 * Runs jobs, those of a subgraph under one lease. Only one process runs them, and another one takes over when it ends
 * or crashes. A failed run is logged and repeated; it ends neither the job nor the process.
 */
export function startJobs(
  jobs: readonly Job[],
  platform: Platform,
  { leaseMs = usualLeaseMs, retryMs = 1000, spreadMs = 0, closeMs = 2000 }: JobTimes = {},
): RunningJobs {
  const { log, changes } = platform;
  const ending = new AbortController();
  const closing = ending.signal;
  const names = new Set(jobs.map(({ name }) => subgraphOf(name)));
  const leases = new Map(
    [...names].map((name) => [name, keepLease(name, { lengthMs: leaseMs, closing, log })]),
  );
  const workers = new Map(jobs.map((job) => [job.name, new Worker(job, { platform, retryMs, closing })]));
  const working = new Map(
    [...workers].map(([name, worker], place) => {
      const lease = leases.get(subgraphOf(name)) as LeaseKeeper;
      const work = worker.work(lease, (place * spreadMs) / workers.size);
      return [name, work.finally(() => working.delete(name))] as const;
    }),
  );
  const stopForwarding = forwardSignals(jobs, platform, (subgraph) => leases.get(subgraph)?.isHeld ?? false);
  const stopListening = changes.listen('leases', {
    onChange({ id, members }) {
      if (!leases.get(id)?.isHeld) return;
      for (const name of signaledJobs(id, members)) workers.get(name)?.signal(name);
    },
    onGap: () => undefined,
  });
  return {
    async close() {
      stopForwarding();
      stopListening();
      ending.abort(new Error('This process is shutting down.'));
      // The lease of a run that does not end is kept, because the run may still write.
      const released = [...leases].map(async ([name, lease]) => {
        const own = [...working].filter(([job]) => subgraphOf(job) === name);
        await Promise.all(own.map(([, work]) => work));
        await lease.release();
      });
      await Promise.race([Promise.allSettled(released), wait(closeMs, undefined, { ref: false })]);
      if (working.size > 0) log.warn({ jobs: [...working.keys()] }, 'jobs did not end in time');
    },
  };
}

/** The loop of one job in this process. */
class Worker {
  readonly #job: Job;
  readonly #platform: Platform;
  readonly #retryMs: number;
  readonly #closing: AbortSignal;
  readonly #signaledBy = new Set<string>();
  #failures = 0;
  #onSignal: (() => void) | undefined;

  constructor(
    job: Job,
    { platform, retryMs, closing }: { platform: Platform; retryMs: number; closing: AbortSignal },
  ) {
    this.#job = job;
    this.#platform = platform;
    this.#retryMs = retryMs;
    this.#closing = closing;
  }

  /**
   * Starts the job's next run immediately. A signal during a run causes another run, because the current one may have
   * passed the new work.
   */
  signal(name: string): void {
    this.#signaledBy.add(name);
    this.#onSignal?.();
  }

  /**
   * Runs the job repeatedly.
   *
   * @param afterMs pause before the first run
   */
  async work(keeper: LeaseKeeper, afterMs: number): Promise<void> {
    const { name, signals = [] } = this.#job;
    const stops = [name, ...signals].map((one) => this.#platform.signals.listen(one, () => this.signal(one)));
    await pause(afterMs, this.#closing);
    for (let lease = await keeper.held(); lease; lease = await keeper.held()) await this.#runWhileHeld(lease);
    for (const stop of stops) stop();
  }

  async #runWhileHeld(lease: Lease): Promise<void> {
    const signal = AbortSignal.any([this.#closing, lease.signal]);
    let signaledBy: ReadonlySet<string> | undefined;
    while (!signal.aborted) {
      this.#signaledBy.clear();
      await this.#runOnce(lease, { signal, signaledBy });
      if (this.#failures > 0) await pause(jittered(retryPauseMs(this.#retryMs, this.#failures)), signal);
      else await this.#rest(signal);
      signaledBy = this.#failures > 0 || this.#signaledBy.size === 0 ? undefined : new Set(this.#signaledBy);
    }
  }

  async #runOnce(lease: Lease, { signal, signaledBy }: Pick<JobRun, 'signal' | 'signaledBy'>): Promise<void> {
    try {
      await this.#job.run({
        platform: this.#platform,
        fence: lease.fence,
        signal,
        signaledBy,
        assertHeld: () => lease.assertHeld(),
      });
      this.#failures = 0;
    } catch (error) {
      // An aborted run has not failed: it is repeated.
      if (signal.aborted) return;
      this.#failures += 1;
      const { name: job } = this.#job;
      this.#platform.log.error({ err: error, job, failures: this.#failures }, 'job failed');
    }
  }

  /** Waits until the next run is due, or a signal arrives. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (this.#signaledBy.size > 0) return;
    const signaled = new AbortController();
    this.#onSignal = () => {
      // A thousand events send as many signals, and only the first one has an effect.
      if (!signaled.signal.aborted) signaled.abort();
    };
    await pause(jittered(this.#job.everyMs), AbortSignal.any([signal, signaled.signal]));
  }
}

/**
 * Returns the pause after failed runs in a row. Signals do not shorten it, because the work itself keeps failing.
 *
 * @param firstMs pause after the first failure
 */
export function retryPauseMs(firstMs: number, failures: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), mostRetryMs);
}
