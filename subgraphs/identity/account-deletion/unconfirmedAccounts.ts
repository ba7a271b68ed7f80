import type { Job } from '../../platform/jobs/Job.ts';
import { eraseUser } from './eraseUser.ts';
import { forEachUser } from './forEachUser.ts';

const job = 'identity.unconfirmed-accounts';
const graceMs = 30 * 24 * 3_600_000;

/** Erases accounts whose address was never confirmed: it may belong to somebody who wants none. */
export const unconfirmedAccounts: Job = {
  name: job,
  everyMs: 3_600_000,
  async run(run) {
    const due = {
      state: 'unverified' as const,
      createdAt: { $lte: new Date(run.platform.now() - graceMs) },
    };
    for (const { id } of run.platform.installations.all) {
      await forEachUser(run, { job, installationId: id }, due, async (erasure) => {
        await eraseUser(erasure, due);
      });
    }
  },
};
