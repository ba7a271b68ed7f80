import { setTimeout } from 'node:timers/promises';

/** Of those who change one thing so many at a time: while one is at it, the next one is ready. */
const atOnce = 2;

/** Whoever changes, or will change, what a name stands for; in the order in which they came. */
const lines = new Map<string, Promise<void>[]>();

/**
 * Lets those who change the same thing come up in the order in which they came. Of fifty transactions at once on one
 * record the database lets one through, and all others begin again, and again; in line each costs one attempt or two. It
 * is for this process only, and only for that: what two changes make of each other the database decides.
 *
 * All lines are joined at once, so that whoever meets in two of them meets in the same order, and nobody waits in a circle.
 *
 * @param names of what is changed
 * @param patienceMs longest wait; then `work` is not begun any more
 * @param work told whether there was a wait: what was read before may not be so any more
 * @returns null when patience was at an end
 */
export async function inLine<T>(
  names: readonly string[],
  patienceMs: number,
  work: (waited: boolean) => Promise<T>,
): Promise<{ result: T } | null> {
  const ahead = new Set(names.flatMap(aheadOf));
  const gone = new AbortController();
  let leave: () => void = () => undefined;
  const left = new Promise<void>((done) => {
    leave = done;
  });
  for (const name of new Set(names)) join(name, left);
  try {
    if (ahead.size === 0) return { result: await work(false) };
    const turn = Promise.all(ahead).then(() => true);
    const tooLong = setTimeout(patienceMs, false, { signal: gone.signal }).catch(() => false);
    return (await Promise.race([turn, tooLong])) ? { result: await work(true) } : null;
  } finally {
    gone.abort();
    leave();
  }
}

/** Whoever has to be done before somebody new comes up. */
function aheadOf(name: string): Promise<void>[] {
  const line = lines.get(name) ?? [];
  return line.slice(0, Math.max(0, line.length + 1 - atOnce));
}

function join(name: string, left: Promise<void>): void {
  const line = lines.get(name) ?? [];
  line.push(left);
  lines.set(name, line);
  void left.then(() => {
    void line.splice(line.indexOf(left), 1);
    if (line.length === 0) lines.delete(name);
  });
}
