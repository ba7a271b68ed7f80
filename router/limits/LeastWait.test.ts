import { LeastWait } from './LeastWait.ts';

test('a wait is that of whoever waited least since it was asked last, and none when nobody did', () => {
  const wait = new LeastWait();
  expect(wait.take()).toBe(0);
  for (const ms of [70, 51, 900]) wait.note(ms);
  expect(wait.take()).toBe(51);
  expect(wait.take()).toBe(0);
});
