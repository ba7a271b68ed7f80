import { AppError } from '../../platform/errors/AppError.ts';
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
  await giveFeeBack(scope, refund);
  const at = new Date(scope.platform.now());
  const funded = await refunds.findOneAndUpdate(
    { _id: refund._id, state: 'pending', isFunded: false },
    { $set: { isFunded: true, dueAt: at, updatedAt: at }, $inc: { version: 1 } },
  );
  const known = funded ?? (await refunds.findOne({ _id: refund._id }));
  if (known?.isFunded) return known;
  await returnRefund(scope, refund);
  throw insufficientBalance();
}

/** Of a dispute that was lost it is what was held; else what the payment has left, then what is available. */
async function take(scope: LedgerScope, refund: RefundRecord): Promise<void> {
  const { _id, dealerId, disputeId, currency, amount, paymentId } = refund;
  const out: Posting = { account: 'psp_clearing', currency, amount };
  const own = { dealerId, currency, paymentId };
  const source = { type: 'refund', id: _id } as const;
  if (dealerId === null) {
    const postings = [{ account: 'fees', currency, amount: -amount }, out];
    await postTransaction(scope, { ...own, kind: 'refund', source, postings });
  } else if (disputeId !== null) {
    const postings = [{ account: dealerAccount(dealerId, 'held'), currency, amount: -amount }, out];
    const dispute = { type: 'dispute', id: disputeId } as const;
    await postTransaction(scope, { ...own, kind: 'dispute_loss', source: dispute, postings });
  } else {
    const postings = async (standing: Standing) => [...(await planTaking(standing, refund, dealerId)), out];
    await postTransaction(scope, { ...own, kind: 'refund', source, postings, mayOverdraw: true });
  }
}

/** The commission that comes back counts: for a moment the account may lack that much. */
async function planTaking(
  { accounts, ofPayment }: Standing,
  { amount, feeAmount, feeTaxAmount, currency, paymentId }: RefundRecord,
  dealerId: string,
): Promise<Posting[]> {
  const { pending } = await ofPayment(paymentId);
  const fromPending = Math.min(Math.max(pending, 0), amount);
  const fromAvailable = amount - fromPending;
  if (fromAvailable > 0 && accounts.available + feeAmount + feeTaxAmount < fromAvailable)
    throw insufficientBalance();
  return [
    { account: dealerAccount(dealerId, 'pending'), currency, amount: -fromPending },
    { account: dealerAccount(dealerId, 'available'), currency, amount: -fromAvailable },
  ];
}

async function giveFeeBack(scope: LedgerScope, refund: RefundRecord): Promise<void> {
  const { _id, dealerId, currency, paymentId, feeAmount, feeTaxAmount } = refund;
  if (dealerId === null || feeAmount + feeTaxAmount === 0) return;
  await postTransaction(scope, {
    kind: 'fee_refund',
    source: { type: 'refund', id: _id },
    dealerId,
    currency,
    paymentId,
    postings: feeLines(refund, dealerId, 1),
    mayOverdraw: true,
  });
}

function feeLines(
  { currency, feeAmount, feeTaxAmount }: RefundRecord,
  dealerId: string,
  sign: 1 | -1,
): Posting[] {
  return [
    { account: 'fees', currency, amount: -sign * feeAmount },
    { account: 'fee_tax', currency, amount: -sign * feeTaxAmount },
    { account: dealerAccount(dealerId, 'available'), currency, amount: sign * (feeAmount + feeTaxAmount) },
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
  // Whoever took it may have ended before the commission came back, which goes out again below.
  await giveFeeBack(scope, refund);
  const back =
    dealerId === null
      ? [{ account: 'fees', currency, amount }]
      : [
          { account: dealerAccount(dealerId, 'available'), currency, amount },
          ...feeLines(refund, dealerId, -1),
        ];
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
