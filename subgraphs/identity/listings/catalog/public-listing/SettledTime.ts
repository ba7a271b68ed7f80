/**
 * A write gets its time before its commit, so a later commit may have an earlier time. After this time a write is
 * committed or aborted.
 */
export const longestWriteMs = 10_000;

/** Time up to which every write was read after it was committed. Readers continue from it. */
export class SettledTime {
  #value: Date;
  /** The latest write that was seen, and one that will be settled in a while. */
  #latest: Date;
  #pending: { latest: Date; seenAt: number };

  /**
   * @param value where an earlier reader stopped
   * @param now monotonic time in milliseconds
   */
  constructor(now: number, value = new Date(0)) {
    this.#value = value;
    this.#latest = value;
    this.#pending = { latest: value, seenAt: now };
  }

  get value(): Date {
    return this.#value;
  }

  /** Reports a write that was read. */
  see(changedAt: Date): void {
    if (changedAt > this.#latest) this.#latest = changedAt;
  }

  /**
   * Advances the time after a reading, by the times of the writes or, without writes, by the elapsed time.
   *
   * @param begun monotonic time of the start of the reading
   */
  advance(begun: number): void {
    const isOver = begun - this.#pending.seenAt >= longestWriteMs;
    const beforeLatest = this.#latest.getTime() - longestWriteMs;
    const reached = Math.max(isOver ? this.#pending.latest.getTime() : 0, beforeLatest);
    // A clock that was temporarily ahead must not hide writes after its correction.
    const settled = Math.min(reached, Date.now() - longestWriteMs);
    if (settled > this.#value.getTime()) this.#value = new Date(settled);
    if (isOver) this.#pending = { latest: this.#latest, seenAt: begun };
  }
}
