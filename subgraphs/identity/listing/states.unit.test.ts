import { type ListingState, type ListingTrigger, listingStates, nextStates, transitions } from './states.ts';

/** The state machine of a listing as the specification has it: from, to, by. */
const specified: [ListingState, ListingState, ListingTrigger][] = [
  ['sold', 'active', 'publishListing'],
  ['sold', 'archived', 'archiveListing'],
  ['draft', 'pending_review', 'publishListing'],
  ['rejected', 'pending_review', 'publishListing'],
  ['paused', 'pending_review', 'publishListing'],
  ['draft', 'active', 'publishListing'],
  ['paused', 'active', 'publishListing'],
  ['rejected', 'active', 'publishListing'],
  ['pending_review', 'active', 'approveListing'],
  ['pending_review', 'rejected', 'rejectListing'],
  ['active', 'rejected', 'rejectListing'],
  ['paused', 'rejected', 'rejectListing'],
  ['reserved', 'rejected', 'rejectListing'],
  ['rejected', 'active', 'approveListing'],
  ['pending_review', 'draft', 'updateListing'],
  ['active', 'paused', 'pauseListing'],
  ['active', 'reserved', 'reserveListing'],
  ['reserved', 'active', 'releaseListingReservation'],
  ['active', 'sold', 'markListingSold'],
  ['reserved', 'sold', 'markListingSold'],
  ['paused', 'sold', 'markListingSold'],
  ['active', 'expired', 'expireListings'],
  ['paused', 'expired', 'expireListings'],
  ['expired', 'active', 'renewListing'],
  ['draft', 'archived', 'archiveListing'],
  ['rejected', 'archived', 'archiveListing'],
  ['pending_review', 'archived', 'archiveListing'],
  ['active', 'archived', 'archiveListing'],
  ['paused', 'archived', 'archiveListing'],
  ['expired', 'archived', 'archiveListing'],
  ['reserved', 'archived', 'archiveListing'],
];

const text = (ways: readonly { from: string; to: string; by: string }[]) =>
  ways.map(({ from, to, by }) => `${from} -> ${to} by ${by}`).sort();

test('the transitions are those of the specification, no more and no fewer', () => {
  expect(text(transitions)).toEqual(text(specified.map(([from, to, by]) => ({ from, to, by }))));
});

test('an archived listing has no next state', () => {
  expect(nextStates('archived')).toEqual([]);
});

test('every state can be reached from a draft', () => {
  const reached = new Set<ListingState>(['draft']);
  for (const state of reached) for (const next of nextStates(state)) reached.add(next);
  expect([...reached].sort()).toEqual([...listingStates].sort());
});
