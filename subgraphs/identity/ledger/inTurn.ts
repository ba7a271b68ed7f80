const last = new Map<string, Promise<unknown>>();

/** Runs what has the same key one after the other, in this process, whatever becomes of those before. */
export function inTurn<T>(key: string, run: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve();
  const turn = before.then(run, run);
  last.set(key, turn);
  const forget = (): void => {
    if (last.get(key) === turn) last.delete(key);
  };
  turn.then(forget, forget);
  return turn;
}
