import type { ClientSession, UpdateQuery } from 'mongoose';
import type { EventType } from '../../../../../schema/events.ts';
import { concurrentUpdate } from '../../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { AppError } from '../../../../platform/errors/AppError.ts';
import { announce } from '../../../../platform/events/outbox.ts';
import { isDuplicateKey, reads, scoped } from '../../../../platform/installation/scoped.ts';
import { setMediaUsage } from '../../../media/setMediaUsage.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';
import { OwnerModel } from '../../../people/seller-standing/model.ts';
import { UserModel, type UserRecord } from '../../../people/user/model.ts';
import { publishToCatalog } from '../../catalog/public-listing/publishToCatalog.ts';
import type { CatalogSources } from '../../catalog/public-listing/toCatalogListing.ts';
import { categoryLoader } from '../../category/categoryLoader.ts';
import { filesOf } from '../content/revision.ts';
import { ListingModel, type ListingRecord } from '../record/model.ts';
import { noticeOf } from '../record/noticeOf.ts';
import { isPublished } from '../record/policy.ts';
import { nextPriceHistory } from '../record/priceHistory.ts';
import { releaseOf } from '../record/releaseOf.ts';
import { toQueue } from '../record/toQueue.ts';
import { toWords } from '../record/toWords.ts';

/** Decision of a use case about a listing. */
export type ListingChanges = Partial<
  Omit<
    ListingRecord,
    | '_id'
    | 'installationId'
    | 'owner'
    | keyof ReturnType<typeof derive>
    | 'outbox'
    | 'version'
    | 'createdAt'
    | 'updatedAt'
  >
>;

/**
 * Writes a decision about a listing together with its public copy. The write is conditional on the version that the
 * decision is based on.
 *
 * @param before the listing as read in the same transaction
 * @param dealer the dealer that owns it, read in the same transaction; null for a private listing
 */
export async function saveListing(
  context: RequestContext,
  before: ListingRecord,
  changes: ListingChanges,
  { session, dealer }: { session: ClientSession; dealer: DealerRecord | null },
): Promise<ListingRecord> {
  const listing = await scoped(ListingModel, context.installationId)
    .findOneAndUpdate({ _id: before._id, version: before.version }, toUpdate(context, before, changes), {
      session,
    })
    .catch(refuseStockNumber);
  if (!listing) throw changedMeanwhile();
  const use = { type: 'listing', id: listing._id } as const;
  const files = { before: filesOf(before), after: filesOf(listing) };
  await setMediaUsage(context, use, files, session);
  const sources = await loadSources(context, listing, dealer ?? (await findSeller(listing, session)));
  const withdrawn = !isPublished(before) && isPublished(listing) && (await isWithdrawn(listing, session));
  await publishToCatalog(listing, sources, { session, withdrawn });
  return listing;
}

/**
 * Returns the update of a listing's record for a decision, including derived members. Every content change uses this
 * function, for one listing or a batch.
 */
export function toUpdate(
  { platform }: Pick<RequestContext, 'platform'>,
  before: ListingRecord,
  changes: ListingChanges,
): UpdateQuery<ListingRecord> {
  const at = new Date(platform.now());
  const after = { ...before, ...changes };
  return {
    $set: { ...changes, ...derive(before, after, at), updatedAt: at },
    $inc: { version: 1 },
    $push: announce({ platform }, toEventType(before, after)),
  };
}

/** Returns the type of the event that publishes a change to other subgraphs. */
function toEventType(before: ListingRecord, after: ListingRecord): EventType {
  if (isPublished(before) === isPublished(after)) return 'object.updated';
  return isPublished(after) ? 'object.published' : 'object.unpublished';
}

/** Returns the members that follow from a change, regardless of the caller. */
function derive(
  before: ListingRecord,
  after: ListingRecord,
  at: Date,
): ReturnType<typeof toQueue> &
  Pick<ListingRecord, 'words' | 'priceHistory' | 'expiryNotice' | 'releaseFilesAt'> {
  const lasts = before.expiresAt?.getTime() === after.expiresAt?.getTime();
  return {
    ...toQueue(after, at.getTime()),
    words: toWords(after),
    priceHistory: nextPriceHistory(before, after, at),
    expiryNotice: lasts ? before.expiryNotice : noticeOf(after.expiresAt, at),
    releaseFilesAt: releaseOf(after.state, at),
  };
}

/** Returns the 409 for a write that conflicted with another one. */
export function changedMeanwhile(): AppError {
  return concurrentUpdate('listing');
}

/**
 * Throws the error of a failed write.
 *
 * @throws AppError `stock_number_taken` for a duplicate, otherwise the original error
 */
export function refuseStockNumber(error: unknown): never {
  if (!isDuplicateKey(error, 'stockNumber')) throw error;
  throw new AppError('stock_number_taken', 'Another listing of the dealer has this stock number.');
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

/** Returns the private seller of a public listing; not read in other cases. */
async function findSeller(listing: ListingRecord, session: ClientSession): Promise<UserRecord | null> {
  const { owner, installationId } = listing;
  if (owner.type !== 'user' || !isPublished(listing)) return null;
  return reads(UserModel, installationId).findOne({ _id: owner.id }, { session });
}

/**
 * Returns whether the owner is barred. A transaction that bars an owner writes the record that is read here, and
 * `assertQuota` makes the two conflict.
 */
async function isWithdrawn(
  { owner, installationId }: ListingRecord,
  session: ClientSession,
): Promise<boolean> {
  const record = await reads(OwnerModel, installationId).findOne({ _id: owner.id }, { session });
  return record?.withdrawn === true;
}
