import type { QueryFilter } from 'mongoose';
import type { ListingRecord } from './model.ts';
import type { ListingState } from './states.ts';

/**
 * Returns a filter for listings whose current state is one of these, whatever state is stored. It is the condition of
 * `asOfNow` for lists. It depends on the time, so cursors are not bound to it.
 *
 * @param now milliseconds since 1970
 */
export function nowIn(states: readonly ListingState[], now: number): QueryFilter<ListingRecord> {
  const at = new Date(now);
  const runs = { expiresAt: { $not: { $lte: at } } };
  const isOver = { expiresAt: { $lte: at } };
  const isFreed = { 'reservation.until': { $lte: at }, 'reservation.paymentId': null };
  const conditions: object[] = states.map((state) => {
    if (state === 'active' || state === 'paused') return { state, ...runs };
    return state === 'reserved' ? { state, $nor: [isFreed] } : { state };
  });
  if (states.includes('active')) conditions.push({ state: 'reserved', ...isFreed, ...runs });
  if (states.includes('expired')) {
    conditions.push({ state: { $in: ['active', 'paused'] }, ...isOver });
    conditions.push({ state: 'reserved', ...isFreed, ...isOver });
  }
  // An index serves the stored states; the other conditions filter its result.
  const stored: ListingState[] = [...states];
  if (states.includes('active')) stored.push('reserved');
  if (states.includes('expired')) stored.push('active', 'paused', 'reserved');
  return { state: { $in: [...new Set(stored)] }, $or: conditions };
}
