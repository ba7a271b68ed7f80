import type { Job } from '../../../platform/jobs/Job.ts';
import { dayMs, hourMs } from '../../../platform/time/durations.ts';
import type { PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { eraseUser } from './eraseUser.ts';
import { forEachUser } from './forEachUser.ts';

const job = 'identity.unconfirmed-accounts';
const graceMs = 30 * dayMs;

/** Erases accounts whose address was never confirmed, because it may belong to another person. */
export function unconfirmedAccounts(personalData: readonly PersonalData[]): Job {
  return {
    name: job,
    everyMs: hourMs,
    async run(run) {
      const createdAt = { $lte: new Date(run.platform.now() - graceMs) };
      const due = { state: 'unverified' as const, createdAt };
      for (const { id: installationId } of run.platform.installations.all)
        await forEachUser(run, { job, installationId, personalData }, due, async (erasure) => {
          await eraseUser(erasure, due);
        });
    },
  };
}
