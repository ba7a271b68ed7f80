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

test('an event loop that is late again and again refuses a crowd, and nobody else', () => {
  const { load, clock } = open({ maxRequests: 100, crowd: 2 });
  const beatAfter = (milliseconds: number): void => {
    clock.now += milliseconds;
    load.beat();
  };
  load.enter();
  beatAfter(601);
  beatAfter(601);
  expect(load.isFull()).toBe(false);
  load.enter();
  expect(load.isFull()).toBe(true);
  beatAfter(110);
  expect(load.isFull()).toBe(false);
  // One long step is no overload.
  beatAfter(3000);
  expect(load.isFull()).toBe(false);
});
