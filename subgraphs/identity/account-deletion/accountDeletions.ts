import { scoped } from '../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../platform/jobs/Job.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { type Erasure, eraseUser, finishErasure } from './eraseUser.ts';

const name = 'identity.account-deletions';

/** Erases accounts whose 30 days of grace are over, and finishes erasures that were cut short. */
export const accountDeletions: Job = {
  name,
  everyMs: 10 * 60_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) {
      await forEachUser(run, id, dueBy(new Date(run.platform.now())), async (erasure) => {
        await eraseUser(erasure, dueBy(new Date(run.platform.now())));
      });
      await forEachUser(run, id, { 'erasure.pending': true }, (erasure, user) =>
        finishErasure(erasure, user.erasure?.at ?? new Date(0)),
      );
    }
  },
};

function dueBy(now: Date) {
  return { state: 'deletion_scheduled' as const, 'deletion.effectiveAt': { $lte: now } };
}

const pageSize = 100;

/** One account after the other; one that fails is told at the end and keeps none of the others from their turn. */
async function forEachUser(
  { platform, signal, assertHeld }: JobRun,
  installationId: string,
  filter: object,
  work: (erasure: Erasure, user: UserRecord) => Promise<void>,
): Promise<void> {
  const users = scoped(UserModel, installationId);
  const failures: unknown[] = [];
  for (let after = ''; ; ) {
    const page = await users.find(
      { $and: [filter, { _id: { $gt: after } }] },
      { projection: { erasure: 1 }, sort: { _id: 1 }, limit: pageSize },
    );
    for (const user of page) {
      if (signal.aborted) return;
      await assertHeld();
      const erasure = { platform, installationId, userId: user._id, job: name };
      await work(erasure, user).catch((error: unknown) => failures.push(error));
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) break;
    after = last._id;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts were not erased.`);
}
