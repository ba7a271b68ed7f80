import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import type { RequestPayoutInput } from '../../identity.generated.ts';
import { dealerNotActive } from '../../kernel/dealer-standing/assertMayChange.ts';
import { isCurrency } from '../../kernel/money/isCurrency.ts';
import type { StoredMoney } from '../../kernel/money/model.ts';
import type { DealerRecord } from '../../people/dealer/model.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { LedgerBalanceModel, type LedgerBalanceRecord } from '../ledger/model.ts';
import { insufficientBalance } from '../ledger/postTransaction.ts';
import { checkAmount, movablePartOf } from '../payment-provider/checkAmount.ts';
import type { PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { createPayout, reflectionMs } from './createPayout.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { payoutsJob } from './payoutsJob.ts';

export async function requestPayout(
  input: RequestPayoutInput,
  context: RequestContext,
): Promise<{ payout: PayoutRecord }> {
  const _id = context.attempt.newId('payout');
  const payout = await inLedgerTransaction(input.dealerId, async (session) => {
    // An earlier run under the same key may have crashed before it responded.
    const earlier = await scoped(PayoutModel, context.installationId).findOne({ _id }, { session });
    return earlier ?? (await begin(_id, input, context, session));
  });
  context.platform.signals.send(payoutsJob.name, { afterMs: reflectionMs });
  return { payout };
}

/** Checks the dealer, its account and the amount, in this order, and stores the payout. */
async function begin(
  _id: string,
  { dealerId, amount: stated }: RequestPayoutInput,
  context: RequestContext,
  session: ClientSession,
): Promise<PayoutRecord> {
  const dealer = await reads(DealerModel, context.installationId).findOne({ _id: dealerId }, { session });
  if (!dealer) throw notFound('The dealer');
  const provider = providerOf(context.platform, context.installation);
  if (stated) assertAmount(stated, provider);
  if (dealer.state !== 'active') throw dealerNotActive();
  assertPayable(dealer);
  const amount = stated ?? (await everythingOf(context, dealer, session));
  assertMinimum(dealer, amount);
  const payout = await createPayout(context, { _id, dealerId, amount, kind: 'manual' }, session);
  const target = { type: 'payout', id: _id };
  await recordAudit(context, { action: 'requestPayout', target }, { session });
  return payout;
}

function assertAmount(money: StoredMoney, provider: PaymentProvider): void {
  const { amount, currency } = money;
  const problems = [
    ...(amount > 0 ? [] : [problem('#/amount/amount', 'The amount must be greater than 0.')]),
    ...(isCurrency(currency)
      ? []
      : [problem('#/amount/currency', 'A currency must be an ISO 4217 code, such as EUR.')]),
    ...checkAmount(provider, money, '#/amount/amount', 'payout'),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}

/**
 * Checks that the dealer can be paid.
 *
 * @throws AppError `payout_account_not_ready`
 */
function assertPayable({ payout }: DealerRecord): void {
  if (payout.accountState === 'active') return;
  throw new AppError(
    'payout_account_not_ready',
    'The dealer’s account at the payment provider is not ready. Request an onboarding link and complete the onboarding.',
  );
}

/**
 * Returns whether an amount is below the dealer's minimum; there is no minimum in other currencies than the dealer's
 * own.
 */
export function isBelowMinimum({ payout }: DealerRecord, { amount, currency }: StoredMoney): boolean {
  const { minimumAmount } = payout;
  return currency === minimumAmount.currency && amount < minimumAmount.amount;
}

function assertMinimum(dealer: DealerRecord, amount: StoredMoney): void {
  if (!isBelowMinimum(dealer, amount)) return;
  const { amount: least, currency } = dealer.payout.minimumAmount;
  throw new AppError(
    'payout_below_minimum',
    `The smallest payout of this dealer is ${least} minor units of ${currency}.`,
  );
}

/**
 * Returns the whole payable balance.
 *
 * @throws AppError `insufficient_balance`
 */
async function everythingOf(
  context: RequestContext,
  { _id: dealerId, currency }: DealerRecord,
  session: ClientSession,
): Promise<StoredMoney> {
  const balances = scoped(LedgerBalanceModel, context.installationId);
  const balance = await balances.findOne({ dealerId, currency }, { session });
  const amount = balance && payableOf(context, balance);
  if (!amount || amount.amount <= 0) throw insufficientBalance();
  return amount;
}

/** Returns the part of the available balance that the provider can pay out; 0 or less if there is none. */
export function payableOf(
  { platform, installation }: MoneyContext,
  { accounts, currency }: Pick<LedgerBalanceRecord, 'accounts' | 'currency'>,
): StoredMoney {
  const available = { amount: accounts.available, currency };
  return { amount: movablePartOf(providerOf(platform, installation), available, 'payout'), currency };
}
