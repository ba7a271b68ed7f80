import { scoped } from '../../../platform/installation/scoped.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import { PayoutModel } from './model.ts';
import { payoutsJob } from './payoutsJob.ts';

/**
 * Handles the provider's event about a payout: the worker reads it. A paid payout is read as well, because a bank may
 * return it days later. A concurrent step is restarted.
 *
 * @param ref id at the provider
 */
export async function refreshPayout({ installationId, platform }: LedgerContext, ref: string): Promise<void> {
  const found = await scoped(PayoutModel, installationId).findOneAndUpdate(
    { ref, state: { $in: ['in_transit', 'paid'] } },
    { $set: { dueAt: new Date(platform.now()) }, $inc: { version: 1 } },
  );
  if (found) platform.signals.send(payoutsJob.name);
}
