import type { PaymentRecord } from './model.ts';

type Amounts = Pick<PaymentRecord, 'amountCaptured' | 'amountRefunded' | 'amountChargedBack'>;

/** What of a captured payment is neither refunded nor charged back, in minor units; never below zero. */
export function amountLeft(payment: Amounts): number {
  return payment.amountCaptured - amountReturned(payment);
}

/** What of a captured payment went back to the payer. A bank may charge back what was refunded before: that counts once. */
export function amountReturned({ amountCaptured, amountRefunded, amountChargedBack = 0 }: Amounts): number {
  return Math.min(amountRefunded + amountChargedBack, amountCaptured);
}

/** Part of a filter: payments of which something is left. */
export const hasAmountLeft = {
  $expr: {
    $lt: [{ $add: ['$amountRefunded', { $ifNull: ['$amountChargedBack', 0] }] }, '$amountCaptured'],
  },
};
