import type { FeedPlace } from './feedCursor.ts';
import type { FeedEvent } from './readFeed.ts';

/** Delivery: an event, or only the position up to which all events were delivered. */
export interface EventDeliveryParent {
  place: FeedPlace;
  event: FeedEvent | null;
}

/** Source of a stream's deliveries. */
export interface FeedSource {
  /** Position up to which this process has served its streams. */
  readonly position: number;
  /** A page of events for the listener's parties. */
  read(stretch: { after: number; upTo: number; limit: number }): Promise<FeedEvent[]>;
  /** Delivers events after `position` from now on. */
  attach(): void;
  /** Pauses the listener. */
  detach(): void;
  /** It has ended, for whatever reason. */
  leave(): void;
}

/** Events that wait for a slow client; with one more they are dropped, and read again at the client's pace. */
const mostWaiting = 256;
const pageSize = 100;

/**
 * The continuing feed of a user: first missed events, read page by page at the client's pace, then new ones. Between
 * the two nothing is lost and nothing is duplicated: the stream attaches at the moment when it has caught up with the
 * process. A burst that the client does not read at once is read page by page as well, so memory is bounded; a
 * stalled client is disconnected by the writer.
 */
export class FeedStream implements AsyncIterableIterator<EventDeliveryParent, undefined> {
  readonly #source: FeedSource;
  readonly #now: () => number;
  #waiting: EventDeliveryParent[] = [];
  /** Position after the buffered and the consumed events. */
  #position: number;
  #taken: number;
  #isLive = false;
  #hasEnded = false;
  /** Resolves a call of `next` that waits for a delivery. */
  #onSignal: (() => void) | undefined;

  constructor(source: FeedSource, start: FeedPlace, now: () => number) {
    this.#source = source;
    this.#now = now;
    this.#position = start.position;
    this.#taken = start.position;
    this.#waiting.push({ place: start, event: null });
  }

  async next(): Promise<IteratorResult<EventDeliveryParent, undefined>> {
    for (;;) {
      const delivery = this.#waiting.shift();
      if (delivery) {
        this.#taken = delivery.place.position;
        return { done: false, value: delivery };
      }
      if (this.#hasEnded) return { done: true, value: undefined };
      if (this.#isLive) await new Promise<void>((signaled) => (this.#onSignal = signaled));
      else await this.#catchUp();
    }
  }

  /** An event for one of the listener's parties. */
  push(event: FeedEvent): void {
    if (!this.#isLive || event.position <= this.#position) return;
    this.#position = event.position;
    this.#deliver({ place: { position: event.position, atMs: event.storedAt.getTime() }, event });
  }

  /** Says how far everything has been heard, where nothing waits: a place of long ago would expire. */
  mark(position: number): void {
    if (!this.#isLive || this.#waiting.length > 0 || position <= this.#position) return;
    this.#position = position;
    this.#deliver({ place: { position, atMs: this.#now() }, event: null });
  }

  /** Queued events are dropped: a client that reconnects gets them again. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#isLive = false;
    this.#waiting = [];
    this.#source.detach();
    this.#source.leave();
    this.#signal();
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #deliver(delivery: EventDeliveryParent): void {
    this.#waiting.push(delivery);
    if (this.#waiting.length > mostWaiting) this.#fallBack();
    this.#signal();
  }

  #fallBack(): void {
    this.#waiting = [];
    this.#position = this.#taken;
    this.#isLive = false;
    this.#source.detach();
  }

  #signal(): void {
    this.#onSignal?.();
    this.#onSignal = undefined;
  }

  async #catchUp(): Promise<void> {
    const upTo = this.#source.position;
    if (this.#position >= upTo) {
      this.#isLive = true;
      return this.#source.attach();
    }
    const page = await this.#source.read({ after: this.#position, upTo, limit: pageSize });
    if (this.#hasEnded) return;
    for (const event of page)
      this.#waiting.push({ place: { position: event.position, atMs: event.storedAt.getTime() }, event });
    this.#position = page.length < pageSize ? upTo : (page.at(-1)?.position ?? upTo);
  }
}
