import type { CodeColumn } from './CodeColumn.ts';
import type { ListingColumns } from './ListingColumns.ts';
import type { Facet, FacetBar, FacetRequest } from './query.ts';
import type { Rows } from './selectRows.ts';

/** Maximum number of values of a facet. */
export const mostBuckets = 50;
const mostBars = 20;

/** Counts one facet over rows that arrive in parts. */
export interface FacetCounter {
  /** Counts the next rows. */
  count(rows: Rows): void;
  /**
   * Processes all rows once more to count the bars of histograms, whose limits follow from the first pass; null without
   * histograms.
   */
  spread: ((rows: Rows) => void) | null;
  facet(): Facet;
}

/** Returns the counter of a facet. A member that no listing has is not counted. */
export function toFacetCounter(
  columns: ListingColumns,
  { name, by, kind, isWhole }: FacetRequest,
): FacetCounter {
  if (kind === 'range') {
    const column = columns.findNumber(by as 'price');
    return column ? rangeCounter(name, column.values, isWhole) : emptyCounter(name);
  }
  const column = columns.findText(by as 'condition');
  return column ? valueCounter(name, column) : emptyCounter(name);
}

function emptyCounter(name: string): FacetCounter {
  return { count: () => undefined, spread: null, facet: () => ({ name, buckets: [], range: null }) };
}

function valueCounter(name: string, column: CodeColumn): FacetCounter {
  const { codes, sets } = column;
  const bySet = new Uint32Array(sets.length);
  return {
    count({ rows, length }) {
      for (let index = 0; index < length; index += 1) {
        const code = codes[rows[index] as number] as number;
        bySet[code] = (bySet[code] as number) + 1;
      }
    },
    spread: null,
    facet: () => ({ name, buckets: toBuckets(sets, bySet), range: null }),
  };
}

/** Returns the values in descending order of frequency, then in the order of their texts. */
function toBuckets(sets: CodeColumn['sets'], bySet: Uint32Array): Facet['buckets'] {
  const counts = new Map<string, number>();
  for (const [code, count] of bySet.entries())
    if (count > 0) for (const value of sets[code] ?? []) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostBuckets);
}

function rangeCounter(name: string, values: Float64Array, isWhole: boolean): FacetCounter {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let bars: FacetBar[] | null = null;
  return {
    count({ rows, length }) {
      for (let index = 0; index < length; index += 1) {
        const value = values[rows[index] as number] as number;
        if (value < min) min = value;
        if (value > max) max = value;
      }
    },
    spread(rows) {
      if (min > max) return;
      bars ??= toBars(min, max, isWhole);
      countInto(bars, values, rows);
    },
    facet: () => ({ name, buckets: [], range: bars && { min, max, histogram: bars } }),
  };
}

/**
 * Counts values into bars. Floating-point division rounds (0.3 / 0.1 is less than 3), so it only estimates the bar, and
 * the bar's reported ends decide.
 */
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
  for (const [index, bar] of bars.entries()) bar.count += counts[index] as number;
}

/** Returns bars of equal width with round limits: multiples of 1, 2 or 5 times a power of ten. */
export function toBars(min: number, max: number, isWhole: boolean): FacetBar[] {
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

/** Returns the end of a bar without floating-point noise. */
function toEnd(start: number, width: number, index: number): number {
  return Number((start + width * index).toPrecision(12));
}
