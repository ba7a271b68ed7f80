import type { PaymentRecord } from '../payment/record/model.ts';
import type { RefundRecord } from './record/model.ts';

/** Commission that comes back, and its tax; minor units. */
export type FeeShare = Pick<RefundRecord, 'feeAmount' | 'feeTaxAmount'>;

/**
 * Commission that comes back with a refund: as much as belongs to all that was refunded by then, rounded half to even,
 * less what came back before. So a payment that is refunded in parts gets back all of it, to the last unit.
 *
 * @param refundedAfter what is refunded of the payment together with this one
 * @param before refunds of the payment that stand
 */
export function feeShareOf(
  { fee, amountCaptured }: Pick<PaymentRecord, 'fee' | 'amountCaptured'>,
  refundedAfter: number,
  before: readonly FeeShare[],
): FeeShare {
  if (!fee || amountCaptured === 0) return { feeAmount: 0, feeTaxAmount: 0 };
  const sum = (key: keyof FeeShare) => before.reduce((total, one) => total + one[key], 0);
  const part = (whole: number, given: number) =>
    Math.max(partOf(whole, refundedAfter, amountCaptured) - given, 0);
  return {
    feeAmount: part(fee.amount, sum('feeAmount')),
    feeTaxAmount: part(fee.taxAmount, sum('feeTaxAmount')),
  };
}

/**
 * Commission that comes back when this much of a payment has gone back, by whatever ways; below zero for what is owed again
 * because less has gone back than before.
 *
 * @param paid what the ledger has of the commission of the payment
 */
export function commissionChange(
  { fee, amountCaptured }: Pick<PaymentRecord, 'fee' | 'amountCaptured'>,
  returned: number,
  paid: FeeShare,
): FeeShare {
  const owed = (whole: number) => whole - partOf(whole, returned, amountCaptured);
  return {
    feeAmount: paid.feeAmount - owed(fee?.amount ?? 0),
    feeTaxAmount: paid.feeTaxAmount - owed(fee?.taxAmount ?? 0),
  };
}

/** `whole` times `part` of `of`, rounded half to even, exactly: the product may be larger than a number can hold. */
function partOf(whole: number, part: number, of: number): number {
  const [product, divisor] = [BigInt(whole) * BigInt(part), BigInt(of)];
  const [quotient, twice] = [product / divisor, (product % divisor) * 2n];
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return Number(isUp ? quotient + 1n : quotient);
}
