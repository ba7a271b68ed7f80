import { randomUUID } from 'node:crypto';
import type { Platform } from '../../platform/context/Platform.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { wakeJob } from '../../platform/jobs/wakeJob.ts';
import { dayOf } from './dayOf.ts';
import { countViewsName } from './jobName.ts';
import { ViewBatchModel, type ViewCount } from './model.ts';

type Surroundings = Pick<Platform, 'now' | 'log' | 'wakeUps'>;

interface Batch {
  _id: string;
  installationId: string;
  counts: ViewCount[];
}

const delayMs = 1000;
/** Listings of one batch: it is counted in one transaction. */
const mostCounts = 500;
/** Listings and days that wait at most, should the database be away for long; a view of one that waits adds to it. */
const mostWaiting = 50_000;

/**
 * Views that this process has seen and not yet stored: a view costs no write, a second of them costs one. A batch
 * keeps its id until it is stored, so that one whose answer was lost is not counted twice. A process that is killed
 * loses its last second, one that is stopped loses nothing.
 */
export class ViewBuffer {
  readonly #surroundings: Surroundings;
  #counts = new Map<string, ViewCount & { installationId: string }>();
  #unstored: Batch[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Takes a view at once, whatever the database does. */
  add(installationId: string, listingId: string): void {
    const date = dayOf(this.#surroundings.now());
    const key = `${listingId} ${date}`;
    const count = this.#counts.get(key);
    if (count) count.views += 1;
    else if (this.#counts.size < mostWaiting)
      this.#counts.set(key, { installationId, listingId, date, views: 1 });
    this.#schedule();
  }

  /** Stores what is waiting; what cannot be stored now waits for the next time. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#unstored.length > 0)
      this.#surroundings.log.error({ batches: this.#unstored.length }, 'views are lost');
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // While the database is away one batch waits, and everything else adds up.
    if (this.#unstored.length === 0) this.#unstored = this.#takeBatches();
    while (this.#unstored.length > 0) {
      const [{ installationId, ...batch }] = this.#unstored as [Batch];
      try {
        await scoped(ViewBatchModel, installationId).insertAbsent([batch]);
      } catch (error) {
        this.#surroundings.log.error({ err: error }, 'views wait for the database');
        this.#schedule();
        return;
      }
      this.#unstored.shift();
      wakeJob(this.#surroundings, countViewsName);
    }
    if (this.#counts.size > 0) this.#schedule();
  }

  #takeBatches(): Batch[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    const batches: Batch[] = [];
    for (const [installationId, all] of Map.groupBy(taken, (count) => count.installationId))
      for (let from = 0; from < all.length; from += mostCounts) {
        const counts = all.slice(from, from + mostCounts);
        batches.push({
          _id: randomUUID(),
          installationId,
          counts: counts.map(({ listingId, date, views }) => ({ listingId, date, views })),
        });
      }
    return batches;
  }
}

/** The buffer of this process. */
export function viewBufferOf(platform: Surroundings & Pick<Platform, 'buffers'>): ViewBuffer {
  const open = platform.buffers.get(bufferName);
  if (open instanceof ViewBuffer) return open;
  const buffer = new ViewBuffer(platform);
  platform.buffers.set(bufferName, buffer);
  return buffer;
}

const bufferName = 'identity.listing-views';
