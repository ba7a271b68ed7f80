import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { leaseMs } from '../money/times.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import type { PayoutScope } from './PayoutScope.ts';
import { workOnPayout } from './workOnPayout.ts';

const batchSize = 50;
/** What went wrong for no reason that is known is tried again then. */
const againMs = 60_000;

/** Sends payouts to the provider and learns what became of them. */
export const payoutsJob: Job = {
  name: 'identity.payouts',
  everyMs: 15_000,
  leaseMs,
  run: (run) =>
    drainEach(run, batchSize, async (installation) => {
      const { platform } = run;
      const scope: PayoutScope = { installationId: installation.id, installation, platform };
      const due = await scoped(PayoutModel, installation.id).find(
        { dueAt: { $lte: new Date(platform.now()), $type: 'date' } },
        { sort: { dueAt: 1, _id: 1 }, limit: batchSize },
      );
      for (const payout of due) {
        if (run.signal.aborted) break;
        await run.assertHeld();
        await attempt(scope, payout);
      }
      return due.length;
    }),
};

/** One that cannot be worked on does not keep the others waiting. */
async function attempt(scope: PayoutScope, payout: PayoutRecord): Promise<void> {
  const { _id, dueAt } = payout;
  try {
    await workOnPayout(scope, payout);
  } catch (error) {
    scope.platform.log.error({ err: error, payoutId: _id }, 'payout not worked on');
  }
  // Whoever moved it has said when it is due again.
  const later = new Date(scope.platform.now() + againMs);
  await scoped(PayoutModel, scope.installationId).findOneAndUpdate(
    { _id, dueAt },
    { $set: { dueAt: later } },
  );
}
