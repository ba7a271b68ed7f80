import { scoped } from '../../../platform/installation/scoped.ts';
import { dueJob } from '../../../platform/jobs/dueJob.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import { takeSteps } from '../steps/takeSteps.ts';
import { RefundModel } from './record/model.ts';
import { refundSteps } from './refundSteps.ts';

/** Continues refunds that were cut short, that the provider has not decided, or that failed. */
export const refundsJob = dueJob({
  name: 'identity.refunds',
  everyMs: 15_000,
  model: RefundModel,
  due: 'dueAt',
  retryMs: 60_000,
  work: (scope, refund) => takeSteps(refundSteps, scope, refund),
});

/**
 * The provider says that something became of a refund: the worker asks it what.
 *
 * @param ref id at the provider
 */
export async function refreshRefund({ installationId, platform }: LedgerContext, ref: string): Promise<void> {
  const found = await scoped(RefundModel, installationId).findOneAndUpdate(
    { ref, state: { $in: ['pending', 'succeeded'] } },
    { $set: { dueAt: new Date(platform.now()) } },
  );
  if (found) platform.signals.send(refundsJob.name);
}
