import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { AppError } from '../../../../platform/errors/AppError.ts';
import { dayMs } from '../../../../platform/time/durations.ts';
import type { MarkListingSoldInput, ReserveListingInput } from '../../../identity.generated.ts';
import type { ListingRecord } from '../record/model.ts';
import { invalidTransition, isAllowed, type ListingState } from '../record/states.ts';
import { publication } from './publication.ts';
import type { ListingChanges } from './saveListing.ts';

/**
 * Decides what each transition changes of a listing, from the listing and the input alone. `moveListing.ts` reads other
 * data that a transition depends on.
 */

type TransitionContext = Pick<RequestContext, 'platform' | 'installation'>;

/** Period in which a sale can be reverted, in milliseconds. */
const returnMs = 7 * dayMs;
/** Time left from which on a listing that still runs may be renewed. */
const earliestMs = 14 * dayMs;

/**
 * Returns the changes of publishing a complete listing.
 *
 * @throws AppError `invalid_transition`
 */
export function decidePublication(listing: ListingRecord, place: TransitionContext): ListingChanges {
  const state = targetState(listing, place);
  if (!isAllowed(listing.state, state, 'publishListing') || isSaleFinal(listing, place))
    throw invalidTransition(listing.state, 'published');
  return state === 'active' ? publication(listing, place) : { state };
}

/** Returns the target state. A sold listing that is published again was reviewed at its first publication. */
function targetState(
  { state, moderation, revision }: ListingRecord,
  { installation }: Pick<TransitionContext, 'installation'>,
): ListingState {
  const approved = moderation?.decision === 'approved' && moderation.revision === revision;
  return installation.settings.moderation === 'post' || approved || state === 'sold'
    ? 'active'
    : 'pending_review';
}

function isSaleFinal(
  { state, sale }: ListingRecord,
  { platform }: Pick<TransitionContext, 'platform'>,
): boolean {
  return state === 'sold' && platform.now() - (sale?.soldAt.getTime() ?? 0) > returnMs;
}

/**
 * Decides a pause. The expiry stays, because a paused listing expires as well. @throws AppError `invalid_transition`
 */
export function decidePause({ state }: ListingRecord): ListingChanges {
  if (!isAllowed(state, 'paused', 'pauseListing')) throw invalidTransition(state, 'paused');
  return { state: 'paused' };
}

/**
 * Decides a reservation.
 *
 * @throws AppError `already_reserved`, `invalid_transition`
 */
export function decideReservation(
  { state }: ListingRecord,
  { until, buyerUserId = null, conversationId = null }: ReserveListingInput,
): ListingChanges {
  if (state === 'reserved') throw new AppError('already_reserved', 'The listing is already reserved.');
  if (!isAllowed(state, 'reserved', 'reserveListing')) throw invalidTransition(state, 'reserved');
  return { state: 'reserved', reservation: { until, buyerUserId, conversationId, paymentId: null } };
}

/**
 * Decides the release of a reservation.
 *
 * @throws AppError `invalid_transition`, `reserved_with_payment`
 */
export function decideRelease(listing: ListingRecord): ListingChanges {
  if (!isAllowed(listing.state, 'active', 'releaseListingReservation'))
    throw invalidTransition(listing.state, 'released');
  assertNoPayment(listing);
  return { state: 'active' };
}

/**
 * Decides a sale.
 *
 * @throws AppError `invalid_transition`
 */
export function decideSale(
  { state }: ListingRecord,
  { price, buyerUserId = null, channel }: MarkListingSoldInput,
  { platform }: Pick<TransitionContext, 'platform'>,
): ListingChanges {
  if (!isAllowed(state, 'sold', 'markListingSold')) throw invalidTransition(state, 'sold');
  const likely = buyerUserId === null ? 'elsewhere' : 'platform';
  return {
    state: 'sold',
    sale: {
      soldAt: new Date(platform.now()),
      channel: channel ?? likely,
      price: price ? { amount: price.amount, currency: price.currency } : null,
      buyerUserId,
    },
  };
}

/**
 * Returns whether a renewal publishes a listing again, which requires complete content and a free place. False if it is
 * already public.
 *
 * @throws AppError `renewal_too_early`, `invalid_transition`
 */
export function isRepublication(
  { state, expiresAt }: ListingRecord,
  { platform }: Pick<TransitionContext, 'platform'>,
): boolean {
  if (state === 'active') {
    if (expiresAt !== null && expiresAt.getTime() - platform.now() > earliestMs)
      throw new AppError(
        'renewal_too_early',
        'A listing can be renewed at the earliest 14 days before it expires.',
      );
    return false;
  }
  if (!isAllowed(state, 'active', 'renewListing')) throw invalidTransition(state, 'renewed');
  return true;
}

/** Returns the changes of a renewal: the listing is published for another period. */
export function renewal(
  { expiresAt }: Pick<ListingRecord, 'expiresAt'>,
  { platform, installation }: TransitionContext,
): ListingChanges {
  const now = platform.now();
  const fresh = now + installation.settings.listingLifeDays * dayMs;
  return {
    state: 'active',
    renewedAt: new Date(now),
    // A shortened listing lifetime does not reduce the remaining time.
    expiresAt: new Date(Math.max(fresh, expiresAt?.getTime() ?? 0)),
  };
}

/**
 * Returns the changes of archiving. Null for a draft that was never published, which is deleted because only its owner
 * has seen it.
 *
 * @throws AppError `invalid_transition`, `reserved_with_payment`
 */
export function decideArchiving(listing: ListingRecord): ListingChanges | null {
  if (!isAllowed(listing.state, 'archived', 'archiveListing'))
    throw invalidTransition(listing.state, 'archived');
  assertNoPayment(listing);
  if (listing.state === 'draft' && listing.publishedAt === null) return null;
  return { state: 'archived', stateReason: null, reservation: null };
}

/**
 * Refuses changes of a listing that a payment reserves.
 *
 * @throws AppError `reserved_with_payment`
 */
export function assertNoPayment({ reservation }: Pick<ListingRecord, 'reservation'>): void {
  if (!reservation?.paymentId) return;
  throw new AppError(
    'reserved_with_payment',
    'This reservation belongs to a payment and ends with the payment.',
  );
}
