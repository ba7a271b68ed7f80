import { scoped } from '../../platform/installation/scoped.ts';
import { wakeJob } from '../../platform/jobs/wakeJob.ts';
import { PayoutModel } from './model.ts';
import { payoutsJob } from './payoutsJob.ts';
import type { PayoutScope } from './workOnPayout.ts';

/**
 * The provider says that something became of a payout: the worker asks it what. One that nobody waits for, as one that
 * has arrived, stays as it is.
 *
 * @param ref id at the provider
 */
export async function refreshPayout(
  { installationId, platform }: Pick<PayoutScope, 'installationId' | 'platform'>,
  ref: string,
): Promise<void> {
  const found = await scoped(PayoutModel, installationId).findOneAndUpdate(
    { ref, state: 'in_transit' },
    { $set: { dueAt: new Date(platform.now()) } },
  );
  if (found) wakeJob(platform, payoutsJob.name);
}
