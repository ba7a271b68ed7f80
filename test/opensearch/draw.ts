/** Draws values. The same seed gives the same values. */
export interface Draw {
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  oneOf<T>(values: readonly T[]): T;
  /** Draws any number of the values. */
  some<T>(values: readonly T[]): T[];
}

/** Returns a generator of pseudo-random values (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const chance = (probability: number): boolean => next() < probability;
  return {
    whole,
    chance,
    oneOf: <T>(values: readonly T[]) => values[whole(0, values.length - 1)] as T,
    some: <T>(values: readonly T[]) => values.filter(() => chance(0.5)),
  };
}
