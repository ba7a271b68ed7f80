/** Number of entries of a list. Counting stops at a limit. */
export interface Count {
  readonly value: number;
  /** False if there are more entries than `value`. */
  readonly isExact: boolean;
}

/** Returns the number of entries up to a limit. */
export function toCount(counted: number, limit: number): Count {
  return { value: Math.min(counted, limit), isExact: counted <= limit };
}
