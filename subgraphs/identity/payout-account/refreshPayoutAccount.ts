import { isDeepStrictEqual } from 'node:util';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import type { LedgerContext, MoneyContext } from '../money/MoneyContext.ts';
import { takeSteps } from '../money/takeSteps.ts';
import type { ProviderAccount, ProviderName } from '../payment-provider/PaymentProvider.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { PayoutModel } from '../payout/model.ts';
import { cancel, payoutSteps } from '../payout/payoutSteps.ts';
import { payoutsJob } from '../payout/payoutsJob.ts';
import { PayoutAccountModel } from './model.ts';

/**
 * The provider says that something became of an account: it is asked what, and the dealer's record follows. An account
 * that nobody here has is none of ours.
 *
 * @param ref id at the provider
 */
export async function refreshPayoutAccount(
  scope: MoneyContext,
  provider: ProviderName,
  ref: string,
): Promise<void> {
  const { installationId, installation, platform } = scope;
  const known = await scoped(PayoutAccountModel, installationId).findOne({ provider, ref });
  if (!known) return;
  const account = await providerOf(platform, installation, provider).readAccount(ref);
  await applyAccount(scope, known.dealerId, account);
  if (account.state === 'active') await sendAgain(scope, known.dealerId);
  if (account.state === 'rejected') await callOff(scope, known.dealerId);
}

/** Writes down what the provider says of a dealer's account. */
export async function applyAccount(
  { installationId, platform }: LedgerContext,
  dealerId: string,
  { state, requirementsDue }: ProviderAccount,
): Promise<void> {
  const dealers = scoped(DealerModel, installationId);
  const before = await dealers.findOne({ _id: dealerId });
  if (!before) return;
  const { payout } = before;
  if (payout.accountState === state && isDeepStrictEqual(payout.requirementsDue, requirementsDue)) return;
  await dealers.findOneAndUpdate(
    { _id: dealerId },
    {
      $set: {
        'payout.accountState': state,
        'payout.requirementsDue': requirementsDue,
        updatedAt: new Date(platform.now()),
      },
      $inc: { version: 1 },
    },
  );
}

/** What came back goes again, to whatever bank details there are now; what waited for the account goes. */
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

/** Nothing goes to an account that the provider has refused. */
async function callOff(scope: MoneyContext, dealerId: string): Promise<void> {
  const open = await scoped(PayoutModel, scope.installationId).find(
    { dealerId, state: { $in: ['pending', 'on_hold', 'failed'] } },
    { sort: { createdAt: 1, _id: 1 } },
  );
  for (const payout of open) await takeSteps(payoutSteps, scope, payout, cancel(scope));
}
