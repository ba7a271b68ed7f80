import type { StoredMoney } from '../../kernel/money/model.ts';

/**
 * Returns the amount by which a price has fallen. Null if it has not, or if a price is unknown or in another currency.
 */
export function findPriceDrop(before: StoredMoney | null, now: StoredMoney | null): StoredMoney | null {
  if (!before || !now || before.currency !== now.currency || now.amount >= before.amount) return null;
  return { amount: before.amount - now.amount, currency: now.currency };
}
