import type { PaymentProvider, ProviderRefund, RefundOrder } from '../PaymentProvider.ts';
import { ProviderFailure } from '../ProviderFailure.ts';
import type { KeptObjects } from './keptObjects.ts';
import type { ProviderObjectRecord } from './model.ts';

/**
 * Returns refunds that are stored in their payment, so that their sum never exceeds it.
 *
 * @param state of every refund
 */
export function keptRefunds(
  objects: KeptObjects,
  state: 'succeeded' | 'awaits_transfer',
): Pick<PaymentProvider, 'createRefund' | 'readRefund'> {
  return {
    async createRefund({ refundId, paymentRef, amount: { amount } }) {
      const ref = objects.refOf('refund', refundId);
      const refunded = { $sum: '$refunds.amount' };
      const leavesEnough = { $expr: { $gte: [{ $subtract: ['$amountCaptured', refunded] }, amount] } };
      const payment =
        (await objects.change(
          paymentRef,
          { status: 'succeeded', 'refunds.ref': { $ne: ref }, ...leavesEnough },
          { $push: { refunds: { ref, refundId, amount } } },
        )) ?? (await objects.read(paymentRef, 'payment'));
      const refund = toRefund(payment, ref, state);
      if (refund) return refund;
      throw new ProviderFailure('refused', 'charge_exceeded', 'The refund is more than what was captured.');
    },
    async readRefund(ref) {
      const payment = await objects.findByRefund(ref);
      const refund = payment && toRefund(payment, ref, state);
      if (refund) return refund;
      throw new ProviderFailure('missing', 'resource_missing', `There is no refund "${ref}".`);
    },
  };
}

function toRefund(
  { _id: paymentRef, refunds, currency }: ProviderObjectRecord,
  wanted: RefundOrder['refundId'],
  state: ProviderRefund['state'],
): ProviderRefund | null {
  const found = refunds.find(({ ref }) => ref === wanted);
  if (!found) return null;
  return { ...found, paymentRef, currency, state, failureCode: null };
}
