import type { ListingRecord } from './model.ts';

/** Inputs of the state of a listing. */
type Timed = Pick<ListingRecord, 'state' | 'reservation' | 'expiresAt'>;

/**
 * A listing as the jobs leave it: without a reservation whose time is over, and expired once its own is. Decisions
 * and answers use this, so that nothing depends on when a job runs.
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
