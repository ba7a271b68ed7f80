/**
 * Reads a value repeatedly and shows the latest. Reads may end in another order than they began: an earlier one never
 * replaces the result of a later one.
 *
 * @returns reads once more; resolves when what was read, or something newer, is shown
 */
export function readInTurn<T>(read: () => Promise<T>, show: (value: T) => void): () => Promise<void> {
  let begun = 0;
  let shown = 0;
  return async () => {
    begun += 1;
    const turn = begun;
    const value = await read();
    if (turn < shown) return;
    shown = turn;
    show(value);
  };
}
