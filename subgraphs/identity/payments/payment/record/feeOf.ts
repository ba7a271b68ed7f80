import { shareOf } from '../../../kernel/money/shareOf.ts';
import type { StoredCommission } from '../../../people/dealer/model.ts';
import type { StoredFee } from './model.ts';

/**
 * Returns the commission of a dealer for a payment of this amount. Later changes of the commission do not affect it.
 *
 * @param fixedFeeCharged fixed part that deposits for the same sale were charged; a sale owes it once
 */
export function feeOf(
  { rateBps, fixed, taxRateBps }: StoredCommission,
  { amount, currency }: { amount: number; currency: string },
  frozenAt: Date,
  fixedFeeCharged = 0,
): StoredFee {
  // A fixed part in another currency cannot be added; the dealer's currency has changed since the agreement.
  const fixedAmount = fixed?.currency === currency ? Math.max(fixed.amount - fixedFeeCharged, 0) : 0;
  const frozen = { rateBps, fixed: fixedAmount, taxRateBps, frozenAt };
  return { ...frozen, ...feeAmounts(frozen, amount) };
}

/** Returns the frozen commission for another amount, such as that of a partial capture. Each line is rounded once. */
export function feeAmounts(
  { rateBps, fixed, taxRateBps }: Pick<StoredFee, 'rateBps' | 'fixed' | 'taxRateBps'>,
  of: number,
): Pick<StoredFee, 'amount' | 'taxAmount'> {
  const amount = shareOf(of, rateBps) + fixed;
  return { amount, taxAmount: shareOf(amount, taxRateBps) };
}
