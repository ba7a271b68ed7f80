import type { Platform } from '../../../platform/context/Platform.ts';
import { feedOf } from '../../../platform/events/EventFeed.ts';
import { EventModel, type EventRecord } from '../../../platform/events/model.ts';
import { Audience, type Listener } from './Audience.ts';
import { type FeedEvent, feedProjection, toFeedEvent } from './readFeed.ts';
import { recheckAudience } from './recheckAudience.ts';

/** Number of events that one read returns, for all listeners together. */
const pageSize = 500;
/** Interval of reads while this process receives no changes from the database. */
const lookMs = 1000;
/** Interval at which listeners without events receive their current position. */
const markMs = 5 * 60_000;

const hubs = new WeakMap<Platform, EventHub>();

/** Returns the hub of this process. */
export function hubOf(platform: Platform): EventHub {
  const known = hubs.get(platform);
  if (known) return known;
  const hub = new EventHub(platform);
  hubs.set(platform, hub);
  platform.buffers.set('events', hub);
  return hub;
}

/**
 * Delivers stored events to the listeners of this process. Events that a relay of this process stores are handed over
 * directly. Other events are read once for all listeners when the change stream reports them. The hub does not read
 * while it has no listeners.
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

  /** Keeps `position` up to date until the listener detaches. Called before a listener attaches. */
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

  /** Stops reading after the last listener has detached. The next listener reads later events itself. */
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
      changes.listen('events', {
        async onChange({ id }) {
          if (await feed.isFromElsewhere(id)) look();
        },
        onGap: look,
      }),
      recheckAudience(this.#audience, changes),
    );
    // Events that were stored before the listener attached.
    look();
  }

  /** Delivers stored events directly if no earlier event is missing and no read is in progress. */
  #take(stored: readonly EventRecord[]): void {
    if (this.#reading || stored[0]?.position !== this.#position + 1) return void this.#look();
    for (const record of stored) {
      this.#position = record.position;
      if (record.feed) this.#audience.publish(toFeedEvent(record));
    }
  }

  /** Reads new events, one read at a time. A call during a read causes one more read. */
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
      // Publishing the page is synchronous, so a listener that attaches gets all of its events or none.
      for (const event of page) this.#audience.publish(event);
      this.#position = page.at(-1)?.position ?? this.#position;
      if (page.length === pageSize) this.#isBehind = true;
    }
  }
}
