import type { Window } from '../context/Budget.ts';

/** Executions of one principal or address in one window. */
export interface Counter {
  readonly installationId: string;
  readonly window: Window;
  readonly key: string;
  /** Counted in this process. */
  own: number;
  /** Part of these that was sent to the other processes. */
  told: number;
  /** Counted by the other processes, at the last exchange. */
  others: number;
}

/** Length of every window that is counted in memory; all of them begin together, so that processes agree on them. */
export const windowMs = 60_000;

/** Counters of one budget at most; with more, the oldest are forgotten and begin anew. */
const mostCounters = 100_000;

/**
 * Counters in the memory of this process. Windows are minutes of the clock; at each new one, all counters are cleared,
 * so nothing has to expire.
 */
export class MemoryCounters {
  #minute = -1;
  #byWindow = new Map<string, Map<Window, Map<string, Counter>>>();

  /** Number of the minute that is counted. */
  get minute(): number {
    return this.#minute;
  }

  /** Counts one execution. Returns the remaining number, or -1 without a count if none was left. */
  count(installationId: string, window: Window, key: string, nowMs: number): number {
    const minute = Math.floor(nowMs / windowMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#byWindow = new Map();
    }
    const counter = this.#find(installationId, window, key);
    const left = window.limit - counter.own - counter.others;
    if (left <= 0) return -1;
    counter.own += 1;
    return left - 1;
  }

  /** Yields every counter of the current minute. */
  *all(): Iterable<Counter> {
    for (const windows of this.#byWindow.values())
      for (const counters of windows.values()) yield* counters.values();
  }

  #find(installationId: string, window: Window, key: string): Counter {
    let windows = this.#byWindow.get(installationId);
    if (!windows) this.#byWindow.set(installationId, (windows = new Map()));
    let counters = windows.get(window);
    if (!counters) windows.set(window, (counters = new Map()));
    let counter = counters.get(key);
    if (!counter) {
      counter = { installationId, window, key, own: 0, told: 0, others: 0 };
      counters.set(key, counter);
      // A map keeps the insertion order, so the oldest entry is first.
      if (counters.size > mostCounters) counters.delete(counters.keys().next().value as string);
    }
    return counter;
  }
}
