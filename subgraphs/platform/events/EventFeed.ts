import type { Platform } from '../context/Platform.ts';
import { EventModel, type EventRecord } from './model.ts';

/** Number of events in a page. */
export const pageSize = 200;
/** Number of pages cached for consumers that read slightly later, and their maximum age. */
const keptPages = 2;
const keptMs = 2000;
/** Events of this process that are known to be stored; forgotten together. */
const mostStored = 1000;

const feeds = new WeakMap<Platform, EventFeed>();

/** Returns the feed of this process. */
export function feedOf(platform: Platform): EventFeed {
  const feed = feeds.get(platform) ?? new EventFeed();
  feeds.set(platform, feed);
  return feed;
}

/**
 * Shared reads of the consumers in a process. The same signal starts them and they need the same events, so these are
 * read once.
 */
class EventFeed {
  #nextHead: Promise<number> | undefined;
  readonly #pages = new Map<string, Promise<EventRecord[]>>();
  #timer: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<(stored: readonly EventRecord[]) => void>();
  readonly #storedIds = new Set<string>();
  /** Ends when no relay of this process is storing events. */
  #storing: Promise<unknown> = Promise.resolve();

  /** Returns the position of the latest event. Without new events, this read is the only cost of the consumers. */
  head(): Promise<number> {
    // A caller that asks before the read starts may share it. A read in progress may have missed the change that the
    // signal reports.
    this.#nextHead ??= new Promise<void>((begin) => setImmediate(begin)).then(() => {
      this.#nextHead = undefined;
      return findHead();
    });
    return this.#nextHead;
  }

  /** Publishes the events that a relay of this process stores, before consumers are signaled. */
  async publish(storing: Promise<readonly EventRecord[]>): Promise<void> {
    const published = storing.then((stored) => this.#pass(stored));
    this.#storing = Promise.allSettled([this.#storing, published]);
    await published;
  }

  /** Returns whether `publish` has recently passed on this event, so that this process has already received it. */
  hasStored(id: string): boolean {
    return this.#storedIds.has(id);
  }

  /**
   * Returns whether another process has stored an event. A change stream may report an event before its insertion by
   * this process has returned, so this waits for insertions that have begun.
   */
  async isFromElsewhere(id: string): Promise<boolean> {
    await this.#storing;
    return !this.#storedIds.has(id);
  }

  /**
   * Calls the listener with events that this process stores, until the returned function is called. Events of other
   * processes are read from the database. The events of one call are consecutive.
   */
  listen(listener: (stored: readonly EventRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns events of every type after a position, up to another one. */
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

  #pass(stored: readonly EventRecord[]): void {
    if (stored.length === 0) return;
    if (this.#storedIds.size > mostStored) this.#storedIds.clear();
    for (const { _id } of stored) this.#storedIds.add(_id);
    for (const listener of this.#listeners) listener(stored);
  }
}

/** Returns the first page of events that match a filter, in ascending order. */
export function readEvents(filter: object): Promise<EventRecord[]> {
  return EventModel.find(filter).sort({ position: 1 }).limit(pageSize).lean<EventRecord[]>().exec();
}

/** Returns the position of the latest event, optionally of the latest event stored by a time; 0 if there is none. */
export async function findHead(storedBy?: Date): Promise<number> {
  const latest = await EventModel.findOne(storedBy ? { storedAt: { $lte: storedBy } } : {}, { position: 1 })
    .sort(storedBy ? { storedAt: -1, position: -1 } : { position: -1 })
    .lean<{ position: number }>()
    .exec();
  return latest?.position ?? 0;
}
