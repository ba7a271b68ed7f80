import { AppError } from '../../../platform/errors/AppError.ts';

/** Concurrency and queue limits. */
export interface WorkQueueOptions {
  /** Number of tasks that run concurrently. */
  slots: number;
  /** Maximum queueing delay in milliseconds. */
  patienceMs: number;
  /** Pieces that wait at most. */
  mostWaiting: number;
  /**
   * Queue length above which the queue is overloaded: each slot then pauses after a task for 2.5 times the task's
   * duration.
   */
  crowd?: number;
}

/** Slots are busy for about a quarter of the time: 64 concurrent sign-ins take less than three seconds. */
const restRatio = 2.5;

interface Waiting {
  start(): void;
  timer: NodeJS.Timeout;
}

/**
 * Runs expensive tasks with limited concurrency, in order of arrival. A task is refused if its queueing delay or the
 * queue is too long, instead of running after its client has disconnected.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a task.
   *
   * @throws AppError `unavailable` if it cannot start in time
   */
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
   * Releases a slot. Each task causes further work in the event loop and the database. Under overload, other requests
   * would wait for that work, so admission is slower than possible.
   */
  #leave(tookMs: number): void {
    const { crowd = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#waiting.size > crowd) setTimeout(() => this.#next(), restRatio * tookMs);
    else this.#next();
  }

  /** Waits for a slot, which a finished task hands over. */
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
