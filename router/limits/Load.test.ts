import { Load } from './Load.ts';

function open(options: { maxRequests: number; crowd?: number }) {
  const clock = { now: 0 };
  const load = new Load({ ...options, maxDelayMs: 500, now: () => clock.now });
  load.close();
  return { load, clock };
}

test('a process is full with as many executions as it may have, until one of them ends', () => {
  const { load } = open({ maxRequests: 2 });
  load.enter();
  expect(load.isFull()).toBe(false);
  load.enter();
  expect(load.isFull()).toBe(true);
  load.leave();
  expect(load.isFull()).toBe(false);
});

test('an event loop that is late refuses a crowd, and nobody else', () => {
  const { load, clock } = open({ maxRequests: 100, crowd: 2 });
  clock.now = 100 + 501;
  expect(load.isFull()).toBe(false);
  load.enter();
  load.enter();
  // While it goes on, and after it, until a beat was in time.
  expect(load.isFull()).toBe(true);
  load.beat();
  expect(load.isFull()).toBe(true);
  clock.now += 110;
  load.beat();
  expect(load.isFull()).toBe(false);
});
