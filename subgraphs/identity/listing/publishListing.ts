import type { PublishListingInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { dealerNotActive } from '../dealer/assertMayChange.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { openOwner } from '../owner/touchOwner.ts';
import { toSlug } from '../slug/toSlug.ts';
import { assertMayPost } from './assertMayPost.ts';
import { assertQuota } from './assertQuota.ts';
import { checkContent } from './checkContent.ts';
import { assertNoGaps, findGaps } from './findGaps.ts';
import { findOwningDealer } from './findOwningDealer.ts';
import { invalidTransition } from './invalidTransition.ts';
import { loadReferences } from './loadReferences.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { listingLoader } from './policy.ts';
import { toPublished } from './revision.ts';
import { type ListingChanges, saveListing } from './saveListing.ts';
import { isAllowed, type ListingState } from './states.ts';

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
  const listings = scoped(ListingModel, context.installationId);
  // The guard has loaded it; what decides is read again in the transaction.
  const guarded = await context.loader(listingLoader).load(listingId);
  if (!guarded) throw notFound('The listing');
  await openOwner(context, guarded.owner.id);
  return inTransaction(async (session) => {
    const before = await listings.findOne({ _id: listingId }, { session });
    if (!before) throw notFound('The listing');
    const state = targetState(before, context);
    const dealer = await findOwningDealer(before, session);
    assertMayPublish(dealer, context);
    await assertComplete(before, dealer, context);
    if (!isAllowed(before.state, state, 'publishListing') || isSaleFinal(before, context)) {
      throw invalidTransition(before.state, 'published');
    }
    await assertQuota(context, before, dealer, session);
    return saveListing(context, before, toChanges(before, state, context), { session, dealer });
  });
}

function assertMayPublish(dealer: DealerRecord | null, context: RequestContext): void {
  assertMayPost(context, dealer);
  if (dealer && dealer.state !== 'active') throw dealerNotActive();
}

async function assertComplete(
  listing: ListingRecord,
  dealer: DealerRecord | null,
  context: RequestContext,
): Promise<void> {
  const references = await loadReferences(context, listing, dealer);
  // A schema or a location may have changed since the draft was checked.
  assertNoGaps([...findGaps(listing, references.category), ...checkContent(listing, references)]);
}

/** Where publication leads: what was sold and comes back was reviewed when it was published first. */
function targetState(
  { state, moderation, revision }: ListingRecord,
  { installation }: RequestContext,
): ListingState {
  const approved = moderation?.decision === 'approved' && moderation.revision === revision;
  return installation.settings.moderation === 'post' || approved || state === 'sold'
    ? 'active'
    : 'pending_review';
}

function isSaleFinal({ state, sale }: ListingRecord, { platform }: RequestContext): boolean {
  return state === 'sold' && platform.now() - (sale?.soldAt.getTime() ?? 0) > returnMs;
}

function toChanges(
  before: ListingRecord,
  state: ListingState,
  { platform, installation }: RequestContext,
): ListingChanges {
  if (state !== 'active') return { state, stateReason: null };
  const now = platform.now();
  const runs = before.expiresAt !== null && before.expiresAt.getTime() > now;
  return {
    state,
    stateReason: null,
    sale: null,
    published: toPublished(before),
    slug: before.slug ?? slugOf(before),
    publishedAt: before.publishedAt ?? new Date(now),
    expiresAt: runs ? before.expiresAt : new Date(now + installation.settings.listingLifeDays * dayMs),
  };
}

/** The title for people, and as much of the id as makes it unique: half of its random bits. */
function slugOf({ _id, title }: ListingRecord): string {
  const name = toSlug(title ?? '', 80);
  const suffix = _id.slice(-10).toLowerCase();
  return name === '' ? suffix : `${name}-${suffix}`;
}
