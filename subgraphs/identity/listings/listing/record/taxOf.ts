import type { StoredMoney } from '../../../kernel/money/model.ts';
import { shareOf } from '../../../kernel/money/shareOf.ts';
import type { StoredTax } from './model.ts';

const wholeBps = 10_000n;

/** Tax of a listing with the prices that follow from it. */
export interface ListingTax extends StoredTax {
  net: StoredMoney | null;
  gross: StoredMoney | null;
}

/** Returns the tax of a listing as clients see it. */
export function taxOf({ tax, price }: { tax: StoredTax; price: StoredMoney | null }): ListingTax {
  const { mode, rateBps } = tax;
  return { mode, rateBps, net: netOf(price, tax), gross: grossOf(price, tax) };
}

/** Returns the price without tax, rounded half to even once; null if tax mode and rate do not determine it. */
function netOf(price: StoredMoney | null, { mode, rateBps }: StoredTax): StoredMoney | null {
  if (!price) return null;
  if (mode === 'vat_excluded') return price;
  if (mode !== 'vat_included' || rateBps === null) return null;
  // Integer arithmetic, because a product of two doubles would lose cents of large amounts.
  const numerator = BigInt(price.amount) * wholeBps;
  const denominator = wholeBps + BigInt(rateBps);
  const quotient = numerator / denominator;
  const twiceRest = (numerator % denominator) * 2n;
  const roundsUp = twiceRest > denominator || (twiceRest === denominator && quotient % 2n === 1n);
  return { amount: Number(roundsUp ? quotient + 1n : quotient), currency: price.currency };
}

/**
 * Returns the price that a buyer pays: with the tax that is added to it, rounded half to even. Null if there is no price, or
 * the rate of that tax is not stated.
 */
export function grossOf(price: StoredMoney | null, { mode, rateBps }: StoredTax): StoredMoney | null {
  if (!price || mode !== 'vat_excluded') return price;
  return rateBps === null ? null : { ...price, amount: price.amount + shareOf(price.amount, rateBps) };
}
