import { pathsOf } from '../../../../../test/support/pathsOf.ts';
import { type ListingState, listingStates, nextStates, transitions } from './states.ts';

test('a listing has exactly the specified transitions', () => {
  expect(pathsOf(transitions)).toEqual({
    'publishListing -> pending_review': 'draft paused rejected',
    'publishListing -> active': 'draft paused rejected sold',
    'approveListing -> active': 'pending_review rejected',
    'rejectListing -> rejected': 'active paused pending_review reserved',
    'updateListing -> draft': 'pending_review',
    'pauseListing -> paused': 'active',
    'reserveListing -> reserved': 'active',
    'releaseListingReservation -> active': 'reserved',
    'markListingSold -> sold': 'active paused reserved',
    'expireListings -> expired': 'active paused',
    'renewListing -> active': 'expired',
    'archiveListing -> archived': 'active draft expired paused pending_review rejected reserved sold',
  });
});

test('every state can be reached from a draft', () => {
  const reached = new Set<ListingState>(['draft']);
  for (const state of reached) for (const next of nextStates(state)) reached.add(next);
  expect([...reached].sort()).toEqual([...listingStates].sort());
});
