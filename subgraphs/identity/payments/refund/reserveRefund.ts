import type { ClientSession } from 'mongoose';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { resumeAfterMs } from '../../kernel/money/times.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { commissionOfPayment } from '../ledger/postTransaction.ts';
import { amountLeft, amountReturned } from '../payment/record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import { commissionChange, type FeeShare, feeShareOf } from './feeShare.ts';
import { postRefund } from './postRefund.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';

/** Amount to refund. */
export interface WantedRefund extends Pick<RefundRecord, '_id' | 'amount' | 'reason' | 'note' | 'disputeId'> {
  /** Amount that a dispute holds and that cannot be refunded in the meantime. */
  kept: number;
}

/**
 * Counts a refund against its payment, stores it and takes its money, in one transaction. The sum of all refunds of a
 * payment never exceeds the captured amount.
 *
 * @throws AppError `refund_exceeds_captured`, `insufficient_balance`, `concurrent_update`
 */
export async function reserveRefund(
  scope: MoneyContext,
  payment: PaymentRecord,
  wanted: WantedRefund,
  session: ClientSession,
): Promise<RefundRecord> {
  const { installation, platform } = scope;
  const refunds = scoped(RefundModel, installation.id);
  const { _id, amount, reason, note, disputeId, kept } = wanted;
  // The provider refuses the refund of a dispute as well, but then finance pays it in another way.
  if (disputeId === null) assertNotChargedBack(payment);
  const left = amountLeft(payment) - kept;
  if (payment.state !== 'succeeded' || payment.providerRef === null || amount > left)
    throw exceedsCaptured(payment, left);
  const at = new Date(platform.now());
  const share = await findShare(scope, payment, amount, session);
  const counted = await scoped(PaymentModel, installation.id).findOneAndUpdate(
    { _id: payment._id, version: payment.version },
    { $inc: { amountRefunded: amount, version: 1 }, $set: { updatedAt: at } },
    { session },
  );
  if (!counted) throw concurrentUpdate('payment');
  const refund = await refunds.insert(
    {
      _id,
      paymentId: payment._id,
      dealerId: payment.payee.type === 'dealer' ? payment.payee.id : null,
      disputeId,
      currency: payment.currency,
      amount,
      ...share,
      reason,
      note,
      state: 'pending',
      provider: payment.provider,
      paymentRef: payment.providerRef,
      ref: null,
      attempt: 1,
      tries: 0,
      failureCode: null,
      // Another process does not work on a refund that a decision has just created.
      dueAt: disputeId === null ? new Date(at.getTime() + resumeAfterMs) : at,
      givenUpAt: null,
      settlement: null,
      ...firstOutbox(scope, 'refund.created', { data: { state: 'pending' } }),
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    { session },
  );
  await postRefund(scope, refund, session);
  return refund;
}

/**
 * Returns the commission that is returned with a refund. Beside a chargeback, the ledger states what is left of it, because
 * no refund has returned the share of the chargeback.
 */
async function findShare(
  scope: MoneyContext,
  payment: PaymentRecord,
  amount: number,
  session: ClientSession,
): Promise<FeeShare> {
  const { _id: paymentId, payee } = payment;
  const amountRefunded = payment.amountRefunded + amount;
  if (payment.amountChargedBack && payee.type === 'dealer') {
    const paid = await commissionOfPayment(scope, { paymentId, dealerId: payee.id }, session);
    return commissionChange(payment, amountReturned({ ...payment, amountRefunded }), paid);
  }
  const standing = await scoped(RefundModel, scope.installationId).find(
    { paymentId, state: { $ne: 'canceled' } },
    { projection: { feeAmount: 1, feeTaxAmount: 1 }, sort: { createdAt: 1, _id: 1 }, session },
  );
  return feeShareOf(payment, amountRefunded, standing);
}

/** Returns the 409 that states the refundable amount. */
export function exceedsCaptured({ currency }: Pick<PaymentRecord, 'currency'>, left: number): AppError {
  const most = Math.max(left, 0);
  return new AppError(
    'refund_exceeds_captured',
    `At most ${most} minor units of ${currency} of this payment can be refunded.`,
  );
}

/**
 * Refuses a refund of a payment that the payer's bank has charged back, even in part, because the provider refunds
 * nothing of it.
 *
 * @throws AppError `refund_exceeds_captured`
 */
export function assertNotChargedBack({ amountChargedBack = 0 }: PaymentRecord): void {
  if (amountChargedBack > 0) throw chargedBack();
}

/** Returns the 409 for a payment that the payer's bank has charged back. */
export function chargedBack(): AppError {
  return new AppError(
    'refund_exceeds_captured',
    'The payer’s bank has charged this payment back. It can be refunded again if the chargeback is won.',
  );
}
