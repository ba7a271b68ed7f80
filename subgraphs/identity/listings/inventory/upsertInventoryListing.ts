import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { UpsertInventoryListingInput } from '../../identity.generated.ts';
import { ensureSellerLock } from '../../people/seller-standing/sellerStanding.ts';
import { assertMayPost } from '../listing/lifecycle/assertMayPost.ts';
import { changedMeanwhile } from '../listing/lifecycle/saveListing.ts';
import type { ListingRecord } from '../listing/record/model.ts';
import { ownsListing } from '../listing/record/policy.ts';
import { loadStock } from './loadStock.ts';
import type { StockRow } from './StockRow.ts';
import { writeStock } from './writeStock.ts';

const mostAttempts = 5;

/**
 * Creates or updates a listing by stock number. Of concurrent requests with a new number, one creates the listing and
 * the others find it.
 */
export async function upsertInventoryListing(
  input: UpsertInventoryListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord; created: boolean }> {
  await ensureSellerLock(context, input.dealerId);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    try {
      return await write(input, context);
    } catch (error) {
      if (!isDuplicateKey(error, 'stockNumber')) throw error;
    }
  }
  throw changedMeanwhile();
}

function write(
  { dealerId, ...members }: UpsertInventoryListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord; created: boolean }> {
  return inTransaction(async (session) => {
    const stock = await loadStock(context, dealerId, session);
    assertMayPost(context, stock.dealer);
    const assertOwn = (after: Parameters<typeof ownsListing>[1]) => assertReach(context, after);
    const [outcome] = await writeStock([toRow(members)], { ...stock, assertOwn }, { session });
    if (!outcome) throw new Error('The row has no outcome.');
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'known') throw new Error('A row without a feed must not have the outcome "known".');
    return { listing: outcome.listing, created: outcome.kind === 'created' };
  });
}

/** Returns the row of an input. */
export function toRow(members: Omit<UpsertInventoryListingInput, 'dealerId'>): StockRow {
  const { stockNumber, category, publish, imageUrls, expectedVersion, ...input } = members;
  return {
    stockNumber,
    category,
    input,
    publish: publish ?? false,
    imageUrls: imageUrls?.map(String),
    expectedVersion,
  };
}

/**
 * Checks the reach of an agent who is restricted to some locations. Such an agent can neither change listings of other
 * locations nor move a listing there.
 */
function assertReach({ viewer }: RequestContext, after: Parameters<typeof ownsListing>[1]): void {
  if (ownsListing(viewer, after)) return;
  throw new AppError(
    'dealer_role_required',
    'You act for some of the dealer’s locations only. Send one of them as the location.',
  );
}
