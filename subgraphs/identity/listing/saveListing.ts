import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { publishToCatalog } from '../catalog/publishToCatalog.ts';
import type { CatalogSources } from '../catalog/toCatalogListing.ts';
import { categoryLoader } from '../category/categoryLoader.ts';
import { dealerLoader } from '../dealer/policy.ts';
import { userLoader } from '../user/policy.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { isPublished } from './policy.ts';
import { toWords } from './toWords.ts';

/** What a use case decides about a listing; the rest follows. */
export type ListingChanges = Partial<
  Omit<ListingRecord, '_id' | 'installationId' | 'owner' | 'words' | 'version' | 'createdAt' | 'updatedAt'>
>;

/**
 * Writes a decision about a listing and its public copy together. The write is conditional on the version that the
 * decision was made on.
 *
 * @param before as it was read in this very transaction
 */
export async function saveListing(
  context: RequestContext,
  before: ListingRecord,
  changes: ListingChanges,
  session: ClientSession,
): Promise<ListingRecord> {
  const after = { ...before, ...changes };
  const listing = await scoped(ListingModel, context.installationId)
    .findOneAndUpdate(
      { _id: before._id, version: before.version },
      {
        $set: { ...changes, words: toWords(after), updatedAt: new Date(context.platform.now()) },
        $inc: { version: 1 },
      },
      { session },
    )
    .catch(refuseStockNumber);
  if (!listing) {
    throw new AppError('concurrent_update', 'Another request changed this listing; try again.', {
      retryAfter: 1,
    });
  }
  await publishToCatalog(listing, await loadSources(context, listing), session);
  return listing;
}

/** @throws AppError `stock_number_taken` for a duplicate of it, the error itself otherwise */
export function refuseStockNumber(error: unknown): never {
  if (!isDuplicateKey(error, 'stockNumber')) throw error;
  throw new AppError('stock_number_taken', 'The dealer has another listing with this stock number.');
}

async function loadSources(context: RequestContext, listing: ListingRecord): Promise<CatalogSources | null> {
  if (!isPublished(listing)) return null;
  const { owner, published } = listing;
  const [category, seller] = await Promise.all([
    context.loader(categoryLoader).load(published?.categoryId ?? ''),
    owner.type === 'dealer'
      ? context.loader(dealerLoader).load(owner.id)
      : context.loader(userLoader).load(owner.id),
  ]);
  return category && seller && { category, seller };
}
