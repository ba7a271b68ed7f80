import mongoose from 'mongoose';
import type { CatalogListingRecord } from '../../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { toToken } from '../../subgraphs/identity/listings/catalog/public-listing/toCatalogListing.ts';
import { seeded } from '../../test/support/seeded.ts';

const batchSize = 2000;
/** Number of concurrent batches. */
const atOnce = 2;
const dealers = 500;
const cities = 200;

/** Ids of variations are in this range; those of listings begin with the time of their creation. */
const variations = { $gte: idOf(0), $lt: idOf(1e9) };
const reportEvery = 50_000;

/**
 * Fills the catalog up to a number of listings with variations of existing ones: other mileages, prices, years, places,
 * dealers and times, with the same distribution in every run. It writes directly to the collection, because only the
 * search is measured. It continues after an interrupted run.
 */
export async function varyCopies(total: number): Promise<void> {
  const collection = mongoose.connection.collection<CatalogListingRecord>('catalog_listings');
  const originals = await collection
    .find({ _id: { $not: variations } })
    .sort({ _id: 1 })
    .toArray();
  const [last] = await collection.find({ _id: variations }).sort({ _id: -1 }).limit(1).toArray();
  let done = last ? Number(last._id.slice('lst_'.length)) + 1 : originals.length;
  if (last && done < total) {
    // Batches are written concurrently, so one before the last variation may be missing.
    done = Math.max(originals.length, done - 2 * atOnce * batchSize);
    await collection.deleteMany({ _id: { ...variations, $gte: idOf(done) } });
  }
  const end = Date.now();
  const work = async (): Promise<void> => {
    while (done < total) {
      const first = done;
      done = Math.min(total, first + batchSize);
      const copies = Array.from({ length: done - first }, (_, index) =>
        vary(originals[(first + index) % originals.length] as CatalogListingRecord, first + index, {
          age: (total - first - index) / total,
          end,
        }),
      );
      await collection.insertMany(copies, { ordered: false });
      const last = first + copies.length;
      if (Math.floor(last / reportEvery) > Math.floor(first / reportEvery))
        console.log(`  ${last.toLocaleString('en')} listings`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

function idOf(index: number): string {
  return `lst_${String(index).padStart(26, '0')}`;
}

/**
 * Returns a variation of a listing.
 *
 * @param age 1 for the oldest, 0 for the latest
 */
function vary(
  original: CatalogListingRecord,
  index: number,
  { age, end }: { age: number; end: number },
): CatalogListingRecord {
  const numbers = seeded(index);
  const city = seeded(Math.floor(numbers() * cities));
  const year = 1990 + Math.floor(numbers() * 36);
  const attributes = {
    ...original.attributes,
    mileageKm: Math.floor(numbers() * 250_000),
    modelYear: year,
    firstRegistration: `${year}-${String(1 + Math.floor(numbers() * 12)).padStart(2, '0')}`,
  };
  const amount = 100_000 + Math.floor(numbers() * 4_000_000);
  return {
    ...original,
    _id: idOf(index),
    slug: `${original.slug}-${index}`,
    attributes,
    attributeTokens: Object.entries(attributes).flatMap(([name, value]) =>
      [value].flat().map((one) => toToken(name, one)),
    ),
    price: { amount, currency: 'EUR' },
    priceRank: amount,
    location: {
      postalCode: null,
      city: 'Bench',
      region: null,
      country: 'DE',
      geo: { lat: 47.5 + city() * 7 + numbers() / 10, lng: 6 + city() * 9 + numbers() / 10 },
      precision: 'exact',
    },
    seller: { type: 'dealer', id: `dlr_${Math.floor(numbers() * dealers)}`, name: 'Bench' },
    publishedAt: new Date(end - age * 60 * 24 * 3600 * 1000),
    // In the past, as most listings are, because recent writes are read again before every search.
    changedAt: new Date(Date.now() - 3_600_000),
  };
}
