import { shareOf } from '../../../kernel/money/shareOf.ts';
import type { StoredCommission } from '../../../people/dealer/model.ts';
import type { StoredFee } from './model.ts';

/** Returns the commission of a dealer for a sale of this amount. Later changes of the commission do not affect it. */
export function feeOf(
  { rateBps, fixed, taxRateBps }: StoredCommission,
  { amount, currency }: { amount: number; currency: string },
  frozenAt: Date,
): StoredFee {
  // A fixed part in another currency cannot be added: the dealer's currency changed since it was agreed.
  const fixedAmount = fixed?.currency === currency ? fixed.amount : 0;
  const frozen = { rateBps, fixed: fixedAmount, taxRateBps, frozenAt };
  return { ...frozen, ...feeAmounts(frozen, amount) };
}

/** The frozen commission of another amount, as of a part that is captured; each line is rounded once. */
export function feeAmounts(
  { rateBps, fixed, taxRateBps }: Pick<StoredFee, 'rateBps' | 'fixed' | 'taxRateBps'>,
  of: number,
): Pick<StoredFee, 'amount' | 'taxAmount'> {
  const amount = shareOf(of, rateBps) + fixed;
  return { amount, taxAmount: shareOf(amount, taxRateBps) };
}
