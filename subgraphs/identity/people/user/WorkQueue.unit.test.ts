import { WorkQueue } from './WorkQueue.ts';

/** A piece of work that the test ends. */
function piece(log: string[], name: string) {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const done = new Promise<string>((resolve, reject) => {
    end = () => resolve(name);
    fail = reject;
  });
  const work = (): Promise<string> => {
    log.push(name);
    return done;
  };
  return { work, end, fail };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a queue runs as many pieces concurrently as it has slots, and the others in order', async () => {
  const queue = new WorkQueue({ slots: 2, patienceMs: 60_000, mostWaiting: 10 });
  const log: string[] = [];
  const [a, b, c, d] = [piece(log, 'a'), piece(log, 'b'), piece(log, 'c'), piece(log, 'd')];
  const all = [a, b, c, d].map((one) => queue.run(one.work));
  await settle();
  expect(log).toEqual(['a', 'b']);
  b.end();
  await settle();
  expect(log).toEqual(['a', 'b', 'c']);
  for (const one of [a, c, d]) one.end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('a piece that fails releases its slot', async () => {
  const queue = new WorkQueue({ slots: 1, patienceMs: 60_000, mostWaiting: 10 });
  const log: string[] = [];
  const [broken, next] = [piece(log, 'broken'), piece(log, 'next')];
  const [first, second] = [queue.run(broken.work), queue.run(next.work)];
  broken.fail(new Error('broken'));
  next.end();
  await expect(first).rejects.toThrow('broken');
  expect(await second).toBe('next');
  const last = piece(log, 'last');
  last.end();
  expect(await queue.run(last.work)).toBe('last');
});

test('a piece that is queued for too long is refused with the time to retry and never begins', async () => {
  const queue = new WorkQueue({ slots: 1, patienceMs: 1, mostWaiting: 10 });
  const log: string[] = [];
  const [busy, late] = [piece(log, 'busy'), piece(log, 'late')];
  const first = queue.run(busy.work);
  await expect(queue.run(late.work)).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
    details: { retryAfter: 2 },
  });
  busy.end();
  await first;
  expect(log).toEqual(['busy']);
});

test('a piece beyond the limit of the queue is refused immediately', async () => {
  const queue = new WorkQueue({ slots: 1, patienceMs: 60_000, mostWaiting: 1 });
  const log: string[] = [];
  const pieces = ['a', 'b', 'c'].map((name) => piece(log, name));
  const [a, b, c] = pieces.map((one) => queue.run(one.work));
  await expect(c).rejects.toMatchObject({ code: 'unavailable' });
  for (const one of pieces) one.end();
  expect(await Promise.all([a, b])).toEqual(['a', 'b']);
});

test('a slot pauses between two pieces under load, and every piece runs', async () => {
  const queue = new WorkQueue({ slots: 1, patienceMs: 60_000, mostWaiting: 10, crowd: 1 });
  const log: string[] = [];
  const pieces = ['a', 'b', 'c'].map((name) => piece(log, name));
  const all = pieces.map((one) => queue.run(one.work));
  const begun = performance.now();
  while (performance.now() - begun < 5);
  await settle();
  for (const one of pieces) one.end();
  await all[0];
  await settle();
  expect(log).toEqual(['a']);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
});
