import { setImmediate as pause } from 'node:timers/promises';
import type { Slices } from './Slices.ts';

/** Maximum time for which other requests wait, in milliseconds. */
const sliceMs = 5;

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs work on columns when its turn comes. Everything that reads or changes columns uses this queue, and works run one
 * after the other. Each work therefore sees consistent columns and may use the process's scratch arrays. Between
 * slices, the process answers other requests.
 *
 * @param signal if it is aborted before its turn, the work does not start
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
