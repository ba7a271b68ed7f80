import { AppError } from '../../platform/errors/AppError.ts';

/** How much runs and waits at once. */
export interface WorkQueueOptions {
  /** Pieces of work that run at once. */
  slots: number;
  /** Longest wait for a slot, in milliseconds. */
  patienceMs: number;
  /** Pieces that wait at most. */
  mostWaiting: number;
}

interface Waiting {
  start(): void;
  timer: NodeJS.Timeout;
}

/**
 * Runs costly work a few pieces at a time, in the order in which it came. What waits too long, or finds too many waiting
 * already, is refused instead of being done when nobody listens any more.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** @throws AppError `unavailable` when it cannot be begun in time */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.slots) await this.#turn();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Waits for a slot, which is handed over by whoever leaves it. */
  #turn(): Promise<void> {
    if (this.#waiting.size >= this.#options.mostWaiting) return Promise.reject(busy());
    return new Promise((begin, refuse) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        refuse(busy());
      }, this.#options.patienceMs);
      const waiting = { start: begin, timer };
      this.#waiting.add(waiting);
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(first);
    clearTimeout(first.timer);
    first.start();
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'Too many people sign in at this moment: try again shortly.', {
    retryAfter: 2,
  });
}
