import { AppError } from '../../../platform/errors/AppError.ts';

/** How much runs and waits at once. */
export interface WorkQueueOptions {
  /** Pieces of work that run at once. */
  slots: number;
  /** Longest wait for a slot, in milliseconds. */
  patienceMs: number;
  /** Pieces that wait at most. */
  mostWaiting: number;
  /** More than this many waiting are a crowd: then a slot rests after each piece, two and a half times as long as it took. */
  crowd?: number;
}

/** A quarter of the time or so is worked: 64 who sign in at once are through in less than three seconds. */
const restRatio = 2.5;

interface Waiting {
  start(): void;
  timer: NodeJS.Timeout;
}

/**
 * Runs costly work a few pieces concurrently, in order of arrival. Work that waits too long, or finds too many
 * waiting already, is refused instead of being done after its client has left.
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
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#leave(performance.now() - begun);
    }
  }

  /**
   * Each piece causes other work, of the event loop and of the database. In a crowd other requests would wait for all
   * of that, so a crowd is admitted more slowly than possible.
   */
  #leave(tookMs: number): void {
    const { crowd = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#waiting.size > crowd) setTimeout(() => this.#next(), restRatio * tookMs);
    else this.#next();
  }

  /** Waits for a slot, which is handed over by the piece that ends. */
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
  return new AppError(
    'unavailable',
    'Too many sign-ins are in progress. Try again after the time in `Retry-After`.',
    {
      retryAfter: 2,
    },
  );
}
