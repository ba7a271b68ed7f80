import type { ListingColumns } from './ListingColumns.ts';
import { judge, type RowTest } from './RowTest.ts';
import { scratchBytes, scratchRows } from './scratch.ts';

/** Rows of a result, in no order; good until the next query, see `scratchRows`. */
export interface Rows {
  readonly rows: Uint32Array;
  length: number;
}

/**
 * Rows of what is shown at a moment.
 *
 * @param among ids that alone come into question; all of them if left out
 */
export function shownRows(columns: ListingColumns, now: number, among?: Iterable<string>): Rows {
  const expiresAt = columns.findNumber('expiresAt')?.values ?? new Float64Array();
  const rows = scratchRows('shown', columns.size);
  let length = 0;
  if (!among) {
    for (let row = 0; row < columns.size; row += 1)
      if ((expiresAt[row] as number) > now) rows[length++] = row;
    return { rows, length };
  }
  for (const id of among) {
    const row = columns.rowOf(id);
    if (row !== undefined && (expiresAt[row] as number) > now) rows[length++] = row;
  }
  return { rows, length };
}

/** Keeps the rows that meet every condition. */
export function narrow(result: Rows, tests: readonly RowTest[]): void {
  const { rows } = result;
  const verdicts = scratchBytes('verdicts', result.length);
  for (const test of tests) {
    judge(test, rows, result.length, verdicts);
    let kept = 0;
    for (let index = 0; index < result.length; index += 1) {
      rows[kept] = rows[index] as number;
      kept += verdicts[index] as number;
    }
    result.length = kept;
  }
}
