import type { RequestPayoutInput } from '../../../schema/identity.generated.ts';
import { recordAudit } from '../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { wakeJob } from '../../platform/jobs/wakeJob.ts';
import { dealerNotActive } from '../dealer/assertMayChange.ts';
import { problem } from '../dealer/checkLine.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { DealerModel } from '../dealer/model.ts';
import { insufficientBalance } from '../ledger/changeBalance.ts';
import { LedgerBalanceModel } from '../ledger/model.ts';
import { isCurrency } from '../money/isCurrency.ts';
import type { StoredMoney } from '../money/model.ts';
import { checkAmount, movablePartOf } from '../payment-provider/checkAmount.ts';
import type { PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { newPayout } from './newPayout.ts';
import { payoutsJob } from './payoutsJob.ts';
import { fundPayout, reflectionMs } from './postPayout.ts';

export async function requestPayout(
  input: RequestPayoutInput,
  context: RequestContext,
): Promise<{ payout: PayoutRecord }> {
  const { dealerId } = input;
  const dealer = await scoped(DealerModel, context.installationId).findOne({ _id: dealerId });
  if (!dealer) throw notFound('The dealer');
  const _id = context.attempt.newId('payout');
  // An earlier run under the same key may have died before it could say so.
  const earlier = await scoped(PayoutModel, context.installationId).findOne({ _id });
  const payout = earlier ?? (await begin(_id, input, dealer, context));
  const funded = payout.isFunded ? payout : await fundPayout(context, payout);
  await recordAudit(context, { action: 'requestPayout', target: { type: 'payout', id: _id } });
  wakeJob(context.platform, payoutsJob.name, { afterMs: reflectionMs });
  return { payout: funded };
}

/** Refused in this order: the dealer, its account, the amount. */
async function begin(
  _id: string,
  { amount: stated }: RequestPayoutInput,
  dealer: DealerRecord,
  context: RequestContext,
): Promise<PayoutRecord> {
  const provider = providerOf(context.platform, context.installation);
  if (stated) assertAmount(stated, provider);
  if (dealer.state !== 'active') throw dealerNotActive();
  assertPayable(dealer);
  const amount = stated ?? (await everythingOf(dealer, context, provider));
  assertMinimum(dealer, amount);
  const payout = newPayout(context, { _id, dealerId: dealer._id, amount, kind: 'manual' });
  return scoped(PayoutModel, context.installationId).insert(payout);
}

function assertAmount(money: StoredMoney, provider: PaymentProvider): void {
  const { amount, currency } = money;
  const problems = [
    ...(amount > 0 ? [] : [problem('#/amount/amount', 'There is something to be paid out.')]),
    ...(isCurrency(currency) ? [] : [problem('#/amount/currency', 'This is no ISO 4217 code.')]),
    ...checkAmount(provider, money, '#/amount/amount', 'payout'),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}

/** @throws AppError `payout_account_not_ready` */
function assertPayable({ payout }: DealerRecord): void {
  if (payout.accountState === 'active') return;
  throw new AppError(
    'payout_account_not_ready',
    'The dealer’s account at the payment provider is not ready: ask for an onboarding link.',
  );
}

/** Whether an amount is too small for this dealer; in another currency than its own there is no minimum. */
export function isBelowMinimum({ payout }: DealerRecord, { amount, currency }: StoredMoney): boolean {
  const { minimumAmount } = payout;
  return currency === minimumAmount.currency && amount < minimumAmount.amount;
}

function assertMinimum(dealer: DealerRecord, amount: StoredMoney): void {
  if (!isBelowMinimum(dealer, amount)) return;
  const { amount: least, currency } = dealer.payout.minimumAmount;
  throw new AppError(
    'payout_below_minimum',
    `A payout of this dealer is at least ${least} minor units of ${currency}.`,
  );
}

/** As much of it as the provider can pay out. */
async function everythingOf(
  { _id, currency }: DealerRecord,
  context: RequestContext,
  provider: PaymentProvider,
): Promise<StoredMoney> {
  const balances = scoped(LedgerBalanceModel, context.installationId);
  const balance = await balances.findOne({ dealerId: _id, currency });
  const available = { amount: balance?.accounts.available ?? 0, currency };
  const amount = movablePartOf(provider, available, 'payout');
  if (amount <= 0) throw insufficientBalance();
  return { amount, currency };
}
