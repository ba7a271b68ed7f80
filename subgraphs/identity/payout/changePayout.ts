import { scoped } from '../../platform/installation/scoped.ts';
import type { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { newsOf } from './newsOf.ts';
import type { PayoutScope } from './PayoutScope.ts';

/**
 * Changes a payout that is still as it was read; null when another process has moved it meanwhile.
 *
 * @param failure of the order that was just tried: one that the provider repeats makes the next order a new one
 */
export async function changePayout(
  { installationId, platform }: PayoutScope,
  payout: PayoutRecord,
  changes: Partial<PayoutRecord>,
  failure: ProviderFailure | null = null,
): Promise<PayoutRecord | null> {
  const { _id, state, attempt, version } = payout;
  return scoped(PayoutModel, installationId).findOneAndUpdate(
    { _id, state, attempt, version },
    {
      $set: { ...changes, updatedAt: new Date(platform.now()) },
      $inc: { version: 1, ...(failure?.isKept && { tries: 1 }) },
      ...newsOf({ platform }, payout, changes),
    },
  );
}
