import type { Installation } from '../installation/Installation.ts';
import type { JobRun } from './Job.ts';

/**
 * Processes what is due in each installation, batch after batch, until a batch is not full. The lease is checked
 * before each one, and a stopping process waits for one batch at most.
 *
 * @param batchSize how much a batch takes
 * @param work does one batch and answers how much it was; what it has done must not be due again
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
