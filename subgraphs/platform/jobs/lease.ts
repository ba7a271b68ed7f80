import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { isDuplicateKey } from '../installation/scoped.ts';

/** Right of one process to run the jobs of a subgraph: a record of the global collection `leases`. */
interface LeaseRecord {
  /** Name of the subgraph. */
  _id: string;
  /** Grows with every holder, never with a renewal. */
  fence: number;
  holder: string | null;
  /** End of the lease by the clock of the database server, because clocks of processes differ. */
  until: Date;
  /** Number of signals from other processes, by the job's name without the subgraph. */
  signals: Record<string, number>;
}

/** A lease that this process holds until it is lost. */
export interface Lease {
  /** Grows with every holder of the name. */
  readonly fence: number;
  /** Aborted once the lease is lost; another process may then hold it. */
  readonly signal: AbortSignal;
  /**
   * Renews the lease in the database; a recent renewal is not repeated, because the lease is valid for much longer.
   *
   * @throws Error if it is lost
   */
  assertHeld(): Promise<void>;
}

/** Acquires a lease whenever it is free, and renews it. */
export interface LeaseKeeper {
  readonly isHeld: boolean;
  /** Resolves with the lease when this process holds it, and with null when the process ends. */
  held(): Promise<Lease | null>;
  /** Releases the lease, so that the next holder need not wait for its expiry. */
  release(): Promise<void>;
}

interface Keeping {
  /** Time for which the lease is valid without a renewal. */
  readonly lengthMs: number;
  /** If aborted, the lease is neither acquired nor renewed. */
  readonly closing: AbortSignal;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Fraction of the lease after which it is renewed or requested again, so that two renewals may fail before it is lost.
 */
const renewAt = 0.3;
/** Part of its length for which a renewal is as good as another one. */
const freshFor = 1 / 30;
/**
 * Above the fencing tokens of earlier versions, which had a lease for each job, so that their records stay writable.
 */
const firstFence = 1_000_000;

/** Acquires the lease of a subgraph whenever no other process holds it, until the process ends. */
export function keepLease(name: string, { lengthMs, closing, log }: Keeping): LeaseKeeper {
  let current: HeldLease | undefined;
  let next = Promise.withResolvers<Lease | null>();
  const isHeld = (): boolean => current !== undefined && !current.signal.aborted;
  const keep = async (): Promise<void> => {
    while (!closing.aborted) {
      const taken = await take(name, lengthMs).catch((error: unknown) => {
        log.error({ err: error, lease: name }, 'lease not taken');
        return null;
      });
      if (taken) {
        current = taken;
        const waiting = next;
        next = Promise.withResolvers();
        waiting.resolve(taken);
      }
      do {
        await pause(jittered(lengthMs * renewAt), closing);
        if (isHeld() && !closing.aborted) await current?.renew();
      } while (isHeld() && !closing.aborted);
    }
    next.resolve(null);
  };
  const kept = keep();
  return {
    get isHeld() {
      return isHeld();
    },
    held: () => (current && isHeld() && !closing.aborted ? Promise.resolve(current) : next.promise),
    async release() {
      await kept;
      await current?.release();
    },
  };
}

/** Acquires the lease; null while another process holds it. */
async function take(name: string, lengthMs: number): Promise<HeldLease | null> {
  const holder = randomUUID();
  await createRecord(name);
  const sentAt = performance.now();
  const record = await leases().findOneAndUpdate(
    { _id: name, $expr: { $lt: ['$until', '$$NOW'] } },
    [{ $set: { fence: { $add: ['$fence', 1] }, holder, until: inMs(lengthMs) } }],
    { returnDocument: 'after' },
  );
  return record && new HeldLease({ name, holder, fence: record.fence, lengthMs }, sentAt);
}

/** Creates the record of the lease; processes that start together may all try. */
async function createRecord(_id: string): Promise<void> {
  const free = { fence: firstFence, holder: null, until: new Date(0), signals: {} };
  try {
    await leases().updateOne({ _id }, { $setOnInsert: free }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/**
 * Sends signals to the process that holds the lease, which receives them by the change stream. A lease without a holder
 * is not changed, because the next holder runs every job.
 *
 * @param jobs names of jobs of the subgraph
 */
export async function signalHolder(subgraph: string, jobs: readonly string[]): Promise<void> {
  const counts = jobs.map((job) => [`signals.${job.slice(subgraph.length + 1)}`, 1]);
  await leases().updateOne(
    { _id: subgraph, holder: { $type: 'string' } },
    { $inc: Object.fromEntries(counts) },
  );
}

/**
 * Returns the jobs to which an update of a lease has sent signals.
 *
 * @param members members of the record that the update has set
 */
export function signaledJobs(subgraph: string, members: readonly string[]): string[] {
  return members.flatMap((member) =>
    member.startsWith('signals.') ? [`${subgraph}.${member.slice('signals.'.length)}`] : [],
  );
}

class HeldLease implements Lease {
  readonly fence: number;
  readonly signal: AbortSignal;
  readonly #own: { readonly _id: string; readonly holder: string; readonly fence: number };
  readonly #lengthMs: number;
  readonly #lost = new AbortController();
  /** Time when the last successful renewal was sent, by a monotonic clock. */
  #renewedAt: number;
  #renewing: Promise<void> | undefined;

  constructor(
    { name, holder, fence, lengthMs }: { name: string; holder: string; fence: number; lengthMs: number },
    takenAt: number,
  ) {
    this.#own = { _id: name, holder, fence };
    this.#lengthMs = lengthMs;
    this.#renewedAt = takenAt;
    this.fence = fence;
    this.signal = this.#lost.signal;
  }

  async assertHeld(): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#ageMs < this.#lengthMs * freshFor) return;
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    await this.#renewing;
    this.signal.throwIfAborted();
  }

  /** Renews the lease. While the database is unavailable, the lease is lost only after its expiry. */
  async renew(): Promise<void> {
    try {
      await this.#renew();
    } catch {
      if (this.#ageMs >= this.#lengthMs) this.#lose();
    }
  }

  /** Releases the lease unless it is already lost. */
  async release(): Promise<void> {
    this.#lose();
    await leases().updateOne(this.#own, { $set: { holder: null, until: new Date(0) } });
  }

  async #renew(): Promise<void> {
    const sentAt = performance.now();
    const { matchedCount } = await leases().updateOne(this.#own, [{ $set: { until: inMs(this.#lengthMs) } }]);
    if (matchedCount === 0) this.#lose();
    else this.#renewedAt = Math.max(this.#renewedAt, sentAt);
  }

  get #ageMs(): number {
    return performance.now() - this.#renewedAt;
  }

  #lose(): void {
    if (!this.signal.aborted)
      this.#lost.abort(new Error(`The lease "${this.#own._id}" is now held by another process.`));
  }
}

/** Adds jitter, so that processes that started together do not stay synchronized. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.9 + Math.random() * 0.2);
}

/** Waits for a time. Resolves early, without an error, if the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

function inMs(lengthMs: number): object {
  return { $add: ['$$NOW', lengthMs] };
}

function leases(): mongoose.mongo.Collection<LeaseRecord> {
  return mongoose.connection.collection<LeaseRecord>('leases');
}
