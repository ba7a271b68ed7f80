import type { Position } from './position.ts';
import type { Change } from './ReplicationSource.ts';

const maxChanges = 20_000;
const maxBytes = 64 * 1024 * 1024;

/** The latest changes, stored so that several streams can read them and an interrupted stream can resume. */
export class ChangeLog {
  #changes: Change[] = [];
  #bytes = 0;
  #start: Position;
  #startMs: number;

  constructor(start: Position, startMs: number) {
    this.#start = start;
    this.#startMs = startMs;
  }

  /** The log contains every change after this position. */
  get start(): Position {
    return this.#start;
  }

  append(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#changes.push(change);
      this.#bytes += bytesOf(change);
    }
    // Truncated rarely and by large parts, because moving the rest at every change would be quadratic.
    if (this.#changes.length > maxChanges * 1.5 || this.#bytes > maxBytes * 1.5) this.#forgetOldest();
  }

  /** Yields the changes after `position`, in ascending order. */
  *after(position: Position): Generator<Change> {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const change = this.#changes[middle];
      if (change && change.position > position) high = middle;
      else low = middle + 1;
    }
    for (; low < this.#changes.length; low++) {
      const change = this.#changes[low];
      if (change) yield change;
    }
  }

  /**
   * Returns the position from which all changes in or after the second that starts at `timeMs` can be read, or
   * undefined if that is too long ago. MongoDB's clock counts whole seconds, so the log's first second counts as
   * covered.
   */
  findPositionBefore(timeMs: number): Position | undefined {
    if (timeMs + 1000 <= this.#startMs) return undefined;
    return this.#changes.findLast((change) => change.committedAtMs < timeMs)?.position ?? this.#start;
  }

  #forgetOldest(): void {
    let count = 0;
    while (this.#changes.length - count > maxChanges || this.#bytes > maxBytes) {
      const oldest = this.#changes[count];
      if (!oldest) break;
      this.#bytes -= bytesOf(oldest);
      this.#start = oldest.position;
      this.#startMs = oldest.committedAtMs;
      count++;
    }
    this.#changes = this.#changes.slice(count);
  }
}

function bytesOf(change: Change): number {
  return (change.before?.length ?? 0) + (change.after?.length ?? 0);
}
