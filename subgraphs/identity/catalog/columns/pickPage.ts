/** Where a page starts: the key of the row before it and that row's id. */
export interface RowPosition {
  key: number;
  id: string;
}

/** A row of a page. */
export interface PickedRow {
  row: number;
  key: number;
}

/**
 * The first `size` rows behind a position, in order of their keys upwards and then of their ids. A heap of the best so
 * far: the cost does not depend on where the page is.
 *
 * @param keyOf the smaller one comes first; never NaN
 * @param idDirection of ids with equal keys
 */
export function pickPage(
  { rows, length }: { rows: Uint32Array; length: number },
  ids: readonly string[],
  keyOf: (row: number) => number,
  { size, after, idDirection }: { size: number; after: RowPosition | null; idDirection: 1 | -1 },
): PickedRow[] {
  const isBefore = (key: number, id: string, otherKey: number, otherId: string): boolean =>
    key !== otherKey ? key < otherKey : id !== otherId && id < otherId === (idDirection === 1);
  const worse = (a: PickedRow, b: PickedRow): boolean =>
    isBefore(b.key, ids[b.row] as string, a.key, ids[a.row] as string);
  const best: PickedRow[] = [];
  // From the latest row on: those that were published last are most often asked for first.
  for (let index = length - 1; index >= 0; index -= 1) {
    const row = rows[index] as number;
    const key = keyOf(row);
    if (after && !isBefore(after.key, after.id, key, ids[row] as string)) continue;
    if (best.length < size) {
      best.push({ row, key });
      rise(best, worse);
      continue;
    }
    const [worst] = best;
    if (!worst || !isBefore(key, ids[row] as string, worst.key, ids[worst.row] as string)) continue;
    best[0] = { row, key };
    sink(best, worse);
  }
  return best.sort((a, b) => (worse(a, b) ? 1 : -1));
}

type Comparison = (a: PickedRow, b: PickedRow) => boolean;

/** Moves the last entry to its place; the worst one is at the top. */
function rise(heap: PickedRow[], worse: Comparison): void {
  let index = heap.length - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!worse(heap[index] as PickedRow, heap[parent] as PickedRow)) return;
    swap(heap, index, parent);
    index = parent;
  }
}

/** Moves the first entry to its place. */
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
