import pLimit from 'p-limit';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { MediaModel, type MediaRecord, mediaProcessingJob } from '../model.ts';
import { atOnce } from './examine.ts';
import { processMedia } from './processMedia.ts';

/**
 * Number of files of one installation that are processed before the next installation's turn. An import does not delay
 * other installations.
 */
const turnSize = 10;

/** Processes every waiting file. */
export const mediaProcessing: Job = {
  name: mediaProcessingJob,
  everyMs: 30_000,
  async run(run) {
    const failures: unknown[] = [];
    let queues = run.platform.installations.all.map(({ id }) => new Queue(id));
    while (queues.length > 0 && !run.signal.aborted) {
      const more: Queue[] = [];
      for (const queue of queues) {
        if (await queue.takeTurn(run, failures)) more.push(queue);
      }
      queues = more;
    }
    if (failures.length > 0 && !run.signal.aborted)
      throw new AggregateError(failures, `${failures.length} files could not be processed.`);
  },
};

/** Iterates over the waiting files of an installation, in ascending order of age, each once in a run. */
class Queue {
  readonly #media: ScopedCollection<MediaRecord>;
  #after: Pick<MediaRecord, 'stateAt' | '_id'> = { stateAt: new Date(0), _id: '' };

  constructor(installationId: string) {
    this.#media = scoped(MediaModel, installationId);
  }

  /** Processes a batch and returns false when no file is left. A failure of one file does not prevent the others. */
  async takeTurn(run: JobRun, failures: unknown[]): Promise<boolean> {
    const turn = await this.#findNext();
    await pLimit(atOnce).map(turn, async (record) => {
      if (run.signal.aborted) return;
      await run.assertHeld();
      await processMedia(run, record).catch((error: unknown) => failures.push(error));
    });
    this.#after = turn.at(-1) ?? this.#after;
    return turn.length === turnSize;
  }

  #findNext(): Promise<MediaRecord[]> {
    const { stateAt, _id } = this.#after;
    return this.#media.find(
      {
        state: 'processing',
        stateAt: { $gte: stateAt },
        $or: [{ stateAt: { $gt: stateAt } }, { _id: { $gt: _id } }],
      },
      { sort: { stateAt: 1, _id: 1 }, limit: turnSize },
    );
  }
}
