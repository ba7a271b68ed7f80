/**
 * Reads a value repeatedly and shows the latest. Reads may end in another order than they started: an earlier one never
 * replaces the result of a later one.
 *
 * @returns a function that reads once more; it resolves when its result, or a later one, is shown
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
