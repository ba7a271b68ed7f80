import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { wakeJob } from '../../platform/jobs/wakeJob.ts';
import { leaseMs } from '../money/times.ts';
import { RefundModel, type RefundRecord } from './model.ts';
import { isUncovered, type RefundScope, workOnRefund } from './workOnRefund.ts';

const batchSize = 50;
/** What went wrong for no reason that is known is tried again then. */
const againMs = 60_000;

/** Goes on with refunds that were cut short, that the provider has not decided, or that failed. */
export const refundsJob: Job = {
  name: 'identity.refunds',
  everyMs: 15_000,
  leaseMs,
  run: (run) =>
    drainEach(run, batchSize, async (installation) => {
      const { platform } = run;
      const due = await scoped(RefundModel, installation.id).find(
        { dueAt: { $lte: new Date(platform.now()), $type: 'date' } },
        { sort: { dueAt: 1, _id: 1 }, limit: batchSize },
      );
      for (const refund of due) {
        if (run.signal.aborted) break;
        await run.assertHeld();
        await attempt({ installationId: installation.id, installation, platform }, refund);
      }
      return due.length;
    }),
};

/** One that cannot be worked on does not keep the others waiting. */
async function attempt(scope: RefundScope, refund: RefundRecord): Promise<void> {
  const { _id, dueAt } = refund;
  try {
    await workOnRefund(scope, refund);
  } catch (error) {
    if (!isUncovered(error)) scope.platform.log.error({ err: error, refundId: _id }, 'refund not worked on');
  }
  // Whoever moved it has said when it is due again.
  const later = new Date(scope.platform.now() + againMs);
  await scoped(RefundModel, scope.installationId).findOneAndUpdate(
    { _id, dueAt },
    { $set: { dueAt: later } },
  );
}

/**
 * The provider says that something became of a refund: the worker asks it what.
 *
 * @param ref id at the provider
 */
export async function refreshRefund(
  { installationId, platform }: Pick<RefundScope, 'installationId' | 'platform'>,
  ref: string,
): Promise<void> {
  const found = await scoped(RefundModel, installationId).findOneAndUpdate(
    { ref, state: { $in: ['pending', 'succeeded'] } },
    { $set: { dueAt: new Date(platform.now()) } },
  );
  if (found) wakeJob(platform, refundsJob.name);
}
