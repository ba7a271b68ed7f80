import type { ListingColumns } from './ListingColumns.ts';
import type { CatalogFacets, FacetRequest } from './query.ts';
import { judge, type RowCondition } from './RowCondition.ts';
import type { Slices } from './Slices.ts';
import { scratchFailures } from './scratch.ts';
import { keep, partsOf, type Rows, rowsAtOnce, selectRows } from './selectRows.ts';
import { type FacetCounter, toFacetCounter } from './toFacetCounter.ts';
import { oneOf } from './toRowConditions.ts';

/** Value of a row that fails the conditions on more than one member. */
const several = 255;
const verdicts = new Uint8Array(rowsAtOnce);
const picked = new Uint32Array(rowsAtOnce);
const met = new Uint32Array(rowsAtOnce);

/** Facet with the number of its member, from 1, and its conditions. */
interface Counting {
  counter: FacetCounter;
  number: number;
  /** Whether the query has conditions on the member. */
  isConditioned: boolean;
  /** Further conditions of the facet. */
  tests: readonly RowCondition[];
}

type Part = { from: number; to: number };

/**
 * Counts the values of each facet over the rows that meet every condition except those on the facet itself. A row that
 * fails only the conditions on one member counts for that member's facet.
 *
 * @param among candidate rows; null for all
 */
export function* countFacets(
  columns: ListingColumns,
  tests: readonly RowCondition[],
  facets: readonly FacetRequest[],
  { now, among }: { now: number; among: Rows | null },
): Slices<Omit<CatalogFacets, 'complete'>> {
  const members = facets.map(({ by }) => by as string);
  const [own, common] = [true, false].map((isOwn) =>
    tests.filter(({ member }) => members.includes(member) === isOwn),
  ) as [RowCondition[], RowCondition[]];
  const rows = yield* selectRows(columns, common, { now, among });
  const countings = facets.map((facet, index) => ({
    counter: toFacetCounter(columns, facet),
    number: index + 1,
    isConditioned: own.some(({ member }) => member === facet.by),
    tests: facet.currency === null ? [] : oneOf('currency', [facet.currency], columns),
  }));
  const failures = scratchFailures(rows.length);
  let total = 0;
  for (const part of partsOf(rows.length)) {
    judgeMembers(rows.rows, part, { members, tests: own }, failures);
    const found = pick(rows.rows, part, { failures, number: 0 }, met);
    total += found.length;
    for (const each of countings) each.counter.count(pickFor(each, rows, part, { failures, found }));
    yield;
  }
  const spreading = countings.filter(({ counter }) => counter.spread !== null);
  for (const part of spreading.length > 0 ? partsOf(rows.length) : []) {
    const found = pick(rows.rows, part, { failures, number: 0 }, met);
    for (const each of spreading) each.counter.spread?.(pickFor(each, rows, part, { failures, found }));
    yield;
  }
  return { total, facets: countings.map(({ counter }) => counter.facet()) };
}

/**
 * Writes to `failures` for each row: 0 if it meets all conditions, the number (from 1) of the only member whose
 * conditions it fails, or `several`.
 */
function judgeMembers(
  rows: Uint32Array,
  { from, to }: Part,
  { members, tests }: { members: readonly string[]; tests: readonly RowCondition[] },
  failures: Uint8Array,
): void {
  failures.fill(0, from, to);
  for (const test of tests) {
    const number = members.indexOf(test.member) + 1;
    judge(test, rows, { from, to }, verdicts);
    for (let index = from; index < to; index += 1) {
      if (verdicts[index - from] === 1) continue;
      const before = failures[index] as number;
      failures[index] = before === 0 || before === number ? number : several;
    }
  }
}

/**
 * Returns the rows of the part that a facet counts. The result is valid until the next call. @param found rows that
 * meet all conditions
 */
function pickFor(
  { number, isConditioned, tests }: Counting,
  { rows }: Rows,
  part: Part,
  { failures, found }: { failures: Uint8Array; found: Rows },
): Rows {
  if (!isConditioned && tests.length === 0) return found;
  const own = pick(rows, part, { failures, number }, picked);
  own.length = keep(picked, { from: 0, to: own.length }, tests);
  return own;
}

/** Copies rows that fail no condition, or only conditions on this member (0 for none). */
function pick(
  rows: Uint32Array,
  { from, to }: Part,
  { failures, number }: { failures: Uint8Array; number: number },
  into: Uint32Array,
): Rows {
  let kept = 0;
  for (let index = from; index < to; index += 1) {
    const failure = failures[index] as number;
    into[kept] = rows[index] as number;
    kept += failure === 0 || failure === number ? 1 : 0;
  }
  return { rows: into, length: kept };
}
