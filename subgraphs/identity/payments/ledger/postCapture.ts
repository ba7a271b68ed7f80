import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { StoredMoney } from '../../kernel/money/model.ts';
import { dealerAccount } from './accounts.ts';
import type { LedgerContext } from './MoneyContext.ts';
import { MaturityModel } from './model.ts';
import { postTransaction } from './postTransaction.ts';

/** Money that a provider has collected; amounts in minor units. */
export interface Capture {
  paymentId: string;
  /** Dealer who earns the amount; null for a sale by the installation itself. */
  dealerId: string | null;
  currency: string;
  amount: number;
  /** Frozen commission, without its tax. */
  feeAmount: number;
  feeTaxAmount: number;
  capturedAt: Date;
}

const longestDays = 30;

/** Books the provider's fee for a capture once. The platform bears it. A fee of 0 is not booked. */
export async function postProviderFee(
  scope: LedgerContext,
  { paymentId, fee: { amount, currency } }: { paymentId: string; fee: StoredMoney },
  session: ClientSession,
): Promise<void> {
  if (amount === 0) return;
  const postings = [
    { account: 'provider_fees', currency, amount: -amount },
    { account: 'psp_clearing', currency, amount },
  ];
  const source = { type: 'payment', id: paymentId } as const;
  await postTransaction(
    scope,
    { kind: 'provider_fee', source, dealerId: null, currency, paymentId, postings },
    session,
  );
}

/**
 * Books a capture in the transaction that records it: the amount to the dealer, then the commission and its tax from
 * there. Earnings stay in `pending` for the period that the installation sets. A sale by the installation itself is
 * booked as its fee. A payment that is already booked does not change.
 *
 * @param earningsHeldDays setting of the installation, 0 to 30
 */
export async function postCapture(
  scope: LedgerContext,
  capture: Capture,
  earningsHeldDays: number,
  session: ClientSession,
): Promise<void> {
  const { paymentId, dealerId, currency, amount } = capture;
  const line = (account: string, value: number) => ({ account, currency, amount: value });
  const source = { type: 'payment', id: paymentId } as const;
  const common = { kind: 'charge', source, dealerId, currency, paymentId } as const;
  if (dealerId === null) {
    const postings = [line('psp_clearing', -amount), line('fees', amount)];
    await postTransaction(scope, { ...common, postings }, session);
    return;
  }
  const heldMs = Math.min(Math.max(earningsHeldDays, 0), longestDays) * dayMs;
  const availableAt = new Date(capture.capturedAt.getTime() + heldMs);
  const own = dealerAccount(dealerId, heldMs === 0 ? 'available' : 'pending');
  const earned = [line('psp_clearing', -amount), line(own, amount)];
  const { isNew } = await postTransaction(scope, { ...common, availableAt, postings: earned }, session);
  if (!isNew) return;
  const { feeAmount, feeTaxAmount } = capture;
  if (feeAmount + feeTaxAmount > 0) {
    const fees = [line('fees', feeAmount), line('fee_tax', feeTaxAmount)];
    const postings = [line(own, -feeAmount - feeTaxAmount), ...fees];
    // A fixed commission may exceed a small price.
    await postTransaction(scope, { ...common, kind: 'fee', mayOverdraw: true, postings }, session);
  }
  if (heldMs === 0) return;
  const maturity = { _id: paymentId, dealerId, currency, dueAt: availableAt };
  await scoped(MaturityModel, scope.installationId).insert(maturity, { session });
}
