import type { Platform } from '../context/Platform.ts';
import { EventModel, type EventRecord } from './model.ts';

/** Events of a page. */
export const pageSize = 200;
/** Pages that are cached for consumers that read a moment later, and their maximum age. */
const keptPages = 2;
const keptMs = 2000;
/** Events of this process that are known to be stored; forgotten together. */
const mostStored = 1000;

const feeds = new WeakMap<Platform, EventFeed>();

/** The feed of this process. */
export function feedOf(platform: Platform): EventFeed {
  const feed = feeds.get(platform) ?? new EventFeed();
  feeds.set(platform, feed);
  return feed;
}

/** What the consumers of a process read: the same signal starts them, and they want the same, so it is read once for all. */
class EventFeed {
  #nextHead: Promise<number> | undefined;
  readonly #pages = new Map<string, Promise<EventRecord[]>>();
  #timer: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<(stored: readonly EventRecord[]) => void>();
  readonly #storedIds = new Set<string>();

  /** Position of the latest event; with nothing new this read is all that the consumers cost. */
  head(): Promise<number> {
    // A caller that asks before it begins may share it; a read in progress may have missed the change that the signal
    // was about.
    this.#nextHead ??= new Promise<void>((begin) => setImmediate(begin)).then(() => {
      this.#nextHead = undefined;
      return findHead();
    });
    return this.#nextHead;
  }

  /** Publishes the events that a relay of this process has stored, before consumers are signaled. */
  publishStored(stored: readonly EventRecord[]): void {
    if (stored.length === 0) return;
    if (this.#storedIds.size > mostStored) this.#storedIds.clear();
    for (const { _id } of stored) this.#storedIds.add(_id);
    for (const listener of this.#listeners) listener(stored);
  }

  /** Whether an event was handed over by `publishStored` a moment ago: this process has it already. */
  hasStored(id: string): boolean {
    return this.#storedIds.has(id);
  }

  /**
   * Listens, until the function that it answers is called, for what is stored by this process; what others store is read.
   * The events of one call follow each other without a gap.
   */
  listen(listener: (stored: readonly EventRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Events of every type behind a position, up to another one. */
  page(after: number, upTo: number): Promise<EventRecord[]> {
    const key = `${after}:${upTo}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const page = readEvents({ position: { $gt: after, $lte: upTo } });
    this.#pages.set(key, page);
    page.catch(() => this.#pages.delete(key));
    for (const oldest of this.#pages.keys()) if (this.#pages.size > keptPages) this.#pages.delete(oldest);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#pages.clear(), keptMs).unref();
    return page;
  }
}

/** The first page of events that a filter finds, in their order. */
export function readEvents(filter: object): Promise<EventRecord[]> {
  return EventModel.find(filter).sort({ position: 1 }).limit(pageSize).lean<EventRecord[]>().exec();
}

/** Position of the latest event, or of the latest event that was stored by a time; 0 if there is none. */
export async function findHead(storedBy?: Date): Promise<number> {
  const latest = await EventModel.findOne(storedBy ? { storedAt: { $lte: storedBy } } : {}, { position: 1 })
    .sort(storedBy ? { storedAt: -1, position: -1 } : { position: -1 })
    .lean<{ position: number }>()
    .exec();
  return latest?.position ?? 0;
}
