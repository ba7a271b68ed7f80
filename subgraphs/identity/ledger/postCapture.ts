import { scoped } from '../../platform/installation/scoped.ts';
import { dealerAccount } from './accounts.ts';
import type { LedgerScope } from './LedgerScope.ts';
import { MaturityModel } from './model.ts';
import { postTransaction } from './postTransaction.ts';

/** Money that a provider has collected; amounts in minor units. */
export interface Capture {
  paymentId: string;
  /** Who earns it; null for what is sold by the installation itself. */
  dealerId: string | null;
  currency: string;
  amount: number;
  /** Commission as it was frozen, without its tax. */
  feeAmount: number;
  feeTaxAmount: number;
  capturedAt: Date;
}

const dayMs = 24 * 3600 * 1000;
const longestDays = 30;

/**
 * Books what was captured: the amount to the dealer, then the commission and its tax from there. It waits in `pending`
 * for as long as the installation says; what is sold by the installation itself is its fee. May be called again at any
 * time, and must be until it has answered.
 *
 * @param earningsHeldDays setting of the installation, 0 to 30
 */
export async function postCapture(
  scope: LedgerScope,
  capture: Capture,
  earningsHeldDays: number,
): Promise<void> {
  const { paymentId, dealerId, currency, amount } = capture;
  const source = { type: 'payment', id: paymentId } as const;
  const line = (account: string, value: number) => ({ account, currency, amount: value });
  if (dealerId === null) {
    const postings = [line('psp_clearing', -amount), line('fees', amount)];
    await postTransaction(scope, { kind: 'charge', source, dealerId, currency, paymentId, postings });
    return;
  }
  const heldMs = Math.min(Math.max(earningsHeldDays, 0), longestDays) * dayMs;
  const availableAt = new Date(capture.capturedAt.getTime() + heldMs);
  const own = dealerAccount(dealerId, heldMs === 0 ? 'available' : 'pending');
  if (heldMs > 0) await remindOfRelease(scope, { _id: paymentId, dealerId, currency, dueAt: availableAt });
  const common = { source, dealerId, currency, paymentId };
  await postTransaction(scope, {
    ...common,
    kind: 'charge',
    availableAt,
    postings: [line('psp_clearing', -amount), line(own, amount)],
  });
  const { feeAmount, feeTaxAmount } = capture;
  if (feeAmount + feeTaxAmount === 0) return;
  await postTransaction(scope, {
    ...common,
    kind: 'fee',
    // A fixed commission may be more than a small price.
    mayOverdraw: true,
    postings: [line(own, -feeAmount - feeTaxAmount), line('fees', feeAmount), line('fee_tax', feeTaxAmount)],
  });
}

/** Before the charge: of one that is booked and not remembered nobody would know that it becomes available. */
async function remindOfRelease(
  { installationId }: LedgerScope,
  maturity: { _id: string; dealerId: string; currency: string; dueAt: Date },
): Promise<void> {
  await scoped(MaturityModel, installationId).insertAbsent([maturity]);
}
