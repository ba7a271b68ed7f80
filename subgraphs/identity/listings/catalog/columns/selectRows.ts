import type { ListingColumns } from './ListingColumns.ts';
import { judge, type RowCondition } from './RowCondition.ts';
import type { Slices } from './Slices.ts';
import { scratchRows } from './scratch.ts';

/** Rows of a result, in no order; good within the turn of a query, see `scratchRows`. */
export interface Rows {
  readonly rows: Uint32Array;
  length: number;
}

/** Number of rows that are processed without a pause: a fraction of a millisecond for every query. */
export const rowsAtOnce = 8192;
const verdicts = new Uint8Array(rowsAtOnce);

/**
 * Returns the rows that are public at a time and meet every condition.
 *
 * @param among candidate rows; null for all
 */
export function* selectRows(
  columns: ListingColumns,
  tests: readonly RowCondition[],
  { now, among }: { now: number; among: Rows | null },
): Slices<Rows> {
  const expiresAt = columns.findNumber('expiresAt')?.values ?? new Float64Array();
  const rows = scratchRows('selected', columns.size);
  let length = 0;
  for (const part of partsOf(among?.length ?? columns.size)) {
    const shown = copyShown({ expiresAt, now, among: among?.rows ?? null }, part, rows, length);
    length = keep(rows, { from: length, to: shown }, tests);
    yield;
  }
  return { rows, length };
}

/** Splits a result into parts that can be processed without a pause. */
export function* partsOf(length: number): Generator<{ from: number; to: number }> {
  for (let from = 0; from < length; from += rowsAtOnce)
    yield { from, to: Math.min(length, from + rowsAtOnce) };
}

/**
 * Moves the rows that meet every condition to the beginning of the part, and returns their end.
 *
 * @param part at most `rowsAtOnce` rows
 */
export function keep(
  rows: Uint32Array,
  { from, to }: { from: number; to: number },
  tests: readonly RowCondition[],
): number {
  let end = to;
  for (const test of tests) {
    judge(test, rows, { from, to: end }, verdicts);
    let kept = from;
    for (let index = from; index < end; index += 1) {
      rows[kept] = rows[index] as number;
      kept += verdicts[index - from] as number;
    }
    end = kept;
  }
  return end;
}

/** Copies the public rows to `rows`, starting at `start`, and returns the end. */
function copyShown(
  { expiresAt, now, among }: { expiresAt: Float64Array; now: number; among: Uint32Array | null },
  { from, to }: { from: number; to: number },
  rows: Uint32Array,
  start: number,
): number {
  let end = start;
  if (among === null) {
    for (let row = from; row < to; row += 1) if ((expiresAt[row] as number) > now) rows[end++] = row;
    return end;
  }
  for (let index = from; index < to; index += 1) {
    const row = among[index] as number;
    if ((expiresAt[row] as number) > now) rows[end++] = row;
  }
  return end;
}
