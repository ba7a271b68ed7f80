import mongoose from 'mongoose';

/** That a process is alive, in the global collection `leases`; by the clock of the database server. */
interface MarkRecord {
  _id: string;
  until: Date;
}

const usualLengthMs = 15_000;
/** Part of its length after which a mark is renewed: two renewals may fail before it lapses. */
const renewAt = 0.3;
/** Marks of processes that were killed this long ago are swept away by those that begin. */
const sweptAfterMs = 3_600_000;

/** A sign of life of this process, which it gives for as long as somebody needs it. */
export class ProcessMark {
  readonly name: string;
  /** How long it is good without a renewal. */
  readonly lengthMs: number;
  readonly #onError: (error: unknown) => void;
  #users = 0;
  #hasSwept = false;
  #beginning: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param name unlike that of any other process, with what it is for in front: `streams:…` */
  constructor(
    name: string,
    { onError, lengthMs = usualLengthMs }: { onError: (error: unknown) => void; lengthMs?: number },
  ) {
    this.name = name;
    this.lengthMs = lengthMs;
    this.#onError = onError;
  }

  /** It is there when this has come back, and stays until the function that it answers was called. */
  async enter(): Promise<() => void> {
    this.#users += 1;
    try {
      await (this.#beginning ??= this.#begin());
    } catch (error) {
      this.#leave();
      throw error;
    }
    return () => this.#leave();
  }

  /** Those of other processes that have given no sign of life for too long. */
  async lapsedAmong(names: readonly string[]): Promise<string[]> {
    const others = names.filter((name) => name !== this.name);
    if (others.length === 0) return [];
    const alive = await marks()
      .find({ _id: { $in: others }, $expr: { $gt: ['$until', '$$NOW'] } }, { projection: { _id: 1 } })
      .toArray();
    const known = new Set(alive.map(({ _id }) => _id));
    return others.filter((name) => !known.has(name));
  }

  /** Nobody needs it any more. */
  async close(): Promise<void> {
    this.#rest();
    await marks().deleteOne({ _id: this.name }).catch(this.#onError);
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#beginning = undefined;
  }

  async #begin(): Promise<void> {
    this.#timer = setInterval(() => void this.#renew().catch(this.#onError), this.lengthMs * renewAt).unref();
    await this.#renew();
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const [prefix] = this.name.split(':');
    await marks().deleteMany({
      _id: { $gte: `${prefix}:`, $lt: `${prefix};` },
      until: { $lt: new Date(Date.now() - sweptAfterMs) },
    });
  }

  async #renew(): Promise<void> {
    await marks().updateOne({ _id: this.name }, [{ $set: { until: { $add: ['$$NOW', this.lengthMs] } } }], {
      upsert: true,
    });
  }
}

function marks(): mongoose.mongo.Collection<MarkRecord> {
  return mongoose.connection.collection<MarkRecord>('leases');
}
