import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { publishToCatalog } from '../catalog/publishToCatalog.ts';
import type { CatalogSources } from '../catalog/toCatalogListing.ts';
import { categoryLoader } from '../category/categoryLoader.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { OwnerModel } from '../owner/model.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
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
 * @param dealer the dealer that owns it, read like that; null for a private listing
 */
export async function saveListing(
  context: RequestContext,
  before: ListingRecord,
  changes: ListingChanges,
  { session, dealer }: { session: ClientSession; dealer: DealerRecord | null },
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
  const sources = await loadSources(context, listing, dealer ?? (await findSeller(listing, session)));
  const withdrawn = !isPublished(before) && isPublished(listing) && (await isWithdrawn(listing, session));
  await publishToCatalog(listing, sources, { session, withdrawn });
  return listing;
}

/** @throws AppError `stock_number_taken` for a duplicate of it, the error itself otherwise */
export function refuseStockNumber(error: unknown): never {
  if (!isDuplicateKey(error, 'stockNumber')) throw error;
  throw new AppError('stock_number_taken', 'The dealer has another listing with this stock number.');
}

async function loadSources(
  context: RequestContext,
  { published }: ListingRecord,
  seller: CatalogSources['seller'] | null,
): Promise<CatalogSources | null> {
  if (!seller) return null;
  const category = await context.loader(categoryLoader).load(published?.categoryId ?? '');
  return category && { category, seller };
}

/** The private seller of a listing that the public sees; nobody else is asked for. */
async function findSeller(listing: ListingRecord, session: ClientSession): Promise<UserRecord | null> {
  const { owner, installationId } = listing;
  if (owner.type !== 'user' || !isPublished(listing)) return null;
  return scoped(UserModel, installationId).findOne({ _id: owner.id }, { session });
}

/** Whoever bars an owner writes the record that is read here; `assertQuota` makes the two of them conflict. */
async function isWithdrawn(
  { owner, installationId }: ListingRecord,
  session: ClientSession,
): Promise<boolean> {
  const record = await scoped(OwnerModel, installationId).findOne({ _id: owner.id }, { session });
  return record?.withdrawn === true;
}
