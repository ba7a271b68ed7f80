import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { type EachWrite, scoped } from '../../../platform/installation/scoped.ts';
import { announceArrivals } from '../../kernel/announcement/announceArrivals.ts';
import { publishEachToCatalog } from '../catalog/public-listing/publishToCatalog.ts';
import { changedMeanwhile, toUpdate } from '../listing/lifecycle/saveListing.ts';
import { ListingModel, type ListingRecord } from '../listing/record/model.ts';
import { publicStates } from '../listing/record/states.ts';
import { requestImages } from '../stock-image/requestImages.ts';
import { decideStock, type Stock, type StockDecision } from './decideStock.ts';
import { findStock } from './findStock.ts';
import { type CountedPlaces, openPlaces, type Places } from './openPlaces.ts';
import type { StockRow } from './StockRow.ts';

/** Outcome of a row. */
export type StockOutcome =
  | { row: StockRow; kind: StockDecision['kind']; listing: ListingRecord }
  /** Listing that is unchanged since the same row was written. */
  | { row: StockRow; kind: 'known'; listingId: string }
  | { row: StockRow; kind: 'failed'; error: AppError };

/** Rows to write in a transaction, or only to validate. */
export interface StockWriting {
  session: ClientSession;
  dryRun?: boolean;
  /** Whether new listings are published by one record for many, instead of their own outboxes. */
  announcesTogether?: boolean;
  /** Count of the previous transaction of the same writer. */
  counted?: CountedPlaces | undefined;
  /** Receives the counts of this one; valid once that is committed. */
  onCounted?: (places: CountedPlaces) => void;
}

/**
 * Updates a dealer's listings from rows of its stock, in a fixed number of commands. Each stock number occurs in one
 * row. An invalid row fails alone; the others are written.
 *
 * Call `ensureSellerLock` first, which creates the dealer's record.
 */
export async function writeStock(
  rows: readonly StockRow[],
  stock: Stock,
  { session, dryRun = false, announcesTogether = false, counted, onCounted }: StockWriting,
): Promise<StockOutcome[]> {
  const { known, listings } = await findStock(rows, stock, session);
  const others = rows.filter(({ stockNumber }) => !known.has(stockNumber));
  const places = await openPlaces(others, stock, { session, counted });
  const writes: Writes = { releases: [], changes: [], copies: [], arrivals: announcesTogether ? [] : null };
  const outcomes = rows.map((row): StockOutcome => {
    const knownId = known.get(row.stockNumber);
    if (knownId !== undefined) return { row, kind: 'known', listingId: knownId };
    try {
      const decision = decideStock(listings.get(row.stockNumber) ?? null, row, stock);
      if (decision.kind !== 'unchanged' && decision.takesPlace) places.take();
      return { row, kind: decision.kind, listing: collect(decision, row, stock, writes) };
    } catch (error) {
      if (error instanceof AppError) return { row, kind: 'failed', error };
      throw error;
    }
  });
  if (places.counted) onCounted?.(places.counted());
  if (!dryRun) {
    await write(writes, stock, { session, places });
    await noteImages(outcomes, stock, session);
  }
  return outcomes;
}

async function noteImages(
  outcomes: readonly StockOutcome[],
  { context, dealer }: Stock,
  session: ClientSession,
): Promise<void> {
  const imageRequests = outcomes.flatMap((outcome) => {
    const urls = outcome.row.imageUrls;
    if (outcome.kind === 'failed' || !urls) return [];
    return [{ listingId: outcome.kind === 'known' ? outcome.listingId : outcome.listing._id, urls }];
  });
  const place = { installationId: context.installation.id, platform: context.platform, dealerId: dealer._id };
  await requestImages(place, imageRequests, session);
}

interface Writes {
  /** Archived listings that release their stock number before another listing takes it. */
  releases: EachWrite<ListingRecord>[];
  changes: EachWrite<ListingRecord>[];
  /** Listings whose public copies are updated, and whether they are new. */
  copies: { listing: ListingRecord; isNew: boolean }[];
  /** Ids of new listings that have no outbox; null where each has its own. */
  arrivals: string[] | null;
}

/** Records the writes for a row and returns the resulting listing. */
function collect(
  decision: StockDecision,
  { digest }: StockRow,
  { context }: Stock,
  writes: Writes,
): ListingRecord {
  if (decision.kind === 'created') {
    const { released } = decision;
    if (released)
      writes.releases.push({
        filter: { _id: released._id, version: released.version },
        update: toUpdate(context, released, { stockNumber: null }),
      });
    const record: ListingRecord = { ...decision.record, ...seal(digest, decision.record.version) };
    if (writes.arrivals) {
      delete record.outbox;
      writes.arrivals.push(record._id);
    }
    writes.changes.push({ insert: record });
    if (publicStates.has(record.state)) writes.copies.push({ listing: record, isNew: true });
    return record;
  }
  const { before } = decision;
  const filter = { _id: before._id, version: before.version };
  if (decision.kind === 'unchanged') {
    // This does not increment the version.
    if (digest !== undefined && before.stockDigest?.digest !== digest)
      writes.changes.push({ filter, update: { $set: seal(digest, before.version) } });
    return before;
  }
  const update = toUpdate(context, before, { ...decision.changes, ...seal(digest, before.version + 1) });
  writes.changes.push({ filter, update });
  const after: ListingRecord = {
    ...before,
    ...(update.$set as Partial<ListingRecord>),
    version: before.version + 1,
  };
  if (publicStates.has(before.state) || publicStates.has(after.state))
    writes.copies.push({ listing: after, isNew: false });
  return after;
}

function seal(digest: string | undefined, version: number): Pick<ListingRecord, 'stockDigest'> {
  return digest === undefined ? {} : { stockDigest: { digest, version } };
}

async function write(
  { releases, changes, copies, arrivals }: Writes,
  { context, dealer, categories }: Stock,
  { session, places }: { session: ClientSession; places: Places },
): Promise<void> {
  const { withdrawn, openedAt } = places;
  const listings = scoped(ListingModel, context.installation.id);
  const all = [...releases, ...changes];
  if ((await listings.writeEach(all, { session })) < all.length) throw changedMeanwhile();
  const entries = copies.map(({ listing, isNew }) => {
    const category = categories.get(listing.published?.categoryId ?? '');
    const sources = category ? { category, seller: dealer } : null;
    return { listing, sources, madeAt: isNew ? openedAt : undefined };
  });
  await publishEachToCatalog(entries, { session, withdrawn });
  if (arrivals && arrivals.length > 0) await announceArrivals(context, arrivals, session);
}
