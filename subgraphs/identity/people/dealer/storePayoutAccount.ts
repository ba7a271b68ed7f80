import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel, type DealerRecord } from './model.ts';

/**
 * Stores the state of a dealer's account at the payment provider, and what the provider requires, unless the dealer has
 * changed since it was read. Returns whether it was stored.
 */
export async function storePayoutAccount(
  { installationId, platform }: InstallationContext,
  { _id, version }: DealerRecord,
  { accountState, requirementsDue }: Pick<DealerRecord['payout'], 'accountState' | 'requirementsDue'>,
): Promise<boolean> {
  const changed = await scoped(DealerModel, installationId).findOneAndUpdate(
    { _id, version },
    {
      $set: {
        'payout.accountState': accountState,
        'payout.requirementsDue': requirementsDue,
        updatedAt: new Date(platform.now()),
      },
      $inc: { version: 1 },
    },
  );
  return changed !== null;
}
