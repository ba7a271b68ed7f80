import type { PipelineStage } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayOf } from './dayOf.ts';
import { ListingViewsModel } from './model.ts';

const bufferName = 'identity.listing-views';
const flushAfterMs = 1000;
/**
 * Maximum number of buffered counters while the database is unavailable. Further views of a buffered listing and day
 * still count.
 */
const maxWaiting = 50_000;
/** Days that are shown, and one more, since a day ends while it is read. */
const keptDays = 31;

interface ViewCount {
  readonly installationId: string;
  readonly listingId: string;
  readonly date: string;
  views: number;
}

/**
 * Views that this process has counted but not stored: a view costs no write, and a second of views costs one write for
 * each installation. A process that is killed loses its last second. If the response to a write is lost, its second
 * counts twice.
 */
export class ViewBuffer {
  readonly #platform: Pick<Platform, 'now' | 'log'>;
  #counts = new Map<string, ViewCount>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(platform: Pick<Platform, 'now' | 'log'>) {
    this.#platform = platform;
  }

  /** Counts a view, regardless of the state of the database. */
  add(installationId: string, listingId: string): void {
    this.#add({ installationId, listingId, date: dayOf(this.#platform.now()), views: 1 });
  }

  /** Stores the buffered counts; counts that cannot be stored wait for the next run. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#writing = this.#writing.then(async () => {
      for (const [installationId, some] of Map.groupBy(counts, (count) => count.installationId))
        await this.#store(installationId, some);
    });
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#counts.size > 0) this.#platform.log.error({ counts: this.#counts.size }, 'views are lost');
  }

  #add(count: ViewCount): void {
    const key = `${count.listingId}:${count.date}`;
    const waiting = this.#counts.get(key);
    if (waiting) waiting.views += count.views;
    else if (this.#counts.size < maxWaiting) this.#counts.set(key, count);
    this.#timer ??= setTimeout(() => void this.flush(), flushAfterMs).unref();
  }

  async #store(installationId: string, counts: readonly ViewCount[]): Promise<void> {
    const records = scoped(ListingViewsModel, installationId);
    const writes = counts.map((count) => ({ _id: count.listingId, update: increase(count) }));
    try {
      const lost = await records.upsertEach(writes);
      // Of concurrent writes that create a record, the failed one finds the record on its second attempt.
      if (lost.size > 0) await records.upsertEach(writes.filter((_, index) => lost.has(index)));
    } catch (error) {
      this.#platform.log.error({ err: error }, 'views wait for the database');
      for (const count of counts) this.#add(count);
    }
  }
}

/** Adds to the total and to the day, and drops the oldest day beyond the stored number. */
function increase({ date, views }: ViewCount): PipelineStage.Set[] {
  const days = { $ifNull: ['$days', []] };
  const sameDay = { $filter: { input: days, cond: { $eq: ['$$this.date', date] } } };
  const otherDays = { $filter: { input: days, cond: { $ne: ['$$this.date', date] } } };
  const before = { $sum: { $map: { input: sameDay, in: '$$this.views' } } };
  const all = { $concatArrays: [otherDays, [{ date, views: { $add: [before, views] } }]] };
  return [
    { $set: { views: { $add: [{ $ifNull: ['$views', 0] }, views] }, days: { $slice: [all, -keptDays] } } },
  ];
}

/** Returns the buffer of this process. */
export function viewBufferOf(platform: Pick<Platform, 'now' | 'log' | 'buffers'>): ViewBuffer {
  const open = platform.buffers.get(bufferName);
  if (open instanceof ViewBuffer) return open;
  const buffer = new ViewBuffer(platform);
  platform.buffers.set(bufferName, buffer);
  return buffer;
}
