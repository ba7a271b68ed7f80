import type { Platform } from '../context/Platform.ts';
import type { Job } from './Job.ts';
import { type Lease, takeLease } from './takeLease.ts';

/** The jobs of this process. */
export interface RunningJobs {
  /** Cuts the runs short, waits for them a while, and gives the leases back. */
  close(): Promise<void>;
}

/** Times in milliseconds. */
export interface JobTimes {
  /** How long the lease of a process that vanished keeps others out. */
  leaseMs?: number;
  /** Pause after the first of several failed runs; it doubles up to five minutes. */
  retryMs?: number;
  /** Longest wait for runs that are under way when everything ends. */
  closeMs?: number;
}

const mostRetryMs = 5 * 60_000;

/**
 * Works on jobs, each under a lease of its own: of all processes that do, one runs a job, and another one takes over
 * when it ends or vanishes. A run that fails is logged and repeated; it ends neither the job nor the process.
 */
export function startJobs(
  jobs: readonly Job[],
  platform: Platform,
  { leaseMs = 60_000, retryMs = 1000, closeMs = 2000 }: JobTimes = {},
): RunningJobs {
  const closing = new AbortController();
  const times = { leaseMs, retryMs };
  const working = new Map(
    jobs.map((job) => {
      const worker = new Worker(job, platform, times, closing.signal);
      return [job.name, worker.work().finally(() => working.delete(job.name))] as const;
    }),
  );
  return {
    async close() {
      closing.abort(new Error('This process ends.'));
      const late = new AbortController();
      await Promise.race([Promise.all(working.values()), pause(closeMs, late.signal)]);
      late.abort();
      if (working.size > 0) platform.log.warn({ jobs: [...working.keys()] }, 'jobs did not end in time');
    },
  };
}

/** The loop of one job in this process. */
class Worker {
  readonly #job: Job;
  readonly #platform: Platform;
  readonly #times: { leaseMs: number; retryMs: number };
  readonly #closing: AbortSignal;
  #failures = 0;

  constructor(
    job: Job,
    platform: Platform,
    times: { leaseMs: number; retryMs: number },
    closing: AbortSignal,
  ) {
    this.#job = job;
    this.#platform = platform;
    this.#times = times;
    this.#closing = closing;
  }

  async work(): Promise<void> {
    while (!this.#closing.aborted) {
      const lease = await this.#take();
      if (!lease) {
        await pause(jittered(this.#times.leaseMs / 3), this.#closing);
        continue;
      }
      await this.#runWhileHeld(lease);
      // Without a database there is nobody to wait for; the lease runs out by itself.
      await lease.release().catch((error: unknown) => {
        this.#platform.log.info({ err: error, job: this.#job.name }, 'lease not released');
      });
    }
  }

  async #take(): Promise<Lease | null> {
    try {
      return await takeLease(this.#job.name, this.#times.leaseMs);
    } catch (error) {
      this.#tell(error, 'lease not taken');
      return null;
    }
  }

  async #runWhileHeld(lease: Lease): Promise<void> {
    const signal = AbortSignal.any([this.#closing, lease.signal]);
    while (!signal.aborted) {
      const alarm = new AbortController();
      // Listening begins before the run: work that comes while it runs may be work that it has passed already.
      const stopListening = this.#listen(() => alarm.abort());
      await this.#runOnce(lease, signal);
      // Whoever fails rests, whatever there is to do: its work is what keeps failing.
      const rest = this.#failures > 0 ? signal : AbortSignal.any([signal, alarm.signal]);
      await pause(jittered(this.#restMs()), rest);
      stopListening();
    }
  }

  async #runOnce(lease: Lease, signal: AbortSignal): Promise<void> {
    const { fence } = lease;
    try {
      await this.#job.run({
        platform: this.#platform,
        fence,
        signal,
        assertHeld: () => lease.assertHeld(),
      });
      this.#failures = 0;
    } catch (error) {
      // A run that was cut short has not failed: somebody repeats it.
      if (signal.aborted) return;
      this.#failures += 1;
      this.#tell(error, 'job failed');
    }
  }

  #listen(onWake: () => void): () => void {
    const { name, wokenBy } = this.#job;
    const names = wokenBy === undefined ? [name] : [name, wokenBy];
    const stops = names.map((one) => this.#platform.wakeUps.listen(one, onWake));
    return () => {
      for (const stop of stops) stop();
    };
  }

  #restMs(): number {
    if (this.#failures === 0) return this.#job.everyMs;
    return Math.min(this.#times.retryMs * 2 ** (this.#failures - 1), mostRetryMs);
  }

  #tell(error: unknown, message: string): void {
    this.#platform.log.error({ err: error, job: this.#job.name, failures: this.#failures }, message);
  }
}

/** Processes that were started together must not ask together for ever. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.9 + Math.random() * 0.2);
}

/** Waits; ends early, without an error, when the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((rested) => {
    if (signal.aborted) return rested();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      rested();
    };
    const timer = setTimeout(done, milliseconds).unref();
    signal.addEventListener('abort', done);
  });
}
