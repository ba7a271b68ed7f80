import type { CatalogFacets, Facet, FacetBar, FacetRequest } from '../CatalogSearch.ts';
import type { CodeColumn } from './CodeColumn.ts';
import type { ListingColumns } from './ListingColumns.ts';
import { judge, type RowTest } from './RowTest.ts';
import { scratchBytes, scratchRows } from './scratch.ts';
import { narrow, type Rows } from './selectRows.ts';
import { oneOf } from './toRowTests.ts';

const mostBuckets = 50;
const mostBars = 20;

/**
 * Counts the values of each facet among the rows that meet every condition but those on the facet itself. A row that
 * fails the conditions on one member alone counts for that member's facet.
 */
export function countFacets(
  columns: ListingColumns,
  rows: Rows,
  tests: readonly RowTest[],
  facets: readonly FacetRequest[],
): Omit<CatalogFacets, 'complete'> {
  const members = facets.map(({ by }) => by as string);
  narrow(
    rows,
    tests.filter(({ member }) => !members.includes(member)),
  );
  const conditioned = new Set(tests.map(({ member }) => member));
  const failures = judgeMembers(rows, members, tests);
  const met = pick(rows, failures, 0, scratchRows('met', rows.length));
  const counted = facets.map((facet, position) => {
    if (!conditioned.has(facet.by) && facet.currency === null) return countFacet(columns, met, facet);
    const picked = pick(rows, failures, position + 1, scratchRows('picked', rows.length));
    return countFacet(columns, picked, facet);
  });
  return { total: met.length, facets: counted };
}

const several = 255;

/** By row: 0 if it meets all conditions, the number of the only member (from 1) whose conditions it fails, or `several`. */
function judgeMembers(
  { rows, length }: Rows,
  members: readonly string[],
  tests: readonly RowTest[],
): Uint8Array {
  const failures = scratchBytes('failures', length).fill(0, 0, length);
  const verdicts = scratchBytes('verdicts', length);
  for (const test of tests) {
    const number = members.indexOf(test.member) + 1;
    if (number === 0) continue;
    judge(test, rows, length, verdicts);
    for (let index = 0; index < length; index += 1) {
      if (verdicts[index] === 1) continue;
      const before = failures[index] as number;
      failures[index] = before === 0 || before === number ? number : several;
    }
  }
  return failures;
}

/** Rows that fail nothing, or nothing but the conditions on this member (0 for none). */
function pick({ rows, length }: Rows, failures: Uint8Array, number: number, picked: Uint32Array): Rows {
  let kept = 0;
  for (let index = 0; index < length; index += 1) {
    const failure = failures[index] as number;
    picked[kept] = rows[index] as number;
    kept += failure === 0 || failure === number ? 1 : 0;
  }
  return { rows: picked, length: kept };
}

function countFacet(columns: ListingColumns, rows: Rows, facet: FacetRequest): Facet {
  const { name, by, kind, currency, isWhole } = facet;
  if (currency !== null) narrow(rows, oneOf('currency', [currency], columns));
  if (kind === 'range') {
    const values = columns.findNumber(by as 'price')?.values;
    return { name, buckets: [], range: values ? toRange(values, rows, isWhole) : null };
  }
  const column = columns.findText(by as 'condition');
  return { name, buckets: column ? toBuckets(column, rows) : [], range: null };
}

/** The most frequent values first, equal ones in the order of their texts. */
function toBuckets({ codes, sets }: CodeColumn, { rows, length }: Rows): Facet['buckets'] {
  const bySet = new Uint32Array(sets.length);
  for (let index = 0; index < length; index += 1) {
    const code = codes[rows[index] as number] as number;
    bySet[code] = (bySet[code] as number) + 1;
  }
  const counts = new Map<string, number>();
  for (const [code, count] of bySet.entries())
    if (count > 0) for (const value of sets[code] ?? []) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostBuckets);
}

function toRange(values: Float64Array, { rows, length }: Rows, isWhole: boolean): Facet['range'] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < length; index += 1) {
    const value = values[rows[index] as number] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return null;
  const bars = toBars(min, max, isWhole);
  countInto(bars, values, { rows, length });
  return { min, max, histogram: bars };
}

/** Division rounds: 0.3 / 0.1 is below 3. So it only guesses, and the ends that are told decide. */
function countInto(bars: readonly FacetBar[], values: Float64Array, { rows, length }: Rows): void {
  const ends = Float64Array.from(bars, ({ to }) => to);
  const counts = new Uint32Array(bars.length + 1);
  const { from, to } = bars[0] as FacetBar;
  const width = to - from;
  for (let index = 0; index < length; index += 1) {
    const value = values[rows[index] as number] as number;
    if (Number.isNaN(value)) continue;
    let bar = Math.min(Math.floor((value - from) / width), bars.length - 1);
    if (value >= (ends[bar] as number)) bar += 1;
    else if (bar > 0 && value < (ends[bar - 1] as number)) bar -= 1;
    counts[bar] = (counts[bar] as number) + 1;
  }
  for (const [index, bar] of bars.entries()) bar.count = counts[index] as number;
}

/** Bars of equal width whose ends are round numbers: 1, 2 or 5 times a power of ten. */
function toBars(min: number, max: number, isWhole: boolean): FacetBar[] {
  const width = toWidth((max - min) / (mostBars - 1), isWhole);
  const start = Math.floor(min / width) * width;
  let count = Math.floor((max - start) / width) + 1;
  if (toEnd(start, width, count) <= max) count += 1;
  return Array.from({ length: count }, (_, index) => ({
    from: toEnd(start, width, index),
    to: toEnd(start, width, index + 1),
    count: 0,
  }));
}

function toWidth(least: number, isWhole: boolean): number {
  const floor = isWhole ? 1 : 0.1;
  if (least <= floor) return floor;
  const power = 10 ** Math.floor(Math.log10(least));
  const width = [1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10;
  return width * power;
}

/** Without the noise of binary fractions. */
function toEnd(start: number, width: number, index: number): number {
  return Number((start + width * index).toPrecision(12));
}
