import { setTimeout as pause } from 'node:timers/promises';

test('fails: a rejected promise has no handler', async () => {
  void Promise.reject(new Error('planted'));
  await pause(50);
});
