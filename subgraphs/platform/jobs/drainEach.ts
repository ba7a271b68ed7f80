import type { Installation } from '../installation/Installation.ts';
import type { JobRun } from './Job.ts';

/**
 * Processes the due work of each installation in batches, until a batch is not full. The lease is checked before each
 * one, and a stopping process waits for one batch at most.
 *
 * @param batchSize size of a batch
 * @param work processes one batch and returns its size; processed work must not be due afterwards
 */
export async function drainEach(
  run: JobRun,
  batchSize: number,
  work: (installation: Installation) => Promise<number>,
): Promise<void> {
  for (const installation of run.platform.installations.all) {
    let count = batchSize;
    while (count === batchSize && !run.signal.aborted) {
      await run.assertHeld();
      count = await work(installation);
    }
  }
}
