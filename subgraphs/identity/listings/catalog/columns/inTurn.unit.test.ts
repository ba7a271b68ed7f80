import { setImmediate as pause } from 'node:timers/promises';
import { inTurn } from './inTurn.ts';
import type { Slices } from './Slices.ts';

/** Takes longer than the limit of a slice in each step. */
function* slow(steps: string[], name: string): Slices<string> {
  for (let step = 1; step <= 3; step += 1) {
    for (const end = performance.now() + 6; performance.now() < end; );
    steps.push(`${name}${step}`);
    yield;
  }
  return name;
}

test('tasks run sequentially, and other requests are processed between their slices', async () => {
  const steps: string[] = [];
  let answers = 0;
  const over = new AbortController();
  const others = (async () => {
    for (; !over.signal.aborted; answers += 1) await pause();
  })();
  const results = await Promise.all([inTurn(() => slow(steps, 'a')), inTurn(() => slow(steps, 'b'))]);
  over.abort();
  await others;
  expect(results).toEqual(['a', 'b']);
  expect(steps).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
  expect(answers).toBeGreaterThanOrEqual(4);
});

test('a task that fails does not affect the next one', async () => {
  const failing = inTurn(function* (): Slices<void> {
    yield;
    throw new Error('spilt');
  });
  const following = inTurn(() => slow([], 'c'));
  await expect(failing).rejects.toThrow('spilt');
  await expect(following).resolves.toBe('c');
});

test('a task whose caller has disconnected is not started', async () => {
  const steps: string[] = [];
  const gone = new AbortController();
  const first = inTurn(() => slow(steps, 'd'));
  const second = inTurn(() => slow(steps, 'e'), gone.signal);
  gone.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  await first;
  await inTurn(() => slow(steps, 'f'));
  expect(steps.join(' ')).toBe('d1 d2 d3 f1 f2 f3');
});
