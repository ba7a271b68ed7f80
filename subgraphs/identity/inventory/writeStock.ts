import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/errors/AppError.ts';
import { type EachWrite, scoped } from '../../platform/installation/scoped.ts';
import { publishEachToCatalog } from '../catalog/publishToCatalog.ts';
import { countedStates, quotaExceeded, quotaOf } from '../listing/assertQuota.ts';
import { ListingModel, type ListingRecord } from '../listing/model.ts';
import { changedMeanwhile, toUpdate } from '../listing/saveListing.ts';
import { publicStates } from '../listing/states.ts';
import { touchOwner } from '../owner/touchOwner.ts';
import { wantImages } from '../stock-image/wantImages.ts';
import { decideStock, type Stock, type StockDecision } from './decideStock.ts';
import type { StockRow } from './StockRow.ts';

/** What has become of a row. */
export type StockOutcome =
  | { row: StockRow; kind: StockDecision['kind']; listing: ListingRecord }
  | { row: StockRow; kind: 'failed'; error: AppError };

/** Places of an owner that an earlier transaction has counted; good for as long as nobody else has touched him. */
export interface CountedPlaces {
  /** Of the owner's record, as that transaction left it. */
  changes: number;
  /** Published listings: perhaps fewer by now, never more. */
  atMost: number;
}

/** Rows are written in the transaction, or only looked at. */
export interface StockWriting {
  session: ClientSession;
  dryRun?: boolean;
  /** Of the transaction before, where one writer has many. */
  counted?: CountedPlaces | undefined;
  /** Told what this one has counted; it holds once that is committed. */
  onCounted?: (places: CountedPlaces) => void;
}

/**
 * Brings listings of a dealer in line with rows of its stock, in a few commands however many rows there are. Each stock
 * number stands in one row. A row that cannot be taken fails alone; the others are written.
 *
 * `openOwner` has made the dealer's record.
 */
export async function writeStock(
  rows: readonly StockRow[],
  stock: Stock,
  { session, dryRun = false, counted, onCounted }: StockWriting,
): Promise<StockOutcome[]> {
  const { installation } = stock.context;
  const listings = scoped(ListingModel, installation.id);
  const found = await listings.find(
    { 'owner.id': stock.dealer._id, stockNumber: { $in: rows.map(({ stockNumber }) => stockNumber) } },
    { session },
  );
  const byNumber = new Map(found.map((listing) => [listing.stockNumber, listing]));
  const places = await openPlaces(rows, stock, { session, counted });
  const writes: Writes = { releases: [], changes: [], copies: [] };
  const outcomes = rows.map((row): StockOutcome => {
    try {
      const decision = decideStock(byNumber.get(row.stockNumber) ?? null, row, stock);
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
  const wishes = outcomes.flatMap((outcome) => {
    const urls = outcome.row.imageUrls;
    return outcome.kind === 'failed' || !urls ? [] : [{ listingId: outcome.listing._id, urls }];
  });
  const place = { installationId: context.installation.id, platform: context.platform, dealerId: dealer._id };
  await wantImages(place, wishes, session);
}

interface Writes {
  /** Archived listings that give up their number, before somebody takes it. */
  releases: EachWrite<ListingRecord>[];
  changes: EachWrite<ListingRecord>[];
  /** Listings whose public copies follow, and whether they are new. */
  copies: { listing: ListingRecord; isNew: boolean }[];
}

/** Notes what is to be written for a row, and answers the listing as it is then. */
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
    writes.changes.push({ insert: record });
    if (publicStates.has(record.state)) writes.copies.push({ listing: record, isNew: true });
    return record;
  }
  const { before } = decision;
  const filter = { _id: before._id, version: before.version };
  if (decision.kind === 'unchanged') {
    // Not a change: nobody who holds the version needs to hear of it.
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
  { releases, changes, copies }: Writes,
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
}

interface Places {
  /** @throws AppError `quota_exceeded` */
  take(): void;
  /** Whether the dealer's listings are kept from the public. */
  withdrawn: boolean;
  /** By the clock of the database; left out where nothing is published. */
  openedAt?: Date | undefined;
  /** What is known when they were taken; left out where nothing was counted. */
  counted?: () => CountedPlaces;
}

/** Places for published listings, counted once for all rows; who publishes nothing needs none and meets nobody. */
async function openPlaces(
  rows: readonly StockRow[],
  { context, dealer }: Stock,
  { session, counted }: Pick<StockWriting, 'session' | 'counted'>,
): Promise<Places> {
  const limit = quotaOf(dealer);
  if (!rows.some(({ publish }) => publish)) return { withdrawn: false, take: () => undefined };
  const place = { installationId: context.installation.id };
  const owner = await touchOwner(place, dealer._id, session);
  // Every publication touches the owner: where this one is next to the other, nobody has published in between.
  const isKnown = counted?.changes === owner.changes - 1 && counted.atMost + rows.length <= limit;
  const active = isKnown
    ? counted.atMost
    : await scoped(ListingModel, place.installationId).count(
        { 'owner.id': dealer._id, state: { $in: [...countedStates] } },
        { limit, session },
      );
  let left = limit - active;
  return {
    withdrawn: owner.withdrawn,
    openedAt: owner.touchedAt,
    take() {
      if (left <= 0) throw quotaExceeded(limit);
      left -= 1;
    },
    counted: () => ({ changes: owner.changes, atMost: limit - left }),
  };
}
