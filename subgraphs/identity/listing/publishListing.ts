import type { PublishListingInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { openOwner } from '../owner/touchOwner.ts';
import { isPaidFor } from '../payment/openPayments.ts';
import { assertComplete, assertMayPublish } from './assertPublishable.ts';
import { assertQuota } from './assertQuota.ts';
import { changeListing } from './changeListing.ts';
import type { ListingRecord } from './model.ts';
import { listingLoader } from './policy.ts';
import { publication } from './publication.ts';
import type { ListingChanges } from './saveListing.ts';
import { invalidTransition, isAllowed, type ListingState } from './states.ts';

const dayMs = 24 * 3600 * 1000;
/** A sale can be taken back this long. */
const returnMs = 7 * dayMs;

export function publishListing(
  input: PublishListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  return once(context, 'publishListing', input, async () => ({
    listing: await publish(input.listingId, context),
  }));
}

async function publish(listingId: string, context: RequestContext): Promise<ListingRecord> {
  const guarded = await context.loader(listingLoader).load(listingId);
  if (!guarded) throw notFound('The listing');
  await openOwner(context, guarded.owner.id);
  return changeListing(context, listingId, async ({ listing, dealer, session }) => {
    assertMayPublish(dealer, context);
    await assertComplete(listing, dealer, context);
    if (listing.state === 'sold' && (await isPaidFor(listing, session)))
      throw invalidTransition(listing.state, 'published');
    const changes = decidePublication(listing, context);
    await assertQuota(context, listing, dealer, session);
    return changes;
  });
}

/**
 * Where publication leads a listing that lacks nothing.
 *
 * @throws AppError `invalid_transition`
 */
export function decidePublication(
  listing: ListingRecord,
  context: Pick<RequestContext, 'platform' | 'installation'>,
): ListingChanges {
  const state = targetState(listing, context);
  if (!isAllowed(listing.state, state, 'publishListing') || isSaleFinal(listing, context)) {
    throw invalidTransition(listing.state, 'published');
  }
  return state === 'active' ? publication(listing, context) : { state };
}

/** Where publication leads: what was sold and comes back was reviewed when it was published first. */
function targetState(
  { state, moderation, revision }: ListingRecord,
  { installation }: Pick<RequestContext, 'installation'>,
): ListingState {
  const approved = moderation?.decision === 'approved' && moderation.revision === revision;
  return installation.settings.moderation === 'post' || approved || state === 'sold'
    ? 'active'
    : 'pending_review';
}

function isSaleFinal(
  { state, sale }: ListingRecord,
  { platform }: Pick<RequestContext, 'platform'>,
): boolean {
  return state === 'sold' && platform.now() - (sale?.soldAt.getTime() ?? 0) > returnMs;
}
