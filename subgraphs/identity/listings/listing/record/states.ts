import { stateMachine } from '../../../../platform/states/stateMachine.ts';

/** States of a listing; see the transitions. */
export const listingStates = [
  'draft',
  'pending_review',
  'active',
  'paused',
  'reserved',
  'sold',
  'expired',
  'rejected',
  'archived',
] as const;

export type ListingState = (typeof listingStates)[number];

/** Events that change the state of a listing. */
export type ListingTrigger =
  | 'publishListing'
  | 'approveListing'
  | 'rejectListing'
  | 'updateListing'
  | 'pauseListing'
  | 'reserveListing'
  | 'releaseListingReservation'
  | 'markListingSold'
  | 'expireListings'
  | 'renewListing'
  | 'archiveListing';

/** All transitions. Transitions with the same trigger differ by a condition that the use case checks. */
export const { transitions, isAllowed, nextStates, invalidTransition } = stateMachine<
  ListingState,
  ListingTrigger
>('A listing', listingStates, [
  ['publishListing', ['draft', 'rejected', 'paused'], 'pending_review'],
  ['publishListing', ['draft', 'rejected', 'paused', 'sold'], 'active'],
  ['approveListing', ['pending_review', 'rejected'], 'active'],
  ['rejectListing', ['pending_review', 'active', 'paused', 'reserved'], 'rejected'],
  ['updateListing', ['pending_review'], 'draft'],
  ['pauseListing', ['active'], 'paused'],
  ['reserveListing', ['active'], 'reserved'],
  ['releaseListingReservation', ['reserved'], 'active'],
  ['markListingSold', ['active', 'reserved', 'paused'], 'sold'],
  ['expireListings', ['active', 'paused'], 'expired'],
  ['renewListing', ['expired'], 'active'],
  [
    'archiveListing',
    ['draft', 'rejected', 'pending_review', 'active', 'paused', 'reserved', 'expired', 'sold'],
    'archived',
  ],
]);

/** States in which the public sees a listing. */
export const publicStates: ReadonlySet<ListingState> = new Set(['active', 'reserved']);
