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
  /** The lowest amount of the 30 days before it was shown, in its currency; null where there was no other. */
  lowestBefore: number | null;
  /** Amounts that were shown before, up to when: each one higher than the one before it, one for a day. */
  past: { amount: number; until: Date }[];
}

type Priced = Pick<ListingRecord, 'state' | 'published' | 'price' | 'priceHistory' | 'updatedAt'>;

/**
 * The history after a change of a listing. A price that was never shown, as that of a draft, does not count; one that
 * returns after a pause is the same.
 */
export function nextPriceHistory(before: Priced, after: Priced, at: Date): PriceHistory | null {
  const history = settled(before);
  const shown = isPublished(after) ? after.price : null;
  if (!history) return shown && { price: shown, shownUntil: null, lowestBefore: null, past: [] };
  if (!shown) return { ...history, shownUntil: history.shownUntil ?? at };
  const { price } = history;
  if (shown.amount === price.amount && shown.currency === price.currency)
    return { ...history, shownUntil: null };
  // Amounts of two currencies cannot be compared: the history begins anew.
  const past = shown.currency === price.currency ? pastWith(history, at) : [];
  return { price: shown, shownUntil: null, lowestBefore: past[0]?.amount ?? null, past };
}

/** A job that took a listing from the public with many others did not say so here; it was the last to change it. */
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

/** Price that a reduction to the one shown last has to be compared with; null where there was no other. */
export function lowestOf(history: PriceHistory | null): StoredMoney | null {
  if (!history || history.lowestBefore === null) return null;
  return { amount: history.lowestBefore, currency: history.price.currency };
}
