import type { ListingRecord } from './model.ts';

/** Inputs of the state of a listing. */
type Timed = Pick<ListingRecord, 'state' | 'reservation' | 'expiresAt'>;

/**
 * Returns a listing in its current state: without an expired reservation, and expired if its time is over. Decisions
 * and responses use this function, so nothing depends on when a job runs.
 *
 * @param now milliseconds since 1970
 */
export function asOfNow<L extends Timed>(listing: L, now: number): L {
  const freed: L = isReservationOver(listing, now)
    ? { ...listing, state: 'active', reservation: null }
    : listing;
  const runs = freed.expiresAt === null || freed.expiresAt.getTime() > now;
  return runs || (freed.state !== 'active' && freed.state !== 'paused')
    ? freed
    : { ...freed, state: 'expired' };
}

function isReservationOver({ state, reservation }: Timed, now: number): boolean {
  if (state !== 'reserved' || !reservation || reservation.paymentId !== null) return false;
  return reservation.until.getTime() <= now;
}
