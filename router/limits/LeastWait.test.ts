import { LeastWait } from './LeastWait.ts';

function open() {
  const world = { now: 1000 };
  return { world, wait: new LeastWait(() => world.now) };
}

test('a wait is that of whoever waited least since it was asked last', () => {
  const { wait } = open();
  expect(wait.take()).toBe(0);
  for (const ms of [70, 51, 900]) wait.note(ms);
  expect(wait.take()).toBe(51);
  wait.note(3);
  expect(wait.take()).toBe(3);
});

test('where nobody gets anything any more the last wait counts for a quarter of a second', () => {
  const { world, wait } = open();
  wait.note(80);
  expect(wait.take()).toBe(80);
  world.now += 250;
  expect(wait.take()).toBe(80);
  world.now += 1;
  expect(wait.take()).toBe(0);
});
