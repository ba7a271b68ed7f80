import { setImmediate as pause } from 'node:timers/promises';
import type { Slices } from './Slices.ts';

/** Others wait for their answers no longer than this at a time. */
const sliceMs = 5;

let previous: Promise<unknown> = Promise.resolve();

/**
 * Does work on columns when its turn comes: whatever reads or changes columns comes here, and one work is done from
 * its beginning to its end before another one, so each finds the columns as no other one leaves them halfway and may
 * use the process's scratch arrays. Between its slices the process answers others.
 *
 * @param signal work whose result is no longer awaited does not begin
 * @throws what the work throws, or the reason of the signal
 */
export function inTurn<R>(work: () => Slices<R>, signal?: AbortSignal): Promise<R> {
  const mine = previous.then(() => {
    signal?.throwIfAborted();
    return inSlices(work());
  });
  previous = mine.catch(() => undefined);
  return mine;
}

async function inSlices<R>(slices: Slices<R>): Promise<R> {
  let begun = performance.now();
  for (let step = slices.next(); ; step = slices.next()) {
    if (step.done) return step.value;
    if (performance.now() - begun < sliceMs) continue;
    await pause();
    begun = performance.now();
  }
}
