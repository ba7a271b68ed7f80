import type { BothStyles, Call } from './BothStyles.ts';

/** One comparison of the two styles. */
export interface Finding {
  what: string;
  /** Null when the two answers agree member by member. */
  difference: string | null;
}

/** How the steps compare. */
export interface Journey {
  styles: BothStyles;
  same: (what: string, call: Call) => Promise<any>;
  /** The same write in each style, each on a thing of its own: the first and second of the pair. */
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
