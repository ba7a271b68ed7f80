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
];

/** Returns cars as a dealer's stock system exports them: a table with the columns of docs/how-to/feed-import.md. */
export function carFeed(cars: readonly CarListing[]): string {
  const rows = cars.map(({ stockNumber, title, description, priceAmount, attributes: stated }) => ({
    stockNumber,
    category: 'cars',
    title,
    description,
    language: 'en',
    condition: 'used',
    'price.amount': priceAmount,
    'price.currency': 'EUR',
    'location.postalCode': '10115',
    'location.city': 'Berlin',
    'location.country': 'DE',
    ...Object.fromEntries(attributes.map((name) => [`attributes.${name}`, stated[name] ?? ''])),
    publish: 'true',
  }));
  return stringify(rows, { header: true });
}
