import { seeded } from '../support/seeded.ts';

/** Draws values. The same seed gives the same values. */
export interface Draw {
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  oneOf<T>(values: readonly T[]): T;
  /** Draws any number of the values. */
  some<T>(values: readonly T[]): T[];
}

/** Returns a generator of pseudo-random values. */
export function drawFrom(seed: number): Draw {
  const next = seeded(seed);
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const chance = (probability: number): boolean => next() < probability;
  return {
    whole,
    chance,
    oneOf: <T>(values: readonly T[]) => values[whole(0, values.length - 1)] as T,
    some: <T>(values: readonly T[]) => values.filter(() => chance(0.5)),
  };
}
