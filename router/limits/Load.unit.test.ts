import { Load, type LoadOptions } from './Load.ts';

const opened: Load[] = [];
afterEach(() => {
  for (const load of opened.splice(0)) load.close();
});

/** The tests run in one step of the event loop, so the only beats are theirs. */
function open(options: Partial<LoadOptions> = {}) {
  const world = { now: 0, waitMs: 0 };
  const load = new Load({
    maxRequests: 1000,
    maxWaitMs: 50,
    few: 2,
    many: 4,
    patienceMs: 250,
    roomAtFirst: 0,
    takeWaitMs: () => world.waitMs,
    now: () => world.now,
    ...options,
  });
  opened.push(load);
  const enter = (times: number): void => {
    for (let time = 0; time < times; time++) load.enter();
  };
  const leave = (times: number): void => {
    for (let time = 0; time < times; time++) load.leave();
  };
  const beatLate = (latenessMs: number): void => {
    world.now += 25 + latenessMs;
    load.beat();
  };
  /** So many end in each beat, and as many come in their place, for ten seconds. */
  const run = (perBeat: number): void => {
    for (let beat = 0; beat < 400; beat++) {
      leave(perBeat);
      enter(perBeat);
      beatLate(0);
    }
  };
  return { load, world, enter, leave, beatLate, run };
}

test('a process is full with as many executions as it may have, until one of them ends', () => {
  const { load, enter, leave } = open({ maxRequests: 2 });
  enter(1);
  expect(load.isFull()).toBe(false);
  enter(1);
  expect(load.isFull()).toBe(true);
  leave(1);
  expect(load.isFull()).toBe(false);
});

test('executions that wait for something else than each other refuse nobody, however long they take', () => {
  const { load, enter, beatLate } = open();
  enter(999);
  for (let beat = 0; beat < 1000; beat++) beatLate(0);
  expect(load.isFull()).toBe(false);
});

test('an event loop that is late again and again refuses newcomers, and nobody any more when it is not', () => {
  const { load, enter, beatLate } = open();
  enter(2);
  beatLate(51);
  expect(load.isFull()).toBe(false);
  beatLate(51);
  expect(load.isFull()).toBe(true);
  beatLate(50);
  expect(load.isFull()).toBe(false);
});

test('a process that has just started takes in whoever comes, until so many have ended', () => {
  const { load, enter, leave, beatLate } = open({ coldRequests: 10 });
  enter(999);
  for (let beat = 0; beat < 4; beat++) beatLate(1000);
  expect(load.isFull()).toBe(false);
  leave(9);
  expect(load.isFull()).toBe(false);
  leave(1);
  expect(load.isFull()).toBe(true);
});

test('a process that is slow for longer than five seconds is slow, not cold', () => {
  const { load, enter, beatLate } = open({ coldRequests: 10 });
  enter(999);
  for (let beat = 0; beat < 6; beat++) beatLate(1000);
  expect(load.isFull()).toBe(true);
});

test('until the pace is known there is room for a program that starts', () => {
  const { load, enter, beatLate } = open({ roomAtFirst: 64 });
  enter(40);
  beatLate(51);
  beatLate(51);
  expect(load.isFull()).toBe(false);
  for (let beat = 0; beat < 10; beat++) beatLate(51);
  expect(load.isFull()).toBe(true);
});

test('one long step refuses nobody, unless very many are under way, and twice as many as there is room for', () => {
  const { load, enter, beatLate } = open();
  enter(2);
  beatLate(3000);
  expect(load.isFull()).toBe(false);
  enter(2);
  expect(load.isFull()).toBe(true);
});

test('a long step beside some that wait for a slow partner refuses nobody', () => {
  const { load, enter, beatLate } = open({ many: 128 });
  enter(127);
  for (let beat = 0; beat < 100; beat++) beatLate(0);
  beatLate(3000);
  expect(load.isFull()).toBe(false);
  enter(1);
  expect(load.isFull()).toBe(true);
});

test('very many at once are noticed within the step that reads them', () => {
  const { load, world, enter } = open();
  enter(4);
  world.now += 75;
  expect(load.isFull()).toBe(false);
  world.now += 1;
  expect(load.isFull()).toBe(true);
});

test('a crowd that is done within a quarter of a second is taken in, however late the loop is', () => {
  const { load, enter, leave, beatLate, run } = open();
  enter(100);
  // Twenty in 25 ms are 200 in 250.
  run(20);
  for (const _ of [1, 2]) {
    leave(40);
    enter(40);
    beatLate(51);
  }
  expect(load.running).toBe(100);
  expect(load.isFull()).toBe(false);
  enter(150);
  expect(load.isFull()).toBe(true);
});

test('of what costs much only as many are taken in as end within a quarter of a second', () => {
  const { load, enter, leave, beatLate, run } = open();
  enter(40);
  // One in 25 ms is ten in 250.
  run(1);
  beatLate(51);
  beatLate(51);
  expect(load.isFull()).toBe(true);
  leave(35);
  expect(load.isFull()).toBe(false);
});

test('where more are refused than are done, those who are taken in wait half as long', () => {
  const { load, enter, leave, beatLate } = open();
  const run = (refusals: number): void => {
    for (let beat = 0; beat < 100; beat++) {
      leave(10);
      enter(10);
      for (let time = 0; time < refusals; time++) load.isFull();
      // Ten in 100 ms are 25 in 250.
      beatLate(75);
    }
  };
  enter(20);
  run(9);
  expect(load.isFull()).toBe(false);
  enter(10);
  run(9);
  expect(load.isFull()).toBe(true);
  leave(10);
  run(0);
  expect(load.isFull()).toBe(false);
  enter(10);
  run(11);
  leave(10);
  expect(load.isFull()).toBe(true);
  leave(8);
  expect(load.isFull()).toBe(false);
});

test('few are never refused, and what was measured before they were many does not count', () => {
  const { load, world, enter, leave, beatLate } = open();
  enter(4);
  beatLate(500);
  beatLate(500);
  expect(load.isFull()).toBe(true);
  leave(3);
  expect(load.isFull()).toBe(false);
  for (let beat = 0; beat < 20; beat++) beatLate(500);
  world.now += 60_000;
  enter(1);
  expect(load.isFull()).toBe(false);
});

test('a line for connections to the database that stands refuses newcomers like one for the processor', () => {
  const { load, world, enter, beatLate } = open();
  enter(3);
  world.waitMs = 51;
  beatLate(0);
  expect(load.isFull()).toBe(false);
  beatLate(0);
  expect(load.isFull()).toBe(true);
  world.waitMs = 0;
  beatLate(0);
  expect(load.isFull()).toBe(false);
});

test('a wait is told while a line stands, and none when it is gone or nobody is left', () => {
  const { load, enter, leave, beatLate } = open();
  enter(2);
  beatLate(80);
  expect(load.waitMs).toBe(0);
  beatLate(60);
  expect(load.waitMs).toBe(60);
  beatLate(1);
  expect(load.waitMs).toBe(0);
  beatLate(80);
  beatLate(80);
  leave(2);
  for (let beat = 0; beat < 20; beat++) beatLate(80);
  expect(load.waitMs).toBe(0);
});

test('what is counted during its work makes room when it has ended, also in failure', async () => {
  const { load } = open();
  expect(await load.during(Promise.resolve('done'))).toBe('done');
  const failing = load.during(Promise.reject(new Error('broken')));
  expect(load.running).toBe(1);
  await expect(failing).rejects.toThrow('broken');
  expect(load.running).toBe(0);
});
