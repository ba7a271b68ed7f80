import type { FieldProblem } from '../../../../../schema/Problem.ts';

/** One row of a feed as it was written. */
export interface FeedRow {
  /** From 1; the header of a table is not counted. */
  number: number;
  /** Members as the body of one listing has them; attributes of a table are texts still. Null for no object at all. */
  members: Record<string, unknown> | null;
  /** Whether attributes are texts that their category types. */
  isText: boolean;
  /** Why it cannot be read. */
  problems: FieldProblem[];
}

/** Longest row, in characters: a description may be long, a feed without line ends must not fill the memory. */
export const longestRow = 256 * 1024;
