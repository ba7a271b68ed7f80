import type { ClientSession } from 'mongoose';
import { dealerAccount, type Posting } from '../ledger/accounts.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import { amountsOfPayment, type NewTransaction, postTransaction } from '../ledger/postTransaction.ts';
import type { FeeShare } from './feeShare.ts';
import type { RefundRecord } from './record/model.ts';

/**
 * Takes a refund from the account that earned it, together with the returned commission. For a lost dispute, the held
 * amount is taken.
 *
 * @throws AppError `insufficient_balance`
 */
export async function postRefund(
  scope: LedgerContext,
  refund: RefundRecord,
  session: ClientSession,
): Promise<void> {
  const { _id, dealerId, disputeId, currency, amount, paymentId } = refund;
  if (dealerId !== null && disputeId !== null)
    return takeHeld(scope, refund, { dealerId, disputeId }, session);
  const taken =
    dealerId === null
      ? [{ account: 'fees', currency, amount: -amount }]
      : await planTaking(scope, refund, dealerId, session);
  const postings = [...taken, { account: 'psp_clearing', currency, amount }];
  const source = { type: 'refund', id: _id } as const;
  await postTransaction(scope, { kind: 'refund', source, dealerId, currency, paymentId, postings }, session);
}

/** Takes a held amount; the commission is returned separately. */
async function takeHeld(
  scope: LedgerContext,
  refund: RefundRecord,
  { dealerId, disputeId }: { dealerId: string; disputeId: string },
  session: ClientSession,
): Promise<void> {
  const { _id, currency, amount, paymentId, feeAmount, feeTaxAmount } = refund;
  const own = { dealerId, currency, paymentId };
  const line = (account: string, value: number) => ({ account, currency, amount: value });
  const loss = [line(dealerAccount(dealerId, 'held'), -amount), line('psp_clearing', amount)];
  const dispute = { type: 'dispute', id: disputeId } as const;
  await postTransaction(scope, { ...own, kind: 'dispute_loss', source: dispute, postings: loss }, session);
  const commission = feeAmount + feeTaxAmount;
  if (commission === 0) return;
  const back = [...feeLines(refund, 1), line(dealerAccount(dealerId, 'available'), commission)];
  const source = { type: 'refund', id: _id } as const;
  await postTransaction(scope, { ...own, kind: 'fee_refund', source, postings: back }, session);
}

/** Amount that is returned to the payer, and commission that is returned to the dealer; minor units. */
export type Returned = Pick<RefundRecord, 'paymentId' | 'currency' | 'amount' | 'feeAmount' | 'feeTaxAmount'>;

/**
 * Returns the amounts that are taken from a dealer: first the earnings of the payment, then the available balance.
 * Negative amounts are returned to the dealer.
 */
export async function planTaking(
  scope: LedgerContext,
  returned: Returned,
  dealerId: string,
  session: ClientSession,
): Promise<Posting[]> {
  const { amount, feeAmount, feeTaxAmount, currency, paymentId } = returned;
  const { pending } = await amountsOfPayment(scope, { paymentId, dealerId }, session);
  const net = amount - feeAmount - feeTaxAmount;
  // If the commission exceeds the amount, both may be negative.
  const fromPending = net < 0 ? Math.max(Math.min(pending, 0), net) : Math.min(Math.max(pending, 0), net);
  return [
    { account: dealerAccount(dealerId, 'pending'), currency, amount: -fromPending },
    { account: dealerAccount(dealerId, 'available'), currency, amount: fromPending - net },
    ...feeLines(returned, 1),
  ];
}

/** Returns the postings for commission that is returned or owed again. */
function feeLines(
  { currency, feeAmount, feeTaxAmount }: FeeShare & { currency: string },
  sign: 1 | -1,
): Posting[] {
  return [
    { account: 'fees', currency, amount: -sign * feeAmount },
    { account: 'fee_tax', currency, amount: -sign * feeTaxAmount },
  ];
}

/**
 * Returns a refund that the provider canceled to its earner.
 *
 * @param share commission that is owed again
 */
export function refundFailure(refund: RefundRecord, share: FeeShare): NewTransaction {
  const { _id, dealerId, currency, amount, paymentId } = refund;
  const { feeAmount, feeTaxAmount } = share;
  const net = amount - feeAmount - feeTaxAmount;
  const back =
    dealerId === null
      ? [{ account: 'fees', currency, amount }]
      : [
          { account: dealerAccount(dealerId, 'available'), currency, amount: net },
          ...feeLines({ currency, ...share }, -1),
        ];
  return {
    kind: 'refund_failure',
    source: { type: 'refund', id: _id },
    dealerId,
    currency,
    paymentId,
    postings: [...back, { account: 'psp_clearing', currency, amount: -amount }],
    mayOverdraw: true,
  };
}

/**
 * Returns the transaction that settles a failed refund. The provider still has its money, and the platform paid it from
 * its bank account.
 */
export function refundSettlement({ _id, currency, amount, paymentId }: RefundRecord): NewTransaction {
  return {
    kind: 'refund_settlement',
    source: { type: 'refund', id: _id },
    dealerId: null,
    currency,
    paymentId,
    postings: [
      { account: 'psp_clearing', currency, amount: -amount },
      { account: 'bank', currency, amount },
    ],
  };
}
