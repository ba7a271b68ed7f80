import type { PauseListingInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { once } from '../../platform/idempotency/once.ts';
import { changeListing } from './changeListing.ts';
import type { ListingRecord } from './model.ts';
import { invalidTransition, isAllowed } from './states.ts';

/** Its time goes on: what is paused expires as well. */
export function pauseListing(
  input: PauseListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  return once(context, 'pauseListing', input, async () => ({
    listing: await changeListing(context, input.listingId, ({ listing }) => {
      if (!isAllowed(listing.state, 'paused', 'pauseListing'))
        throw invalidTransition(listing.state, 'paused');
      return { state: 'paused' };
    }),
  }));
}
