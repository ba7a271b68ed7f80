import { type CarListing, readCarListings } from '../../app/demonstration/carListings.ts';
import {
  CatalogListingModel,
  type CatalogListingRecord,
} from '../../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { toToken } from '../../subgraphs/identity/listings/catalog/public-listing/toCatalogListing.ts';
import { dayMs } from '../../subgraphs/platform/time/durations.ts';
import type { SeededInstallation } from '../support/seed.ts';
import type { Draw } from './draw.ts';

const batchSize = 500;

/**
 * Writes public copies that differ in every searched member: languages, translations, prices, currencies, places, missing
 * values, withdrawn and expired ones. The same draw gives the same copies.
 */
export async function varyCars(market: SeededInstallation, count: number, draw: Draw): Promise<void> {
  const copies = market.records(CatalogListingModel);
  const [original] = await copies.find({}, { limit: 1 });
  if (!original) throw new Error('The catalogue is empty.');
  const cars = readCarListings();
  for (let start = 0; start < count; start += batchSize) {
    const writes = Array.from({ length: Math.min(batchSize, count - start) }, (_, at) => {
      const car = cars[(start + at) % cars.length] as CarListing;
      const id = `lst_${String(start + at).padStart(26, '0')}`;
      return { _id: id, update: { $set: varied(original, car, { id, market, draw }) } };
    });
    await copies.upsertEach(writes);
  }
}

function varied(
  original: CatalogListingRecord,
  car: CarListing,
  { id, market, draw }: { id: string; market: SeededInstallation; draw: Draw },
): Partial<CatalogListingRecord> {
  const { _id: _, installationId: __, changedAt: ___, ...members } = original;
  const { categories } = market;
  const categoryIds = draw.oneOf([
    [categories.vehicles, categories.cars],
    [categories.parts, categories.wheels],
  ]) as string[];
  const attributes = drawAttributes(car, draw);
  const price = draw.chance(0.9)
    ? { amount: draw.whole(1, 400) * 10_000, currency: draw.oneOf(['EUR', 'EUR', 'USD']) }
    : null;
  const dealer = draw.chance(0.5);
  return {
    ...members,
    ...drawTexts(car, draw),
    slug: id.toLowerCase().replace('_', '-'),
    attributesText: Object.values(attributes)
      .flat()
      .filter((value) => typeof value === 'string')
      .join(' '),
    categoryId: categoryIds.at(-1) as string,
    categoryIds,
    condition: draw.oneOf(['new', 'used', 'for_parts'] as const),
    price,
    priceType: draw.oneOf(['fixed', 'negotiable', 'on_request'] as const),
    priceRank: price?.amount ?? Number.MAX_SAFE_INTEGER,
    attributes,
    attributeTokens: Object.entries(attributes).flatMap(([name, value]) =>
      [value].flat().map((one) => toToken(name, one as string)),
    ),
    location: drawPlace(original, draw),
    seller: {
      type: dealer ? 'dealer' : 'user',
      id: `${dealer ? 'dlr' : 'usr'}_${draw.whole(0, 9)}`,
      name: 'A',
    },
    withdrawn: draw.chance(0.05),
    hasImages: draw.chance(0.5),
    // Many listings have the same time, so that the id decides their order.
    publishedAt: new Date(Date.now() - draw.whole(0, 300) * dayMs),
    expiresAt: new Date(Date.now() + (draw.chance(0.05) ? -1 : 1) * dayMs),
  };
}

function drawAttributes(car: CarListing, draw: Draw): CatalogListingRecord['attributes'] {
  return {
    ...car.attributes,
    mileageKm: draw.whole(0, 250_000),
    ...(draw.chance(0.7) && { consumption: draw.whole(30, 200) / 10 }),
    ...(draw.chance(0.5) && { features: draw.some(['abs', 'towbar', 'sunroof', 'radio', 'été']) }),
    ...(draw.chance(0.5) && { accidentDamaged: draw.chance(0.5) }),
    // A number in one category and a text in another one.
    doors: draw.chance(0.5) ? draw.whole(2, 5) : draw.oneOf(['two', 'four', '4']),
  };
}

function drawTexts(
  car: CarListing,
  draw: Draw,
): Pick<CatalogListingRecord, 'title' | 'description' | 'languageTag' | 'translations'> {
  const { title, description, german, french } = car;
  const texts = draw.oneOf([
    { title, description, languageTag: 'en' },
    { ...german, languageTag: 'de' },
    { ...french, languageTag: 'fr' },
    { title, description, languageTag: 'tlh' },
  ]);
  const translations = [
    ...(draw.chance(0.3) ? [{ ...german, languageTag: 'de' }] : []),
    ...(draw.chance(0.3) ? [{ ...french, languageTag: 'fr' }] : []),
    ...(draw.chance(0.1) ? [{ ...french, languageTag: 'fr-CA' }] : []),
  ];
  return { ...texts, translations };
}

function drawPlace({ location }: CatalogListingRecord, draw: Draw): CatalogListingRecord['location'] {
  if (!location || draw.chance(0.1)) return null;
  if (draw.chance(0.1)) return { ...location, geo: null };
  const geo = draw.chance(0.05)
    ? { lat: draw.whole(-9000, 9000) / 100, lng: draw.whole(-18_000, 18_000) / 100 }
    : { lat: draw.whole(4750, 5450) / 100, lng: draw.whole(600, 1500) / 100 };
  return { ...location, geo };
}
