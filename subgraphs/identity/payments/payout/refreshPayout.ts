import { scoped } from '../../../platform/installation/scoped.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import { PayoutModel } from './model.ts';
import { payoutsJob } from './payoutsJob.ts';

/**
 * The provider reports a change of a payout: the worker reads what it is. A payout that has arrived is read, too, because
 * a bank may send it back days later.
 *
 * @param ref id at the provider
 */
export async function refreshPayout({ installationId, platform }: LedgerContext, ref: string): Promise<void> {
  const found = await scoped(PayoutModel, installationId).findOneAndUpdate(
    { ref, state: { $in: ['in_transit', 'paid'] } },
    { $set: { dueAt: new Date(platform.now()) } },
  );
  if (found) platform.signals.send(payoutsJob.name);
}
