import type { MarkListingSoldInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { lowerCase } from '../upperCase.ts';
import { changeListing, type OpenListing } from './changeListing.ts';
import { checkPrice } from './checkContent.ts';
import { findBuyerFault } from './findBuyerFault.ts';
import type { ListingRecord } from './model.ts';
import type { ListingChanges } from './saveListing.ts';
import { invalidTransition, isAllowed } from './states.ts';

export function markListingSold(
  input: MarkListingSoldInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  return once(context, 'markListingSold', input, async () => ({
    listing: await changeListing(context, input.listingId, (open) => sell(input, open, context)),
  }));
}

async function sell(
  { price, buyerUserId = null, channel }: MarkListingSoldInput,
  { listing }: OpenListing,
  context: RequestContext,
): Promise<ListingChanges> {
  const fault = await findBuyerFault(buyerUserId, listing, context);
  const problems = [...(price ? checkPrice(price) : []), ...(fault ? [fault] : [])];
  if (problems.length > 0) throw invalidFields(problems);
  if (!isAllowed(listing.state, 'sold', 'markListingSold')) throw invalidTransition(listing.state, 'sold');
  const likely = buyerUserId === null ? 'elsewhere' : 'platform';
  return {
    state: 'sold',
    sale: {
      soldAt: new Date(context.platform.now()),
      channel: channel ? lowerCase(channel) : likely,
      price: price ? { amount: price.amount, currency: price.currency } : null,
      buyerUserId,
    },
  };
}
