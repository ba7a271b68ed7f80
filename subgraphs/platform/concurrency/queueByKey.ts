import { setTimeout } from 'node:timers/promises';

/** Queue of the work of a key. */
export interface KeyQueueOptions {
  /** Pieces of work of one key that run concurrently. */
  concurrency: number;
  /** Longest wait, after which the work is not started and the error is thrown; without it there is no limit. */
  patience?: { ms: number; toError: () => Error };
}

/** Work of each key that runs or is queued, in the order of arrival. */
const queues = new Map<string, Promise<void>[]>();

/**
 * Runs the work of one key in the order of arrival. Of fifty concurrent transactions on one record the database commits
 * one, and all others start again, and again; queued, each costs one attempt or two. The queue is local to this process
 * and only saves attempts: the database decides conflicts.
 *
 * All queues are joined at once, so that two pieces of work that meet in two queues meet in the same order and never wait
 * for each other in a circle.
 *
 * @param keys what is changed, unique among all callers
 */
export async function queueByKey<T>(
  keys: readonly string[],
  { concurrency, patience }: KeyQueueOptions,
  work: () => Promise<T>,
): Promise<T> {
  const ahead = new Set(keys.flatMap((key) => aheadOf(key, concurrency)));
  const { promise: done, resolve: leave } = Promise.withResolvers<void>();
  const waiting = new AbortController();
  for (const key of new Set(keys)) join(key, done);
  try {
    if (ahead.size > 0) {
      const turn = Promise.all(ahead).then(() => true);
      const { signal } = waiting;
      const tooLong = patience && setTimeout(patience.ms, false, { signal }).catch(() => false);
      const isReady = await Promise.race(tooLong ? [turn, tooLong] : [turn]);
      if (patience && !isReady) throw patience.toError();
    }
    return await work();
  } finally {
    waiting.abort();
    leave();
  }
}

/** The work that has to end before another piece of the key starts. */
function aheadOf(key: string, concurrency: number): Promise<void>[] {
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
