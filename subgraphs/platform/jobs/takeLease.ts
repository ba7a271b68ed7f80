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
}

/** A lease that this process holds until it is lost or released. */
export interface Lease {
  /** Grows with every holder of the name. */
  readonly fence: number;
  /** Aborted once the lease is lost: somebody else may hold it from that moment. */
  readonly signal: AbortSignal;
  /**
   * Renews the lease, against the database.
   *
   * @throws Error when it is lost
   */
  assertHeld(): Promise<void>;
  /** Gives it back, so that the next holder need not wait; what is lost already is left alone. */
  release(): Promise<void>;
}

/** Part of its length after which a lease is renewed: two renewals may fail before it is lost. */
const renewAt = 1 / 3;

/**
 * Takes a lease that nobody holds, or whose holder has not renewed it in time, and renews it from then on. Null while
 * somebody else holds it.
 *
 * @param name as in `identity.mails`
 * @param lengthMs how long it is good without a renewal
 */
export async function takeLease(name: string, lengthMs: number): Promise<Lease | null> {
  const holder = randomUUID();
  const taken = performance.now();
  await makeSure(name);
  const record = await leases().findOneAndUpdate(
    { _id: name, $expr: { $lt: ['$until', '$$NOW'] } },
    [{ $set: { fence: { $add: ['$fence', 1] }, holder, until: inMs(lengthMs) } }],
    { returnDocument: 'after' },
  );
  return record ? new HeldLease({ name, holder, fence: record.fence, lengthMs }, taken) : null;
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
  readonly fence: number;
  readonly signal: AbortSignal;
  readonly #holding: Holding;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** When the last renewal that succeeded was sent, on a clock that never jumps. */
  #renewedAt: number;

  constructor(holding: Holding, takenAt: number) {
    this.#holding = holding;
    this.#renewedAt = takenAt;
    this.fence = holding.fence;
    this.signal = this.#lost.signal;
    this.#timer = setInterval(() => void this.#renewInTime(), holding.lengthMs * renewAt).unref();
  }

  async assertHeld(): Promise<void> {
    this.signal.throwIfAborted();
    await this.#renew();
    this.signal.throwIfAborted();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await leases().updateOne(this.#filter, { $set: { holder: null, until: new Date(0) } });
  }

  get #filter() {
    const { name, holder, fence } = this.#holding;
    return { _id: name, holder, fence };
  }

  /** A database that does not answer costs the lease only when its time has passed. */
  async #renewInTime(): Promise<void> {
    await this.#renew().catch(() => undefined);
    if (performance.now() - this.#renewedAt >= this.#holding.lengthMs) this.#lose();
  }

  async #renew(): Promise<void> {
    const sentAt = performance.now();
    const { matchedCount } = await leases().updateOne(this.#filter, [
      { $set: { until: inMs(this.#holding.lengthMs) } },
    ]);
    if (matchedCount === 0) this.#lose();
    else this.#renewedAt = sentAt;
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort(new Error(`The lease "${this.#holding.name}" is held by another process by now.`));
  }
}

function inMs(lengthMs: number): object {
  return { $add: ['$$NOW', lengthMs] };
}

function leases(): mongoose.mongo.Collection<LeaseRecord> {
  return mongoose.connection.collection<LeaseRecord>('leases');
}
