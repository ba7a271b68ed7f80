import { AppError } from '../../platform/errors/AppError.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { dealerAccount, type Posting } from '../ledger/accounts.ts';
import { insufficientBalance } from '../ledger/changeBalance.ts';
import { findTransaction, transactionId } from '../ledger/journal.ts';
import type { LedgerScope } from '../ledger/LedgerScope.ts';
import type { Standing } from '../ledger/NewTransaction.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { PaymentModel } from '../payment/model.ts';
import { RefundModel, type RefundRecord } from './model.ts';

/**
 * Takes a refund from whoever had earned it, with the commission that comes back. One that the balance does not cover is
 * called off before anybody has seen it.
 *
 * @throws AppError `insufficient_balance`
 */
export async function fundRefund(scope: LedgerScope, refund: RefundRecord): Promise<RefundRecord> {
  const refunds = scoped(RefundModel, scope.installationId);
  try {
    await take(scope, refund);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'insufficient_balance')) throw error;
    await callOff(scope, refund, error.code);
    throw error;
  }
  const at = new Date(scope.platform.now());
  const funded = await refunds.findOneAndUpdate(
    { _id: refund._id, state: 'pending', isFunded: false },
    {
      $set: { isFunded: true, dueAt: at, updatedAt: at },
      $inc: { version: 1 },
      $push: announce(scope, 'refund.created', { data: { state: 'pending' } }),
    },
  );
  const known = funded ?? (await refunds.findOne({ _id: refund._id }));
  if (known?.isFunded) return known;
  await returnRefund(scope, refund);
  throw insufficientBalance();
}

/** In one transaction with the commission that comes back, so that no moment lacks it. */
async function take(scope: LedgerScope, refund: RefundRecord): Promise<void> {
  const { _id, dealerId, disputeId, currency, amount, paymentId } = refund;
  const out: Posting = { account: 'psp_clearing', currency, amount };
  const own = { dealerId, currency, paymentId };
  const source = { type: 'refund', id: _id } as const;
  if (dealerId === null) {
    const postings = [{ account: 'fees', currency, amount: -amount }, out];
    await postTransaction(scope, { ...own, kind: 'refund', source, postings });
  } else if (disputeId !== null) {
    await takeHeld(scope, refund, dealerId, disputeId);
  } else {
    const postings = async (standing: Standing) => [...(await planTaking(standing, refund, dealerId)), out];
    await postTransaction(scope, { ...own, kind: 'refund', source, postings });
  }
}

/** Of a dispute that was lost it is what was held, and the commission comes back by itself. */
async function takeHeld(
  scope: LedgerScope,
  refund: RefundRecord,
  dealerId: string,
  disputeId: string,
): Promise<void> {
  const { _id, currency, amount, paymentId, feeAmount, feeTaxAmount } = refund;
  const own = { dealerId, currency, paymentId };
  const held = { account: dealerAccount(dealerId, 'held'), currency, amount: -amount };
  await postTransaction(scope, {
    ...own,
    kind: 'dispute_loss',
    source: { type: 'dispute', id: disputeId },
    postings: [held, { account: 'psp_clearing', currency, amount }],
  });
  if (feeAmount + feeTaxAmount === 0) return;
  const back = {
    account: dealerAccount(dealerId, 'available'),
    currency,
    amount: feeAmount + feeTaxAmount,
  };
  await postTransaction(scope, {
    ...own,
    kind: 'fee_refund',
    source: { type: 'refund', id: _id },
    postings: [...feeLines(refund, 1), back],
  });
}

/** First what the payment itself has earned, then what is available. */
async function planTaking(
  { ofPayment }: Standing,
  refund: RefundRecord,
  dealerId: string,
): Promise<Posting[]> {
  const { amount, feeAmount, feeTaxAmount, currency, paymentId } = refund;
  const { pending } = await ofPayment(paymentId);
  const net = amount - feeAmount - feeTaxAmount;
  const fromPending = Math.min(Math.max(pending, 0), net);
  return [
    { account: dealerAccount(dealerId, 'pending'), currency, amount: -fromPending },
    { account: dealerAccount(dealerId, 'available'), currency, amount: fromPending - net },
    ...feeLines(refund, 1),
  ];
}

/** The commission as it comes back, or goes out again. */
function feeLines({ currency, feeAmount, feeTaxAmount }: RefundRecord, sign: 1 | -1): Posting[] {
  return [
    { account: 'fees', currency, amount: -sign * feeAmount },
    { account: 'fee_tax', currency, amount: -sign * feeTaxAmount },
  ];
}

/** Nothing was taken: it does not count against the payment any more. */
async function callOff(scope: LedgerScope, refund: RefundRecord, failureCode: string): Promise<void> {
  const waiting = { _id: refund._id, state: 'pending' as const, isFunded: false };
  const isOff = await uncount(scope, refund, waiting, { state: 'canceled', failureCode });
  if (isOff && (await isTaken(scope, refund))) await returnRefund(scope, refund);
}

/** Gives what the provider called off back to the dealer; of a dispute that was lost it is the payer's, and stays out. */
export async function returnRefund(scope: LedgerScope, refund: RefundRecord): Promise<void> {
  const { _id, dealerId, disputeId, currency, amount, paymentId } = refund;
  if (disputeId !== null || !(await isTaken(scope, refund))) return;
  const net = amount - refund.feeAmount - refund.feeTaxAmount;
  const back =
    dealerId === null
      ? [{ account: 'fees', currency, amount }]
      : [{ account: dealerAccount(dealerId, 'available'), currency, amount: net }, ...feeLines(refund, -1)];
  await postTransaction(scope, {
    kind: 'refund_failure',
    source: { type: 'refund', id: _id },
    dealerId,
    currency,
    paymentId,
    postings: [...back, { account: 'psp_clearing', currency, amount: -amount }],
    mayOverdraw: true,
  });
}

async function isTaken(scope: LedgerScope, { _id }: RefundRecord): Promise<boolean> {
  const source = { type: 'refund', id: _id } as const;
  const transaction = transactionId(scope.installationId, { kind: 'refund', source });
  return (await findTransaction(scope, transaction)) !== null;
}

/**
 * A refund that is as the filter says does not count against its payment any more.
 *
 * @returns whether it was
 */
export function uncount(
  { installationId, platform }: LedgerScope,
  { _id, paymentId, amount }: RefundRecord,
  filter: object,
  changes: Partial<RefundRecord>,
): Promise<boolean> {
  const updatedAt = new Date(platform.now());
  return inTransaction(async (session) => {
    const changed = await scoped(RefundModel, installationId).findOneAndUpdate(
      { ...filter, _id },
      { $set: { ...changes, dueAt: null, updatedAt }, $inc: { version: 1 } },
      { session },
    );
    if (!changed) return false;
    await scoped(PaymentModel, installationId).findOneAndUpdate(
      { _id: paymentId },
      { $inc: { amountRefunded: -amount, version: 1 }, $set: { updatedAt } },
      { session },
    );
    return true;
  });
}
