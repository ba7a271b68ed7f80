import type { FieldProblem } from '../../../../../schema/Problem.ts';

/** One row of a feed, unparsed. */
export interface FeedRow {
  /** Row number from 1, without the header of a table. */
  number: number;
  /** Members as the body of one listing has them; attributes of a table are texts still. Null for no object at all. */
  members: Record<string, unknown> | null;
  /** Whether attributes are texts, which the category's schema converts to their types. */
  isText: boolean;
  /** Errors that prevent reading the row. */
  problems: FieldProblem[];
}

/**
 * Maximum length of a row in characters. Descriptions can be long, but a feed without line ends must not fill the
 * memory.
 */
export const longestRow = 256 * 1024;
