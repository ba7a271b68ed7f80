import type { StoredMoney } from '../../kernel/money/model.ts';

/** By how much a price has fallen; null where it has not, or where one of the two is unknown or in another currency. */
export function findPriceDrop(before: StoredMoney | null, now: StoredMoney | null): StoredMoney | null {
  if (!before || !now || before.currency !== now.currency || now.amount >= before.amount) return null;
  return { amount: before.amount - now.amount, currency: now.currency };
}
