import type { BothStyles, Call } from './BothStyles.ts';

/** One comparison of the two styles. */
export interface Finding {
  what: string;
  /** Difference between the answers. Null if they are equal member by member. */
  difference: string | null;
}

/** Functions with which the steps compare the two styles. */
export interface Journey {
  styles: BothStyles;
  same: (what: string, call: Call) => Promise<any>;
  /** The same write in each style, on the first and the second record of the pair. */
  paired: <Thing>(
    what: string,
    things: readonly [Thing, Thing],
    toCall: (thing: Thing) => Call,
  ) => Promise<[any, any]>;
  password: string;
  unique: string;
}

export interface Tokens {
  dealer: string;
  editor: string;
  buyer: string;
}

export type Pair = [string, string];
