import type { Job } from '../../platform/jobs/Job.ts';
import { eraseUser, finishErasure } from './eraseUser.ts';
import { forEachUser } from './forEachUser.ts';

const name = 'identity.account-deletions';

/** Erases accounts whose 30 days of grace are over, and finishes erasures that were cut short. */
export const accountDeletions: Job = {
  name,
  everyMs: 10 * 60_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) {
      await forEachUser(
        run,
        { job: name, installationId: id },
        dueBy(new Date(run.platform.now())),
        async (erasure) => {
          await eraseUser(erasure, dueBy(new Date(run.platform.now())));
        },
      );
      await forEachUser(
        run,
        { job: name, installationId: id },
        { 'erasure.pending': true },
        (erasure, user) => finishErasure(erasure, user.erasure?.at ?? new Date(0)),
      );
    }
  },
};

function dueBy(now: Date) {
  return { state: 'deletion_scheduled' as const, 'deletion.effectiveAt': { $lte: now } };
}
