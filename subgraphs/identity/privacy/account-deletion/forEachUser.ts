import { reads } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import type { Erasure } from './eraseUser.ts';

const pageSize = 100;

/** Processes accounts one after the other. A failed account is reported at the end and does not delay the others. */
export async function forEachUser(
  { platform, signal, assertHeld }: JobRun,
  scope: Pick<Erasure, 'job' | 'installationId' | 'personalData'>,
  filter: object,
  work: (erasure: Erasure, user: UserRecord) => Promise<void>,
): Promise<void> {
  const users = reads(UserModel, scope.installationId);
  const failures: unknown[] = [];
  for (let after = ''; ; ) {
    const page = await users.find(
      { $and: [filter, { _id: { $gt: after } }] },
      { projection: { erasure: 1 }, sort: { _id: 1 }, limit: pageSize },
    );
    for (const user of page) {
      if (signal.aborted) return;
      await assertHeld();
      const erasure = { ...scope, platform, userId: user._id };
      await work(erasure, user).catch((error: unknown) => failures.push(error));
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) break;
    after = last._id;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts were not erased.`);
}
