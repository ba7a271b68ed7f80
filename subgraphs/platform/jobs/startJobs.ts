import type { Platform } from '../context/Platform.ts';
import { type Bell, openBell } from './Bell.ts';
import type { Job, JobRun } from './Job.ts';
import { jittered, type Lease, type Leases, openLeases } from './leases.ts';

/** The jobs of this process. */
export interface RunningJobs {
  /** Cuts the runs short, waits for them a while, and gives the leases back. */
  close(): Promise<void>;
}

/** Times in milliseconds. */
export interface JobTimes {
  /** How long the lease of a process that vanished keeps others out; as each job says unless stated. */
  leaseMs?: number;
  /** Pause after the first of several failed runs; it doubles up to five minutes. */
  retryMs?: number;
  /** Over so long the first runs are spread: who has just started has those to answer who waited for it. Default 0. */
  spreadMs?: number;
  /** Longest wait for runs that are under way when everything ends. */
  closeMs?: number;
}

const mostRetryMs = 5 * 60_000;
const usualLeaseMs = 60_000;

/**
 * Works on jobs, each under a lease of its own: of all processes that do, one runs a job, and another one takes over
 * when it ends or vanishes. A run that fails is logged and repeated; it ends neither the job nor the process.
 */
export function startJobs(
  jobs: readonly Job[],
  platform: Platform,
  { leaseMs, retryMs = 1000, spreadMs = 0, closeMs = 2000 }: JobTimes = {},
): RunningJobs {
  const closing = new AbortController();
  const bell = openBell(platform);
  // Leases of one length are renewed together.
  const byLength = Map.groupBy(jobs, (job) => leaseMs ?? job.leaseMs ?? usualLeaseMs);
  const workers = new Map<string, Worker>();
  const opened = [...byLength].map(([lengthMs, ofLength]) => {
    const leases = openLeases(lengthMs);
    const surroundings = { platform, leases, bell, retryMs, closing: closing.signal };
    for (const job of ofLength) workers.set(job.name, new Worker(job, surroundings));
    return leases;
  });
  const working = new Map(
    [...workers].map(([name, worker], place) => {
      const begins = (place * spreadMs) / workers.size;
      return [name, worker.work(begins).finally(() => working.delete(name))] as const;
    }),
  );
  const stopHearing = platform.changes.listen('leases', {
    onChange({ id, members }) {
      if (members.includes('rings')) workers.get(id)?.ring();
    },
    onGap: () => undefined,
  });
  return {
    async close() {
      stopHearing();
      closing.abort(new Error('This process ends.'));
      const late = new AbortController();
      await Promise.race([Promise.all(working.values()), pause(closeMs, late.signal)]);
      late.abort();
      for (const leases of opened) leases.close();
      await bell.close();
      if (working.size > 0) platform.log.warn({ jobs: [...working.keys()] }, 'jobs did not end in time');
    },
  };
}

/** What the workers of a process share. */
interface Surroundings {
  readonly platform: Platform;
  readonly leases: Leases;
  readonly bell: Bell;
  readonly retryMs: number;
  readonly closing: AbortSignal;
}

/** The loop of one job in this process. */
class Worker {
  readonly #job: Job;
  readonly #surroundings: Surroundings;
  readonly #platform: Platform;
  readonly #closing: AbortSignal;
  #failures = 0;
  #onRing: (() => void) | undefined;

  constructor(job: Job, surroundings: Surroundings) {
    this.#job = job;
    this.#surroundings = surroundings;
    this.#platform = surroundings.platform;
    this.#closing = surroundings.closing;
  }

  /** Somebody in another process has work for it. */
  ring(): void {
    this.#onRing?.();
  }

  /** @param afterMs pause before it begins */
  async work(afterMs: number): Promise<void> {
    const { leases, bell } = this.#surroundings;
    if (afterMs > 0) await pause(afterMs, this.#closing);
    while (!this.#closing.aborted) {
      // From before the lease is asked for: who takes it looks at everything anyway.
      const stopRinging = bell.ringFor(this.#job);
      const lease = await this.#take();
      if (!lease) await leases.untilFree(this.#job.name, this.#closing);
      stopRinging();
      if (!lease) continue;
      await this.#runWhileHeld(lease);
      // Without a database there is nobody to wait for; the lease runs out by itself.
      await lease.release().catch((error: unknown) => {
        this.#platform.log.info({ err: error, job: this.#job.name }, 'lease not released');
      });
    }
  }

  async #take(): Promise<Lease | null> {
    try {
      return await this.#surroundings.leases.take(this.#job.name);
    } catch (error) {
      this.#tell(error, 'lease not taken');
      return null;
    }
  }

  async #runWhileHeld(lease: Lease): Promise<void> {
    const signal = AbortSignal.any([this.#closing, lease.signal]);
    let wokenBy: ReadonlySet<string> | undefined;
    while (!signal.aborted) {
      const alarm = new AbortController();
      const names = new Set<string>();
      // Listening begins before the run: work that comes while it runs may be work that it has passed already.
      const stopListening = this.#listen((name) => {
        names.add(name);
        // A thousand events wake as often, and each call would make an error, the first one alone has an effect.
        if (!alarm.signal.aborted) alarm.abort();
      });
      await this.#runOnce(lease, { signal, wokenBy });
      // Whoever fails rests, whatever there is to do: its work is what keeps failing.
      const rest = this.#failures > 0 ? signal : AbortSignal.any([signal, alarm.signal]);
      await pause(jittered(this.#restMs()), rest);
      stopListening();
      wokenBy = this.#failures > 0 || names.size === 0 ? undefined : names;
    }
  }

  async #runOnce(lease: Lease, { signal, wokenBy }: Pick<JobRun, 'signal' | 'wokenBy'>): Promise<void> {
    const { fence } = lease;
    try {
      await this.#job.run({
        platform: this.#platform,
        fence,
        signal,
        wokenBy,
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

  #listen(onWake: (name: string) => void): () => void {
    const { name, wokenBy = [] } = this.#job;
    const stops = [name, ...wokenBy].map((one) => this.#platform.wakeUps.listen(one, () => onWake(one)));
    this.#onRing = () => onWake(name);
    return () => {
      for (const stop of stops) stop();
      this.#onRing = undefined;
    };
  }

  #restMs(): number {
    if (this.#failures === 0) return this.#job.everyMs;
    return Math.min(this.#surroundings.retryMs * 2 ** (this.#failures - 1), mostRetryMs);
  }

  #tell(error: unknown, message: string): void {
    this.#platform.log.error({ err: error, job: this.#job.name, failures: this.#failures }, message);
  }
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
