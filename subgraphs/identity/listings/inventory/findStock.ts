import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { asOfNow } from '../listing/record/asOfNow.ts';
import { ListingModel, type ListingRecord } from '../listing/record/model.ts';
import { isKnown, type Stock } from './decideStock.ts';
import type { StockRow } from './StockRow.ts';

/** Listings of the rows, by stock number. */
interface FoundStock {
  /** Ids of listings that match their row; no other data of them is needed. */
  known: ReadonlyMap<string, string>;
  listings: ReadonlyMap<string, ListingRecord>;
}

/** Members that show whether a listing equals its row. */
const marks = { stockNumber: 1, stockDigest: 1, version: 1, state: 1, reservation: 1, expiresAt: 1 } as const;

/** Returns the listings of rows. Nearly all rows of a repeated feed are recognized by a few members. */
export async function findStock(
  rows: readonly StockRow[],
  { context, dealer }: Stock,
  session: ClientSession,
): Promise<FoundStock> {
  const listings = scoped(ListingModel, context.installation.id);
  const named = {
    'owner.id': dealer._id,
    stockNumber: { $in: rows.map(({ stockNumber }) => stockNumber) },
  };
  if (rows.every(({ digest }) => digest === undefined))
    return { known: new Map(), listings: byNumber(await listings.find(named, { session })) };
  const found = byNumber(await listings.find(named, { session, projection: marks }));
  const known = new Map<string, string>();
  for (const row of rows) {
    const listing = found.get(row.stockNumber);
    if (!listing || listing.state === 'archived') continue;
    if (isKnown(asOfNow(listing, context.platform.now()), row)) known.set(row.stockNumber, listing._id);
  }
  const others = [...found.values()].filter(({ stockNumber }) => !known.has(stockNumber ?? ''));
  if (others.length === 0) return { known, listings: new Map() };
  const ids = others.map(({ _id }) => _id);
  return { known, listings: byNumber(await listings.find({ _id: { $in: ids } }, { session })) };
}

function byNumber(listings: readonly ListingRecord[]): Map<string, ListingRecord> {
  return new Map(listings.map((listing) => [listing.stockNumber ?? '', listing]));
}
