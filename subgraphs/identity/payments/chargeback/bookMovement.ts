import type { ClientSession } from 'mongoose';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { takeFromDispute } from '../dispute/endDispute.ts';
import type { Posting } from '../ledger/accounts.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { commissionOfPayment, type NewTransaction, postTransaction } from '../ledger/postTransaction.ts';
import { reportClosedDealer } from '../ledger/reportClosedDealer.ts';
import { reportOverpaid } from '../payment/order/reportOverpaid.ts';
import { amountReturned } from '../payment/record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import type { ChargebackMovement } from '../payment-provider/ProviderChargebacks.ts';
import { commissionChange } from '../refund/feeShare.ts';
import { planTaking } from '../refund/postRefund.ts';
import { RefundModel } from '../refund/record/model.ts';
import { releaseRefunded } from '../refund/releaseRefunded.ts';
import { type ChargebackRecord, chargebacksName } from './model.ts';

/**
 * Books a movement of a chargeback at the provider once, in the transaction that stores it. The amount is taken from
 * the account that earned it, or returned to it; the platform bears the provider's fee. Taken money reduces or ends the
 * open dispute about the payment. It also releases the listing if nothing is left of the payment.
 */
export async function bookMovement(
  scope: MoneyContext,
  chargeback: ChargebackRecord,
  movement: ChargebackMovement,
  session: ClientSession,
): Promise<void> {
  const { installationId, platform } = scope;
  const { paymentId, currency } = chargeback;
  const source = { type: 'chargeback', id: `${chargeback._id}:${movement.ref}` } as const;
  await postFee(scope, { source, paymentId }, movement, session);
  if (movement.amount === 0) return;
  const taken = -movement.amount;
  const payments = scoped(PaymentModel, installationId);
  const before = await payments.findOne({ _id: paymentId }, { session });
  if (!before) throw new Error(`The payment ${paymentId} no longer exists.`);
  if (taken > 0) await takeFromDispute(scope, before, { taken, source, by: chargebacksName }, session);
  const moved = { amount: Math.abs(taken), currency };
  const type = taken > 0 ? 'payment.charged_back' : 'payment.chargeback_returned';
  const payment = await payments.findOneAndUpdate(
    { _id: paymentId },
    {
      $inc: { amountChargedBack: taken, version: 1 },
      $set: { updatedAt: new Date(platform.now()) },
      $push: announce(scope, type, { data: { state: before.state, chargeback: moved } }),
    },
    { session },
  );
  if (!payment) throw new Error(`The payment ${paymentId} no longer exists.`);
  const wanted: NewTransaction = {
    kind: taken > 0 ? 'chargeback' : 'chargeback_won',
    source,
    dealerId: chargeback.dealerId,
    currency,
    paymentId,
    mayOverdraw: true,
    postings: [
      ...(await planPostings(scope, { payment, chargeback, taken }, session)),
      { account: 'psp_clearing', currency, amount: taken },
    ],
  };
  await postTransaction(scope, wanted, session);
  const { dealerId } = chargeback;
  if (dealerId !== null) await reportClosedDealer(scope, { paymentId, dealerId, currency }, session);
  if (taken <= 0) return reportOverpaid(scope, payment, session);
  await retryGivenUp(scope, paymentId, session);
  await releaseRefunded(scope, { paymentId }, session);
}

/**
 * Retries refunds that wait for finance. The provider refuses them while the payment is charged back, which cancels
 * them. Finance must not return money that the payer's bank has already returned.
 */
async function retryGivenUp(
  { installationId, platform }: MoneyContext,
  paymentId: string,
  session: ClientSession,
): Promise<void> {
  const dueAt = new Date(platform.now());
  await scoped(RefundModel, installationId).updateMany(
    { paymentId, state: 'failed', givenUpAt: { $type: 'date' } },
    { $set: { dueAt, givenUpAt: null, updatedAt: dueAt }, $inc: { version: 1 } },
    { session },
  );
}

/** Books the provider's fee, which the platform bears. A returned fee is booked in the opposite direction. */
async function postFee(
  scope: MoneyContext,
  own: Pick<NewTransaction, 'source' | 'paymentId'>,
  { fee: { amount, currency } }: ChargebackMovement,
  session: ClientSession,
): Promise<void> {
  if (amount === 0) return;
  const postings = [
    { account: 'losses', currency, amount: -amount },
    { account: 'psp_clearing', currency, amount },
  ];
  const fee = { ...own, kind: 'chargeback_fee', dealerId: null, currency, postings } as const;
  await postTransaction(scope, fee, session);
}

/** Plans the postings. As with a refund, the dealer bears the amount less the returned commission. */
async function planPostings(
  scope: MoneyContext,
  { payment, chargeback, taken }: { payment: PaymentRecord; chargeback: ChargebackRecord; taken: number },
  session: ClientSession,
): Promise<Posting[]> {
  const { dealerId, currency } = chargeback;
  if (dealerId === null) return [{ account: 'fees', currency, amount: -taken }];
  const own = { paymentId: payment._id, dealerId };
  const commission = await commissionOfPayment(scope, own, session);
  const share = commissionChange(payment, amountReturned(payment), commission);
  return planTaking(scope, { ...own, ...share, amount: taken, currency }, dealerId, session);
}
