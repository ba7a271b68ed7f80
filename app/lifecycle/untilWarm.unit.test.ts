import { setTimeout as pause } from 'node:timers/promises';
import { untilWarm } from './untilWarm.ts';

test('a process waits until its subgraphs are warm', async () => {
  const steps: string[] = [];
  const warmed = pause(20).then(() => steps.push('warm'));
  await untilWarm(warmed);
  steps.push('ready');
  expect(steps).toEqual(['warm', 'ready']);
});

test('a process whose subgraphs take too long is ready nevertheless', async () => {
  const begun = performance.now();
  await untilWarm(new Promise(() => undefined), 20);
  expect(performance.now() - begun).toBeLessThan(5000);
});
