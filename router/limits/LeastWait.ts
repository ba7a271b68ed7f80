/** For so many milliseconds the last wait counts when nobody has waited since: a line that stands still is one, too. */
const holdsMs = 250;

/**
 * How long those who share something have waited for it, as for a connection of a pool: the least wait, because a crowd
 * of one moment makes some wait, and only a line that stands makes everybody wait.
 */
export class LeastWait {
  readonly #now: () => number;
  #least = Number.POSITIVE_INFINITY;
  #last = 0;
  #lastAt = 0;

  /** @param now clock of milliseconds that never jumps, for tests */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that somebody has waited for so many milliseconds. */
  readonly note = (ms: number): void => {
    if (ms < this.#least) this.#least = ms;
  };

  /** Milliseconds that whoever waited least since this was asked last has waited; 0 when nobody did for a while. */
  readonly take = (): number => {
    const now = this.#now();
    if (this.#least < Number.POSITIVE_INFINITY) {
      this.#last = this.#least;
      this.#lastAt = now;
      this.#least = Number.POSITIVE_INFINITY;
    } else if (now - this.#lastAt > holdsMs) this.#last = 0;
    return this.#last;
  };
}
