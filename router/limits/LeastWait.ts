/**
 * How long those who share something have waited for it, as for a connection of a pool: the least wait, because a crowd
 * of one moment makes some wait, and only a line that stands makes everybody wait.
 */
export class LeastWait {
  #least = Number.POSITIVE_INFINITY;

  /** Notes that somebody has waited for so many milliseconds. */
  readonly note = (ms: number): void => {
    if (ms < this.#least) this.#least = ms;
  };

  /** Milliseconds that whoever waited least since this was asked last has waited; 0 when nobody did. */
  readonly take = (): number => {
    const waited = this.#least === Number.POSITIVE_INFINITY ? 0 : this.#least;
    this.#least = Number.POSITIVE_INFINITY;
    return waited;
  };
}
