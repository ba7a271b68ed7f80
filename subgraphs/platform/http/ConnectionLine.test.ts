import { ConnectionLine } from './ConnectionLine.ts';

function open() {
  const world = { step: 7, now: 1000 };
  const line = new ConnectionLine({ countSteps: () => world.step, now: () => world.now });
  const take = (times: number): void => {
    for (let time = 0; time < times; time++) {
      world.step++;
      world.now += 2;
      line.note();
    }
  };
  return { world, line, take };
}

test('a line stands as long as each step of the event loop takes a connection', () => {
  const { world, line, take } = open();
  take(100);
  expect(line.standsMs()).toBe(198);
  take(1);
  world.step++;
  expect(line.standsMs()).toBe(200);
  world.step++;
  expect(line.standsMs()).toBe(0);
});

test('connections that come with a break between them are no line', () => {
  const { world, line, take } = open();
  take(99);
  expect(line.standsMs()).toBe(0);
  world.step++;
  take(99);
  expect(line.standsMs()).toBe(0);
});
