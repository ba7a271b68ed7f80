import { isDeepStrictEqual } from 'node:util';
import { announce } from '../../../platform/events/outbox.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { storePayoutAccount } from '../../people/dealer/storePayoutAccount.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import type { ProviderAccount, ProviderName } from '../payment-provider/PaymentProvider.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { PayoutModel } from '../payout/model.ts';
import { cancel, payoutSteps } from '../payout/payoutSteps.ts';
import { payoutsJob } from '../payout/payoutsJob.ts';
import { takeSteps } from '../steps/takeSteps.ts';
import { PayoutAccountModel, type PayoutAccountRecord } from './record/model.ts';

/**
 * Handles the provider's event about an account: reads it and updates the dealer's record. An unknown account belongs
 * to another installation, and an account at a provider that the deployment no longer uses has no effect.
 *
 * @param ref id at the provider
 */
export async function refreshPayoutAccount(
  scope: MoneyContext,
  provider: ProviderName,
  ref: string,
): Promise<void> {
  // The dealer's record has one state: that of its account at the provider of the deployment.
  if (provider !== scope.platform.payments.provider) return;
  const known = await scoped(PayoutAccountModel, scope.installationId).findOne({ provider, ref });
  if (!known) return;
  const state = await applyAccount(scope, known);
  if (state === 'active') await sendAgain(scope, known.dealerId);
  if (state === 'rejected') await callOff(scope, known.dealerId);
}

/**
 * Stores the provider's state of an account in the dealer's record, which is read before the request. If the record has
 * changed meanwhile, a later response may already be stored, so the provider is asked again.
 */
async function applyAccount(
  scope: MoneyContext,
  account: PayoutAccountRecord,
): Promise<ProviderAccount['state'] | null> {
  const { installationId, installation, platform } = scope;
  const before = await reads(DealerModel, installationId).findOne({ _id: account.dealerId });
  if (!before) return null;
  const provider = providerOf(platform, installation, account.provider);
  const { state, requirementsDue } = await provider.readAccount(account.ref);
  const { payout } = before;
  if (payout.accountState === state && isDeepStrictEqual(payout.requirementsDue, requirementsDue))
    return state;
  const isStored = await storePayoutAccount(scope, before, { accountState: state, requirementsDue });
  return isStored ? state : applyAccount(scope, account);
}

/** Sends a returned payout again to the current bank account, and sends payouts that waited for the account. */
async function sendAgain({ installationId, platform }: MoneyContext, dealerId: string): Promise<void> {
  const payouts = scoped(PayoutModel, installationId);
  const at = new Date(platform.now());
  const set = { state: 'pending' as const, ref: null, failureCode: null, dueAt: at, updatedAt: at };
  await payouts.updateMany(
    { dealerId, state: 'failed' },
    {
      $set: set,
      $inc: { version: 1, attempt: 1 },
      $push: announce({ platform }, 'payout.retried', { data: { state: 'pending' } }),
    },
  );
  platform.signals.send(payoutsJob.name);
}

/** Cancels payouts to an account that the provider has refused. */
async function callOff(scope: MoneyContext, dealerId: string): Promise<void> {
  const open = await scoped(PayoutModel, scope.installationId).find(
    { dealerId, state: { $in: ['pending', 'on_hold', 'failed'] } },
    { sort: { createdAt: 1, _id: 1 } },
  );
  for (const payout of open) await takeSteps(payoutSteps, scope, payout, cancel(scope));
}
