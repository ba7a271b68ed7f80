import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { releaseListing } from '../payment/progress/holdListing.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';

/**
 * Releases the listing that a payment holds once all of it was returned. Called in the transaction that records a sent
 * refund or a chargeback. Of two concurrent transactions, the second is retried, because both change the payment.
 */
export async function releaseRefunded(
  scope: MoneyContext,
  { paymentId }: Pick<RefundRecord, 'paymentId'>,
  session: ClientSession,
): Promise<void> {
  const { installation, platform } = scope;
  const payment = await scoped(PaymentModel, installation.id).findOneAndUpdate(
    { _id: paymentId },
    { $set: { updatedAt: new Date(platform.now()) } },
    { session },
  );
  if (!payment) return;
  const sent = await scoped(RefundModel, installation.id).find(
    { paymentId, $or: [{ state: 'succeeded' }, { settlement: { $ne: null } }] },
    { projection: { amount: 1 }, sort: { _id: 1 }, session },
  );
  const returned = sent.reduce((sum, { amount }) => sum + amount, 0);
  const { amountCaptured, amountChargedBack = 0 } = payment;
  if (returned + amountChargedBack >= amountCaptured) await releaseListing(payment, { scope, session });
}
