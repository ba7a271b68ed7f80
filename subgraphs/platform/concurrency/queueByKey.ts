import { setTimeout } from 'node:timers/promises';

/** Queue of the work of a key. */
export interface KeyQueueOptions {
  /** Pieces of work of one key that run concurrently. */
  concurrency: number;
  /** Maximum queueing delay, after which the error is thrown and the task does not start; unlimited by default. */
  patience?: { ms: number; toError: () => Error };
}

/** Work of each key that runs or is queued, in the order of arrival. */
const queues = new Map<string, Promise<void>[]>();

/**
 * Runs the tasks of one key in order of arrival. Of fifty concurrent transactions on one record, the database commits
 * one, and all others are repeatedly retried. In a queue, each needs one or two attempts. The queue is local to this
 * process and only saves attempts; the database resolves conflicts.
 *
 * A task joins all its queues at once, so tasks that share queues have the same order in each, and cannot deadlock.
 *
 * @param keys changed objects, unique among all callers
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

/** Returns the task that has to finish before the next one of the key starts. */
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
