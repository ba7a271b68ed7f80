import { AsyncLocalStorage } from 'node:async_hooks';
import { ConcurrencyLimit } from './ConcurrencyLimit.ts';

function open(settings: Partial<ConstructorParameters<typeof ConcurrencyLimit>[0]> = {}) {
  const limit = new ConcurrencyLimit({ maxRunning: 1, maxQueued: 2, maxQueueMs: 10_000, ...settings });
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  /** Runs work with a name, which the test passes to `end`. */
  const run = (name: string): Promise<string> | string =>
    limit.run(
      () => {
        started.push(name);
        const { promise, resolve } = Promise.withResolvers<string>();
        finish.set(name, () => resolve(`${name} done`));
        return promise;
      },
      () => `${name} rejected`,
    );
  return { limit, run, started, end: (name: string) => finish.get(name)?.() };
}

test('work within the concurrency limit starts immediately', () => {
  const { run, started } = open({ maxRunning: 2 });
  void run('a');
  void run('b');
  expect(started).toEqual(['a', 'b']);
});

test('work beyond the limit is queued and starts in the order of its arrival', async () => {
  const { limit, run, started, end } = open();
  const all = [run('a'), run('b'), run('c')];
  expect(started).toEqual(['a']);
  expect(limit.isFull).toBe(true);
  end('a');
  expect(await all[0]).toBe('a done');
  expect(started).toEqual(['a', 'b']);
  expect(limit.isFull).toBe(false);
  end('b');
  expect(await all[1]).toBe('b done');
  end('c');
  expect(await all[2]).toBe('c done');
});

test('work beyond the limit of the queue is rejected immediately', () => {
  const { run } = open({ maxQueued: 0 });
  void run('a');
  expect(run('b')).toBe('b rejected');
});

test('work that was queued for too long is rejected and never starts', async () => {
  const { run, started, end } = open({ maxQueueMs: 20 });
  const running = run('a');
  expect(await run('b')).toBe('b rejected');
  end('a');
  await running;
  expect(started).toEqual(['a']);
});

test('work that throws or rejects releases its place', async () => {
  const { limit, run } = open();
  const failure = new Error('planted');
  const reject = () => undefined;
  const atOnce = (): never => {
    throw failure;
  };
  expect(() => limit.run(atOnce, reject)).toThrow(failure);
  await expect(limit.run(() => Promise.reject(failure), reject)).rejects.toBe(failure);
  const running = limit.run(() => Promise.resolve(1), reject);
  await expect(limit.run(atOnce, reject)).rejects.toBe(failure);
  expect(await running).toBe(1);
  expect(limit.run(() => 'free', reject)).toBe('free');
  expect(run('a')).toBeInstanceOf(Promise);
});

test('queued work runs in the asynchronous context of its own caller', async () => {
  const { limit, run, end } = open();
  const storage = new AsyncLocalStorage<string>();
  const first = storage.run('first', () => run('a'));
  const second = storage.run('second', () =>
    limit.run(
      () => storage.getStore(),
      () => undefined,
    ),
  );
  end('a');
  await first;
  expect(await second).toBe('second');
});

test('lookups of callers count towards the limit until they end', async () => {
  const { limit } = open({ maxQueued: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const lookup = limit.duringLookup(promise);
  expect(limit.isFull).toBe(true);
  resolve();
  await lookup;
  expect(limit.isFull).toBe(false);
});
