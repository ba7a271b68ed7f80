import { isPromise } from '../transport/isPromise.ts';

/** How many executions run and wait. */
export interface ConcurrencySettings {
  /** Executions that run concurrently. */
  readonly maxRequests: number;
  /** Executions that wait until another one ends. */
  readonly maxQueued: number;
  /** Longest time that an execution waits, in milliseconds. */
  readonly maxQueueMs: number;
}

/** The settings of the product, unless its configuration states others. */
export const defaultConcurrency: ConcurrencySettings = { maxRequests: 128, maxQueued: 128, maxQueueMs: 5000 };

/**
 * Limits how many executions run concurrently. Further ones wait in a short queue, in the order in which they arrive, and
 * are rejected if the queue is full or their time in it is over. Thus latency and memory are bounded when clients send
 * more than the process can answer.
 */
export class ConcurrencyLimit {
  readonly #settings: ConcurrencySettings;
  readonly #queue = new Set<(hasPlace: boolean) => void>();
  #running = 0;
  #lookups = 0;

  constructor(settings: ConcurrencySettings) {
    this.#settings = settings;
  }

  /** Whether the next request is to be rejected before anything is done for it. */
  get isFull(): boolean {
    const { maxRequests, maxQueued } = this.#settings;
    return this.#running + this.#lookups + this.#queue.size >= maxRequests + maxQueued;
  }

  /** Runs work as soon as a place is free; returns what `reject` returns if there is none in time. */
  run<T>(work: () => T | Promise<T>, reject: () => T): T | Promise<T> {
    const { maxRequests, maxQueued } = this.#settings;
    if (this.#running < maxRequests) {
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

  /** Runs work on a place that is taken, and gives the place back. */
  #perform<T>(work: () => T | Promise<T>): T | Promise<T> {
    let isPending = false;
    try {
      const result = work();
      if (!isPromise(result)) return result;
      isPending = true;
      return result.finally(() => this.#leave());
    } finally {
      if (!isPending) this.#leave();
    }
  }

  /** The place passes to the execution that has waited longest. */
  #leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#running--;
    else next(true);
  }
}
