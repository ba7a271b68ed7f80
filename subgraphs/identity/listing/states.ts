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

/** What moves a listing; jobs and use cases that do not exist yet are named as they will be. */
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

/** One way from state to state; several ways with one trigger differ by their condition, which the use case knows. */
interface Transition {
  from: ListingState;
  to: ListingState;
  by: ListingTrigger;
}

const table: [ListingTrigger, ListingState[], ListingState][] = [
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
];

/** Every way there is. */
export const transitions: readonly Transition[] = table.flatMap(([by, states, to]) =>
  states.map((from) => ({ from, to, by })),
);

/** Whether there is such a way. */
export function isAllowed(from: ListingState, to: ListingState, by: ListingTrigger): boolean {
  return transitions.some((way) => way.from === from && way.to === to && way.by === by);
}

/** States that can be reached from a state, for people who ran into a refusal. */
export function nextStates(from: ListingState): ListingState[] {
  return listingStates.filter((to) => transitions.some((way) => way.from === from && way.to === to));
}

/** States in which the public sees a listing. */
export const publicStates: ReadonlySet<ListingState> = new Set(['active', 'reserved']);
