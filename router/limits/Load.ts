/** When a process takes no more. */
export interface LoadOptions {
  /** Executions under way at a time. */
  readonly maxRequests: number;
  /** Delay of the event loop, in milliseconds, from which on a crowd is not let in any more. Default 500. */
  readonly maxDelayMs?: number | undefined;
  /** Executions under way that are a crowd: fewer wait for something else than each other. Default 100. */
  readonly crowd?: number | undefined;
  /** Clock of milliseconds that never jumps, for tests. */
  readonly now?: (() => number) | undefined;
}

const beatMs = 100;

/**
 * How much a process has to do. Who comes when it is full is refused at once, which costs nearly nothing, and can go
 * elsewhere: taken in, he would wait, and make everybody wait longer. Full is a process with too many executions, or
 * with many and an event loop that does not keep up with them.
 */
export class Load {
  readonly #maxRequests: number;
  readonly #maxDelayMs: number;
  readonly #crowd: number;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #running = 0;
  #beatAt: number;
  #delayMs = 0;
  #delayBeforeMs = 0;

  constructor({ maxRequests, maxDelayMs = 500, crowd = 100, now = () => performance.now() }: LoadOptions) {
    this.#maxRequests = maxRequests;
    this.#maxDelayMs = maxDelayMs;
    this.#crowd = crowd;
    this.#now = now;
    this.#beatAt = now();
    this.#timer = setInterval(() => this.beat(), beatMs).unref();
  }

  /** Whether the next one is to be refused. */
  isFull(): boolean {
    if (this.#running >= this.#maxRequests) return true;
    if (this.#running < this.#crowd) return false;
    // Twice in a row: one long step, as when a supergraph is replaced, is over when it is seen.
    return this.#delayMs > this.#maxDelayMs && this.#delayBeforeMs > this.#maxDelayMs;
  }

  enter(): void {
    this.#running++;
  }

  leave(): void {
    this.#running--;
  }

  /** Notes how late the event loop is; called by a timer. */
  beat(): void {
    const now = this.#now();
    this.#delayBeforeMs = this.#delayMs;
    this.#delayMs = now - this.#beatAt - beatMs;
    this.#beatAt = now;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
