import type { Installation } from '../installation/Installation.ts';
import type { JobRun } from './Job.ts';

/**
 * Works off what is due in each installation, a batch after another, until a batch is not full any more. The lease is
 * looked at before each one, and an end of the process waits for one batch at most.
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
