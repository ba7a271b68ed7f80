import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { isDuplicateKey } from '../installation/scoped.ts';

/** A named right of one process in the global collection `leases`. */
interface LeaseRecord {
  _id: string;
  /** Grows with every holder, never with a renewal. */
  fence: number;
  holder: string | null;
  /** By the clock of the database server: clocks of processes differ. */
  until: Date;
  /** How often others have told the holder that there is work. */
  rings?: number;
}

/** A lease that this process holds until it is lost or released. */
export interface Lease {
  /** Grows with every holder of the name. */
  readonly fence: number;
  /** Aborted once the lease is lost: somebody else may hold it from that moment. */
  readonly signal: AbortSignal;
  /**
   * Renews the lease, against the database, unless that was done a moment ago: it is good for much longer.
   *
   * @throws Error when it is lost
   */
  assertHeld(): Promise<void>;
  /** Gives it back, so that the next holder need not wait; what is lost already is left alone. */
  release(): Promise<void>;
}

/** The leases of one runner of jobs. */
export interface Leases {
  /** Takes a lease that nobody holds, or whose holder has not renewed it in time. Null while somebody else holds it. */
  take(name: string): Promise<Lease | null>;
  /** Resolves when the lease may be free; somebody else may be faster. */
  untilFree(name: string, signal: AbortSignal): Promise<void>;
  /** Renews nothing and looks for nothing any more. */
  close(): void;
}

/** Part of its length after which a lease is renewed: two renewals may fail before it is lost. */
const renewAt = 0.3;
/** Part of its length for which a renewal is as good as another one. */
const freshFor = 1 / 30;

/**
 * Takes leases and renews them, all of them with one command: a process at rest has dozens.
 *
 * @param lengthMs how long a lease is good without a renewal
 */
export function openLeases(lengthMs: number): Leases {
  const holder = randomUUID();
  const held = new Map<string, HeldLease>();
  const wanted = new Map<string, () => void>();
  const known = new Set<string>();
  const upkeep = setInterval(
    () => {
      void renewAll(holder, held, lengthMs);
      void findFree(wanted);
    },
    jittered(lengthMs * renewAt),
  ).unref();
  return {
    async take(name) {
      const sentAt = performance.now();
      if (!known.has(name)) await makeSure(name);
      known.add(name);
      const record = await leases().findOneAndUpdate(
        { _id: name, $expr: { $lt: ['$until', '$$NOW'] } },
        [{ $set: { fence: { $add: ['$fence', 1] }, holder, until: inMs(lengthMs) } }],
        { returnDocument: 'after' },
      );
      if (!record) return null;
      const lease: HeldLease = new HeldLease({ name, holder, fence: record.fence, lengthMs }, sentAt, () => {
        if (held.get(name) === lease) held.delete(name);
      });
      held.set(name, lease);
      return lease;
    },
    untilFree(name, signal) {
      return new Promise((done) => {
        const end = (): void => {
          wanted.delete(name);
          signal.removeEventListener('abort', end);
          done();
        };
        wanted.set(name, end);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      });
    },
    close: () => clearInterval(upkeep),
  };
}

/**
 * Tells the holders of leases that there is work; see `startJobs`. A lease that nobody holds is left alone: who takes it
 * looks at everything.
 */
export async function ringHolders(names: readonly string[]): Promise<void> {
  await leases().updateMany(
    { _id: { $in: [...names] }, holder: { $type: 'string' } },
    { $inc: { rings: 1 } },
  );
}

/** One command for all leases; a database that does not answer costs a lease only when its time has passed. */
async function renewAll(
  holder: string,
  held: ReadonlyMap<string, HeldLease>,
  lengthMs: number,
): Promise<void> {
  if (held.size === 0) return;
  const all = [...held.values()];
  const own = { _id: { $in: all.map(({ name }) => name) }, holder };
  const sentAt = performance.now();
  try {
    const { matchedCount } = await leases().updateMany(own, [{ $set: { until: inMs(lengthMs) } }]);
    const left =
      matchedCount === all.length
        ? all.map(({ name }) => name)
        : (
            await leases()
              .find(own, { projection: { _id: 1 } })
              .toArray()
          ).map(({ _id }) => _id);
    for (const lease of all) lease.learn(left.includes(lease.name), sentAt);
  } catch {
    for (const lease of all) lease.doubt();
  }
}

/** Wakes whoever waits for a lease that has run out or was given back. */
async function findFree(wanted: ReadonlyMap<string, () => void>): Promise<void> {
  if (wanted.size === 0) return;
  const free = await leases()
    .find(
      { _id: { $in: [...wanted.keys()] }, $expr: { $lt: ['$until', '$$NOW'] } },
      { projection: { _id: 1 } },
    )
    .toArray()
    .catch(() => []);
  for (const { _id } of free) wanted.get(_id)?.();
}

/** The record that the holders of a name succeed each other in; processes that start at once may all make it. */
async function makeSure(name: string): Promise<void> {
  try {
    await leases().updateOne(
      { _id: name },
      { $setOnInsert: { fence: 0, holder: null, until: new Date(0) } },
      { upsert: true },
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

interface Holding {
  readonly name: string;
  readonly holder: string;
  readonly fence: number;
  readonly lengthMs: number;
}

class HeldLease implements Lease {
  readonly name: string;
  readonly fence: number;
  readonly signal: AbortSignal;
  readonly #holding: Holding;
  readonly #lost = new AbortController();
  readonly #onEnd: () => void;
  /** When the last renewal that succeeded was sent, on a clock that never jumps. */
  #renewedAt: number;

  constructor(holding: Holding, takenAt: number, onEnd: () => void) {
    this.#holding = holding;
    this.#renewedAt = takenAt;
    this.#onEnd = onEnd;
    this.name = holding.name;
    this.fence = holding.fence;
    this.signal = this.#lost.signal;
  }

  async assertHeld(): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#ageMs < this.#holding.lengthMs * freshFor) return;
    const { holder, fence, lengthMs } = this.#holding;
    const sentAt = performance.now();
    const { matchedCount } = await leases().updateOne({ _id: this.name, holder, fence }, [
      { $set: { until: inMs(lengthMs) } },
    ]);
    this.learn(matchedCount > 0, sentAt);
    this.signal.throwIfAborted();
  }

  async release(): Promise<void> {
    this.#onEnd();
    const { holder, fence } = this.#holding;
    await leases().updateOne(
      { _id: this.name, holder, fence },
      { $set: { holder: null, until: new Date(0) } },
    );
  }

  /** What the database said to a renewal. */
  learn(isHeld: boolean, sentAt: number): void {
    if (isHeld) this.#renewedAt = Math.max(this.#renewedAt, sentAt);
    else this.#lose();
  }

  /** It said nothing. */
  doubt(): void {
    if (this.#ageMs >= this.#holding.lengthMs) this.#lose();
  }

  get #ageMs(): number {
    return performance.now() - this.#renewedAt;
  }

  #lose(): void {
    if (this.signal.aborted) return;
    this.#onEnd();
    this.#lost.abort(new Error(`The lease "${this.name}" is held by another process by now.`));
  }
}

/** Processes that were started together must not ask together for ever. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.9 + Math.random() * 0.2);
}

function inMs(lengthMs: number): object {
  return { $add: ['$$NOW', lengthMs] };
}

function leases(): mongoose.mongo.Collection<LeaseRecord> {
  return mongoose.connection.collection<LeaseRecord>('leases');
}
