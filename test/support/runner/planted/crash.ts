import { setTimeout as pause } from 'node:timers/promises';

test('fails: a callback throws', async () => {
  setTimeout(() => {
    throw new Error('planted');
  }, 1);
  await pause(50);
});
