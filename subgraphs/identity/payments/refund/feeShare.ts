import type { PaymentRecord } from '../payment/record/model.ts';
import type { RefundRecord } from './record/model.ts';

/** Returned commission and its tax; minor units. */
export type FeeShare = Pick<RefundRecord, 'feeAmount' | 'feeTaxAmount'>;

/**
 * Returns the commission that is returned with a refund: the share of all refunds so far, rounded half to even, less
 * what was returned before. A payment that is fully refunded in parts therefore returns all of it.
 *
 * @param refundedAfter refunded amount of the payment including this refund
 * @param before other valid refunds of the payment
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
 * Returns the change of the commission when this much of a payment has been returned in total. Negative if commission
 * is owed again, because less has been returned than before.
 *
 * @param paid commission of the payment in the ledger
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

/**
 * Returns `whole` times `part` divided by `of`, rounded half to even. The result is exact although the product may
 * exceed the safe integers.
 */
function partOf(whole: number, part: number, of: number): number {
  const [product, divisor] = [BigInt(whole) * BigInt(part), BigInt(of)];
  const [quotient, twice] = [product / divisor, (product % divisor) * 2n];
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return Number(isUp ? quotient + 1n : quotient);
}
