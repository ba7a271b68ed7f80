/** Limits of running and queued work. */
export interface ConcurrencySettings {
  /** Pieces of work that run concurrently. */
  readonly maxRunning: number;
  /** Pieces that wait until another one ends. */
  readonly maxQueued: number;
  /** Maximum queueing delay in milliseconds. */
  readonly maxQueueMs: number;
}

/** Default limits for requests of a process. */
export const defaultConcurrency: ConcurrencySettings = { maxRunning: 128, maxQueued: 128, maxQueueMs: 5000 };

/**
 * Limits the number of concurrent tasks. Further tasks wait in a short queue in order of arrival. They are rejected if
 * the queue is full or their queueing delay is too long. Latency and memory therefore stay bounded under overload.
 *
 * See `docs/adr/router/0106-limit-overload-by-one-limit-and-one-queue.md`.
 */
export class ConcurrencyLimit {
  readonly #settings: ConcurrencySettings;
  readonly #queue = new Set<(hasPlace: boolean) => void>();
  #running = 0;
  #lookups = 0;

  constructor(settings: ConcurrencySettings) {
    this.#settings = settings;
  }

  /** Returns whether the next request is to be rejected before any work on it. */
  get isFull(): boolean {
    const { maxRunning, maxQueued } = this.#settings;
    return this.#running + this.#lookups + this.#queue.size >= maxRunning + maxQueued;
  }

  /** Runs work when a slot is free. Returns the value of `reject` if none is free in time. */
  run<T>(work: () => T | Promise<T>, reject: () => T): T | Promise<T> {
    const { maxRunning, maxQueued } = this.#settings;
    if (this.#running < maxRunning) {
      this.#running++;
      return this.#perform(work);
    }
    if (this.#queue.size >= maxQueued) return reject();
    return this.#waitForPlace().then((hasPlace) => (hasPlace ? this.#perform(work) : reject()));
  }

  /** Counts the lookup of a caller, which precedes the execution, until it ends. */
  async duringLookup<T>(lookup: Promise<T>): Promise<T> {
    this.#lookups++;
    try {
      return await lookup;
    } finally {
      this.#lookups--;
    }
  }

  #waitForPlace(): Promise<boolean> {
    return new Promise((decide) => {
      const end = (hasPlace: boolean): void => {
        clearTimeout(timer);
        this.#queue.delete(end);
        decide(hasPlace);
      };
      const timer = setTimeout(end, this.#settings.maxQueueMs, false);
      this.#queue.add(end);
    });
  }

  /** Runs a task in a claimed slot, and releases the slot. */
  #perform<T>(work: () => T | Promise<T>): T | Promise<T> {
    let isPending = false;
    try {
      const result = work();
      if (!(result instanceof Promise)) return result;
      isPending = true;
      return result.finally(() => this.#leave());
    } finally {
      if (!isPending) this.#leave();
    }
  }

  /** Hands the slot to the longest waiting task. */
  #leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#running--;
    else next(true);
  }
}
