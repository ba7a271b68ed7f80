import type { PaymentRecord } from './model.ts';

type Amounts = Pick<PaymentRecord, 'amountCaptured' | 'amountRefunded' | 'amountChargedBack'>;

/**
 * Returns the amount of a captured payment that is neither refunded nor charged back, in minor units; never below zero.
 */
export function amountLeft(payment: Amounts): number {
  return payment.amountCaptured - amountReturned(payment);
}

/**
 * Returns the amount of a captured payment that was returned to the payer. An amount that was refunded and then charged
 * back counts once.
 */
export function amountReturned({ amountCaptured, amountRefunded, amountChargedBack = 0 }: Amounts): number {
  return Math.min(amountRefunded + amountChargedBack, amountCaptured);
}

/** Returns whether the refunds and chargebacks of a payment together exceed what was captured. */
export function isReturnedTwice({ amountCaptured, amountRefunded, amountChargedBack = 0 }: Amounts): boolean {
  return amountChargedBack > 0 && amountRefunded + amountChargedBack > amountCaptured;
}

/** Part of a filter: payments of which something is left. */
export const hasAmountLeft = {
  $expr: {
    $lt: [{ $add: ['$amountRefunded', { $ifNull: ['$amountChargedBack', 0] }] }, '$amountCaptured'],
  },
};
