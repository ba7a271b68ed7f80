import { stringify } from 'csv-stringify/sync';
import type { CarListing } from './carListings.ts';

const attributes = [
  'make',
  'model',
  'firstRegistration',
  'modelYear',
  'mileageKm',
  'powerKw',
  'displacementCcm',
  'consumptionLPer100Km',
  'fuel',
  'transmission',
  'bodyType',
  'exteriorColor',
];

/** Place of a dealer's yard. */
export interface FeedPlace {
  readonly postalCode: string;
  readonly city: string;
  readonly lat: number;
  readonly lng: number;
}

const berlin: FeedPlace = { postalCode: '10115', city: 'Berlin', lat: 52.5327, lng: 13.3839 };

/**
 * Returns cars at one place as a dealer's stock system exports them: a table with the columns of
 * docs/how-to/feed-import.md.
 */
export function carFeed(
  cars: readonly CarListing[],
  { postalCode, city, lat, lng }: FeedPlace = berlin,
): string {
  const rows = cars.map(({ stockNumber, title, description, priceAmount, attributes: stated }) => ({
    stockNumber,
    category: 'cars',
    title,
    description,
    language: 'en',
    condition: 'used',
    'price.amount': priceAmount,
    'price.currency': 'EUR',
    'location.postalCode': postalCode,
    'location.city': city,
    'location.country': 'DE',
    'location.geo.lat': lat,
    'location.geo.lng': lng,
    ...Object.fromEntries(attributes.map((name) => [`attributes.${name}`, stated[name] ?? ''])),
    publish: 'true',
  }));
  return stringify(rows, { header: true });
}
