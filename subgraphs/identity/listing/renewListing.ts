import type { RenewListingInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { openOwner } from '../owner/touchOwner.ts';
import { assertComplete, assertMayPublish } from './assertPublishable.ts';
import { assertQuota } from './assertQuota.ts';
import { changeListing, type OpenListing } from './changeListing.ts';
import type { ListingRecord } from './model.ts';
import { listingLoader } from './policy.ts';
import type { ListingChanges } from './saveListing.ts';
import { invalidTransition, isAllowed } from './states.ts';

const dayMs = 24 * 3600 * 1000;
/** Time left from which on a listing that still runs may be renewed. */
const earliestMs = 14 * dayMs;

export function renewListing(
  input: RenewListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  return once(context, 'renewListing', input, async () => {
    const guarded = await context.loader(listingLoader).load(input.listingId);
    if (!guarded) throw notFound('The listing');
    await openOwner(context, guarded.owner.id);
    return { listing: await changeListing(context, input.listingId, (open) => renew(open, context)) };
  });
}

async function renew(
  { listing, dealer, session }: OpenListing,
  context: RequestContext,
): Promise<ListingChanges> {
  assertMayPublish(dealer, context);
  const now = context.platform.now();
  if (listing.state === 'active') assertNotTooEarly(listing, now);
  else if (isAllowed(listing.state, 'active', 'renewListing')) {
    // It may have been changed while nobody saw it, and its place may be taken by another one.
    await assertComplete(listing, dealer, context);
    await assertQuota(context, listing, dealer, session);
  } else throw invalidTransition(listing.state, 'renewed');
  return renewal(listing, context);
}

/** What it means that a listing runs for another time. */
export function renewal(
  { expiresAt }: ListingRecord,
  { platform, installation }: Pick<RequestContext, 'platform' | 'installation'>,
): ListingChanges {
  const now = platform.now();
  const fresh = now + installation.settings.listingLifeDays * dayMs;
  return {
    state: 'active',
    renewedAt: new Date(now),
    // Where listings are to run shorter by now, nobody loses what he has left.
    expiresAt: new Date(Math.max(fresh, expiresAt?.getTime() ?? 0)),
  };
}

function assertNotTooEarly({ expiresAt }: ListingRecord, now: number): void {
  if (expiresAt === null || expiresAt.getTime() - now <= earliestMs) return;
  throw new AppError('renewal_too_early', 'A listing is renewed in its last 14 days, or afterwards.');
}
