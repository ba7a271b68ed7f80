import type { FeedPlace } from './feedCursor.ts';
import type { FeedEvent } from './readFeed.ts';

/** A delivery to the client: an event, or only the position up to which all events were delivered. */
export interface EventDeliveryParent {
  place: FeedPlace;
  event: FeedEvent | null;
}

/** Source of a stream's deliveries. */
export interface FeedSource {
  /** Position up to which this process has served its streams. */
  readonly position: number;
  /** Returns a page of events for the listener's parties. */
  read(stretch: { after: number; upTo: number; limit: number }): Promise<FeedEvent[]>;
  /** Starts to deliver events after `position`. */
  attach(): void;
  /** Pauses the listener. */
  detach(): void;
  /** Releases the stream after it has ended for any reason. */
  leave(): void;
}

/**
 * Maximum number of events queued for a slow client. Beyond it, they are dropped and read again at the client's pace.
 */
const mostWaiting = 256;
const pageSize = 100;

/**
 * Continuing feed of a user. It first reads missed events page by page at the client's pace, then receives new ones. No
 * event is lost or duplicated in between: the stream attaches when it has caught up with the process. A burst that the
 * client does not read at once is also read page by page, so memory is bounded. The writer disconnects a stalled
 * client.
 */
export class FeedStream implements AsyncIterableIterator<EventDeliveryParent, undefined> {
  readonly #source: FeedSource;
  readonly #now: () => number;
  #waiting: EventDeliveryParent[] = [];
  /** Position after the last event that was buffered or consumed. */
  #position: number;
  #taken: number;
  #isLive = false;
  #hasEnded = false;
  /** Resolves a pending call of `next`. */
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

  /** Queues an event for one of the listener's parties. */
  push(event: FeedEvent): void {
    if (!this.#isLive || event.position <= this.#position) return;
    this.#position = event.position;
    this.#deliver({ place: { position: event.position, atMs: event.storedAt.getTime() }, event });
  }

  /** Delivers the current position if no event is queued, because the cursor of an old position would expire. */
  mark(position: number): void {
    if (!this.#isLive || this.#waiting.length > 0 || position <= this.#position) return;
    this.#position = position;
    this.#deliver({ place: { position, atMs: this.#now() }, event: null });
  }

  /** Ends the stream and drops queued events. A client that reconnects gets them again. */
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
