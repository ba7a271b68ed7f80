import { performance } from 'node:perf_hooks';

/** What a line is measured with; the process's own unless stated, for tests. */
export interface LineOptions {
  /** Steps of the event loop so far. */
  readonly countSteps?: () => number;
  /** Clock of milliseconds that never jumps. */
  readonly now?: () => number;
}

/** Connections that come one after the other by chance, and those of an ordinary program that starts. */
const usual = 100;

/**
 * How long connections have waited at the door without a break. libuv takes one connection in each step of the event
 * loop, and does whatever else is ready in the same step: when more come than are taken, the line is in the kernel, where
 * nobody sees it, and neither the number of requests under way nor the event loop's delay tells of it. But then each step
 * takes one, and the first step that takes none has found the line empty.
 */
export class ConnectionLine {
  readonly #countSteps: () => number;
  readonly #now: () => number;
  #taken = 0;
  #step = 0;
  #since = 0;

  constructor({
    countSteps = () => performance.nodeTiming.uvMetricsInfo.loopCount,
    now = () => performance.now(),
  }: LineOptions = {}) {
    this.#countSteps = countSteps;
    this.#now = now;
  }

  /** Notes that a connection was taken. */
  readonly note = (): void => {
    const step = this.#countSteps();
    if (step - this.#step > 1) {
      this.#since = this.#now();
      this.#taken = 0;
    }
    this.#step = step;
    this.#taken++;
  };

  /** Milliseconds for which there was always one more; 0 when there is no line, or only a short one. */
  readonly standsMs = (): number => {
    if (this.#taken < usual || this.#countSteps() - this.#step > 1) return 0;
    return this.#now() - this.#since;
  };
}

/** The line at the doors of this process. */
export const connectionLine = new ConnectionLine();
