import type { Slices } from './Slices.ts';
import { type Rows, rowsAtOnce } from './selectRows.ts';

/** Start of a page: the sort key and the id of the row before it. */
export interface RowPosition {
  key: number;
  id: string;
}

/** A row of a page. */
export interface PickedRow {
  row: number;
  key: number;
}

/** Order and start of a page. */
export interface PageOrder {
  /** Ids of listings by row. */
  ids: readonly string[];
  /** Returns the sort key; rows with smaller keys come first. Never NaN. */
  keyOf(row: number): number;
  /** Direction of ids with equal keys. */
  idDirection: 1 | -1;
  size: number;
  /** Position after which the page begins; null for the first page. */
  after: RowPosition | null;
}

/**
 * Returns the first `size` rows after a position, in ascending order of their keys and ids. It keeps a heap of the best
 * rows, so the cost does not depend on the position of the page.
 */
export function* pickPage({ rows, length }: Rows, order: PageOrder): Slices<PickedRow[]> {
  const worse: Comparison = (a, b) => isBefore(order, b.key, b.row, a.key, order.ids[a.row] as string);
  const best: PickedRow[] = [];
  // Starts with the latest row, because the latest publications are usually requested first.
  for (let to = length; to > 0; to -= rowsAtOnce) {
    takeBest(best, rows.subarray(Math.max(0, to - rowsAtOnce), to), order, worse);
    yield;
  }
  return best.sort((a, b) => (worse(a, b) ? 1 : -1));
}

function takeBest(best: PickedRow[], rows: Uint32Array, order: PageOrder, worse: Comparison): void {
  const { ids, keyOf, size, after } = order;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index] as number;
    const key = keyOf(row);
    if (after && !isBehind(order, after, key, row)) continue;
    if (best.length < size) {
      best.push({ row, key });
      rise(best, worse);
      continue;
    }
    const [worst] = best;
    if (!worst || !isBefore(order, key, row, worst.key, ids[worst.row] as string)) continue;
    best[0] = { row, key };
    sink(best, worse);
  }
}

function isBefore(
  { ids, idDirection }: PageOrder,
  key: number,
  row: number,
  otherKey: number,
  otherId: string,
): boolean {
  if (key !== otherKey) return key < otherKey;
  const id = ids[row] as string;
  return id !== otherId && id < otherId === (idDirection === 1);
}

function isBehind({ ids, idDirection }: PageOrder, after: RowPosition, key: number, row: number): boolean {
  if (key !== after.key) return key > after.key;
  const id = ids[row] as string;
  return id !== after.id && after.id < id === (idDirection === 1);
}

type Comparison = (a: PickedRow, b: PickedRow) => boolean;

/** Sifts the last entry of the heap up; the worst entry is the root. */
function rise(heap: PickedRow[], worse: Comparison): void {
  let index = heap.length - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!worse(heap[index] as PickedRow, heap[parent] as PickedRow)) return;
    swap(heap, index, parent);
    index = parent;
  }
}

/** Sifts the root of the heap down. */
function sink(heap: PickedRow[], worse: Comparison): void {
  let index = 0;
  while (true) {
    let worst = index;
    for (const child of [2 * index + 1, 2 * index + 2])
      if (child < heap.length && worse(heap[child] as PickedRow, heap[worst] as PickedRow)) worst = child;
    if (worst === index) return;
    swap(heap, index, worst);
    index = worst;
  }
}

function swap(heap: PickedRow[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as PickedRow, heap[a] as PickedRow];
}
