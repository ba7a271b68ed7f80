import { setTimeout } from 'node:timers/promises';

/** Changes of one key that run concurrently: while one commits, the next one is ready. */
const concurrency = 2;

/** Changes of each key that run or are queued, in the order in which they came. */
const queues = new Map<string, Promise<void>[]>();

/**
 * Runs the changes of one key in the order in which they came. Of fifty concurrent transactions on one record the
 * database commits one, and all others start again, and again; queued, each costs one attempt or two. The queue is of
 * this process only, and only for that: what two changes make of each other the database decides.
 *
 * All queues are joined at once, so that two changes that meet in two of them meet in the same order, and none waits in a
 * circle.
 *
 * @param keys of what is changed
 * @param patienceMs longest wait; then `work` is not started
 * @returns null when the wait was too long
 */
export async function queueByKey<T>(
  keys: readonly string[],
  patienceMs: number,
  work: () => Promise<T>,
): Promise<{ result: T } | null> {
  const ahead = new Set(keys.flatMap(aheadOf));
  const { promise: done, resolve: leave } = Promise.withResolvers<void>();
  const waiting = new AbortController();
  for (const key of new Set(keys)) join(key, done);
  try {
    if (ahead.size === 0) return { result: await work() };
    const turn = Promise.all(ahead).then(() => true);
    const tooLong = setTimeout(patienceMs, false, { signal: waiting.signal }).catch(() => false);
    return (await Promise.race([turn, tooLong])) ? { result: await work() } : null;
  } finally {
    waiting.abort();
    leave();
  }
}

/** The changes that have to be done before another one of the key starts. */
function aheadOf(key: string): Promise<void>[] {
  const queue = queues.get(key) ?? [];
  return queue.slice(0, Math.max(0, queue.length + 1 - concurrency));
}

function join(key: string, done: Promise<void>): void {
  const queue = queues.get(key) ?? [];
  queue.push(done);
  queues.set(key, queue);
  void done.then(() => {
    void queue.splice(queue.indexOf(done), 1);
    if (queue.length === 0) queues.delete(key);
  });
}
