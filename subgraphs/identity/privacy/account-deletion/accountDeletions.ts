import type { Job } from '../../../platform/jobs/Job.ts';
import type { PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { eraseUser, finishErasure } from './eraseUser.ts';
import { forEachUser } from './forEachUser.ts';

const job = 'identity.account-deletions';

/** Erases accounts after their grace period of 30 days, and finishes interrupted erasures. */
export function accountDeletions(personalData: readonly PersonalData[]): Job {
  return {
    name: job,
    everyMs: 10 * 60_000,
    async run(run) {
      const due = () => ({
        state: 'deletion_scheduled' as const,
        'deletion.effectiveAt': { $lte: new Date(run.platform.now()) },
      });
      for (const { id: installationId } of run.platform.installations.all) {
        const scope = { job, installationId, personalData };
        await forEachUser(run, scope, due(), async (erasure) => {
          await eraseUser(erasure, due());
        });
        await forEachUser(run, scope, { 'erasure.pending': true }, (erasure, user) =>
          finishErasure(erasure, user.erasure?.at ?? new Date(0)),
        );
      }
    },
  };
}
