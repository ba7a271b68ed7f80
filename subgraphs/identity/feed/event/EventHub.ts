import type { Platform } from '../../../platform/context/Platform.ts';
import { feedOf } from '../../../platform/events/EventFeed.ts';
import { EventModel, type EventRecord } from '../../../platform/events/model.ts';
import { Audience, type Listener } from './Audience.ts';
import { type FeedEvent, feedProjection, toFeedEvent } from './readFeed.ts';
import { recheckAudience } from './recheckAudience.ts';

/** Events that are read at a time, for all listeners together. */
const pageSize = 500;
/** While this process gets no changes from the database, it reads this often. */
const lookMs = 1000;
/** How often listeners without events learn their current position. */
const markMs = 5 * 60_000;

const hubs = new WeakMap<Platform, EventHub>();

/** The hub of this process. */
export function hubOf(platform: Platform): EventHub {
  const known = hubs.get(platform);
  if (known) return known;
  const hub = new EventHub(platform);
  hubs.set(platform, hub);
  platform.buffers.set('events', hub);
  return hub;
}

/**
 * Delivers what is stored in `events` to the listeners of this process: events that a relay of this process stores
 * are handed over as they are; others are read once, for all listeners, when the change stream reports them. It rests
 * without listeners.
 */
export class EventHub {
  readonly #platform: Platform;
  readonly #audience = new Audience();
  #guests = 0;
  #position = 0;
  #starting: Promise<void> | undefined;
  #stops: (() => void)[] = [];
  #reading: Promise<void> | undefined;
  #isBehind = false;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Position up to which the listeners have been served. */
  get position(): number {
    return this.#position;
  }

  /** Called before a listener attaches: from then on `position` is kept up to date, until it detaches. */
  async enter(): Promise<void> {
    this.#guests += 1;
    try {
      await (this.#starting ??= this.#begin());
    } catch (error) {
      this.#rest();
      this.leave();
      throw error;
    }
  }

  /** Rests after the last listener has detached; later events are read by the next listener. */
  leave(): void {
    this.#guests -= 1;
    if (this.#guests === 0) this.#rest();
  }

  add(listener: Listener): void {
    this.#audience.add(listener);
  }

  remove(listener: Listener): void {
    this.#audience.remove(listener);
  }

  async close(): Promise<void> {
    this.#rest();
    await this.#reading;
  }

  #rest(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#starting = undefined;
  }

  async #begin(): Promise<void> {
    const { changes } = this.#platform;
    const look = (): void => void this.#look();
    const feed = feedOf(this.#platform);
    this.#position = await feed.head();
    const looking = setInterval(() => changes.areWatched || look(), lookMs).unref();
    const marking = setInterval(() => this.#audience.mark(this.#position), markMs).unref();
    this.#stops.push(
      () => clearInterval(looking),
      () => clearInterval(marking),
      feed.listen((stored) => this.#take(stored)),
      changes.listen('events', { onChange: ({ id }) => feed.hasStored(id) || look(), onGap: look }),
      recheckAudience(this.#audience, changes),
    );
    // Events that were stored before the listener attached.
    look();
  }

  /** No read is needed if nothing is missing before it, and no read is in progress. */
  #take(stored: readonly EventRecord[]): void {
    if (this.#reading || stored[0]?.position !== this.#position + 1) return void this.#look();
    for (const record of stored) {
      this.#position = record.position;
      if (record.feed) this.#audience.publish(toFeedEvent(record));
    }
  }

  /** One reading at a time; a call meanwhile makes it read once more. */
  #look(): Promise<void> {
    this.#isBehind = true;
    this.#reading ??= this.#read()
      .catch((error: unknown) => {
        this.#platform.log.warn({ err: error }, 'events are read again later');
        setTimeout(() => void this.#look(), lookMs).unref();
      })
      .finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isBehind && this.#stops.length > 0) {
      this.#isBehind = false;
      const page = await EventModel.find({ position: { $gt: this.#position } }, feedProjection)
        .sort({ position: 1 })
        .limit(pageSize)
        .lean<FeedEvent[]>()
        .exec();
      // Without a pause in between: an attaching listener gets both, or neither.
      for (const event of page) this.#audience.publish(event);
      this.#position = page.at(-1)?.position ?? this.#position;
      if (page.length === pageSize) this.#isBehind = true;
    }
  }
}
