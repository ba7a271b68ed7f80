import { dayMs } from '../../../../platform/time/durations.ts';
import type { StoredMoney } from '../../../kernel/money/model.ts';
import type { ListingRecord } from './model.ts';
import { isPublished } from './policy.ts';

const windowMs = 30 * dayMs;

/**
 * The published prices of a listing. A seller who announces a reduction has to name the lowest price of the 30 days
 * before it (Directive 98/6/EC, article 6a).
 */
export interface PriceHistory {
  /** The price that was shown last. */
  price: StoredMoney;
  /** Since when it is hidden; null while it is shown. */
  shownUntil: Date | null;
  /** The lowest amount of the 30 days before the current price, in its currency; null if there was no other. */
  lowestBefore: number | null;
  /** Earlier amounts with the time until which they were shown, in ascending order; one for each day. */
  past: { amount: number; until: Date }[];
}

type Priced = Pick<ListingRecord, 'state' | 'published' | 'price' | 'priceHistory' | 'updatedAt'>;

/**
 * Returns the history after a change of a listing. A price that was never public, such as that of a draft, does not
 * count. A price that returns after a pause is unchanged.
 */
export function nextPriceHistory(before: Priced, after: Priced, at: Date): PriceHistory | null {
  const history = settled(before);
  const shown = isPublished(after) ? after.price : null;
  if (!history) return shown && { price: shown, shownUntil: null, lowestBefore: null, past: [] };
  if (!shown) return { ...history, shownUntil: history.shownUntil ?? at };
  const { price } = history;
  if (shown.amount === price.amount && shown.currency === price.currency)
    return { ...history, shownUntil: null };
  // Amounts of two currencies are not comparable, so the history starts again.
  const past = shown.currency === price.currency ? pastWith(history, at) : [];
  return { price: shown, shownUntil: null, lowestBefore: past[0]?.amount ?? null, past };
}

/**
 * Completes the history after a job that hid many listings without updating it. The job was the last to change the
 * listing.
 */
function settled({ state, published, priceHistory, updatedAt }: Priced): PriceHistory | null {
  if (!priceHistory || priceHistory.shownUntil || isPublished({ state, published })) return priceHistory;
  return { ...priceHistory, shownUntil: updatedAt };
}

/**
 * Returns the prices that can still be the lowest, including the ending one. An amount that is not below a later one is
 * dropped, so the rest is ascending. Only the lowest price of a day is kept.
 */
function pastWith({ price, shownUntil, past }: PriceHistory, at: Date): PriceHistory['past'] {
  const until = shownUntil ?? at;
  const lower = past.filter(
    (one) => one.amount < price.amount && at.getTime() - one.until.getTime() < windowMs,
  );
  const ofDay = lower.findIndex((one) => dayOf(one.until) === dayOf(until));
  const kept = ofDay === -1 ? { amount: price.amount, until } : { amount: lower[ofDay]?.amount ?? 0, until };
  const rest = ofDay === -1 ? lower : lower.slice(0, ofDay);
  return at.getTime() - until.getTime() < windowMs ? [...rest, kept] : rest;
}

const dayOf = (time: Date): number => Math.floor(time.getTime() / dayMs);

/** Returns the reference price for a reduction of the current price; null if there is none. */
export function lowestOf(history: PriceHistory | null): StoredMoney | null {
  if (!history || history.lowestBefore === null) return null;
  return { amount: history.lowestBefore, currency: history.price.currency };
}
