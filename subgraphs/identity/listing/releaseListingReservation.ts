import type { ReleaseListingReservationInput } from '../../../schema/identity.generated.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { assertNoPayment } from './assertNoPayment.ts';
import { changeListing } from './changeListing.ts';
import type { ListingRecord } from './model.ts';
import { invalidTransition, isAllowed } from './states.ts';

export function releaseListingReservation(
  { listingId, expectedVersion }: ReleaseListingReservationInput,
  context: RequestContext,
): Promise<ListingRecord> {
  return changeListing(context, listingId, ({ stored, listing }) => {
    assertVersion(stored.version, expectedVersion);
    if (!isAllowed(listing.state, 'active', 'releaseListingReservation'))
      throw invalidTransition(listing.state, 'released');
    assertNoPayment(listing);
    return { state: 'active' };
  });
}
