import { type Html, trusted } from '../../../../site/html.ts';
import type { Dealer, Listing } from './operations.ts';

/** Attributes of vehicles by their property of schema.org. */
const vehicleProperties: Readonly<Record<string, string>> = {
  make: 'brand',
  model: 'model',
  modelYear: 'vehicleModelDate',
  fuel: 'fuelType',
  transmission: 'vehicleTransmission',
  bodyType: 'bodyType',
  exteriorColor: 'color',
};

const conditions: Readonly<Record<string, string>> = {
  NEW: 'NewCondition',
  USED: 'UsedCondition',
  REFURBISHED: 'RefurbishedCondition',
  FOR_PARTS: 'DamagedCondition',
};

/** Returns structured data as a script element, which a browser does not run. No text can end the element. */
export function trustedData(data: object): Html {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return trusted(`<script type="application/ld+json">${json}</script>`);
}

/** Returns a listing in terms of schema.org. */
export function listingData(
  listing: Listing,
  { title, description, productType }: { title: string; description: string; productType: string },
): object {
  const { attributes, price, url, seller, images, condition } = listing;
  const { mileageKm } = attributes;
  const facts = Object.entries(vehicleProperties).flatMap(([name, property]) =>
    attributes[name] === undefined ? [] : [[property, attributes[name]]],
  );
  return {
    '@type': productType,
    name: title,
    description,
    url,
    image: images.flatMap(({ renditions }) => renditions.find(({ name }) => name === 'LARGE')?.url ?? []),
    itemCondition: `https://schema.org/${conditions[condition] ?? 'UsedCondition'}`,
    ...Object.fromEntries(facts),
    ...(typeof mileageKm === 'number' && {
      mileageFromOdometer: { '@type': 'QuantitativeValue', value: mileageKm, unitCode: 'KMT' },
    }),
    ...(price && {
      offers: {
        '@type': 'Offer',
        url,
        price: decimal(price),
        priceCurrency: price.currency,
        availability: 'https://schema.org/InStock',
        seller: { '@type': seller.dealer === null ? 'Person' : 'AutoDealer', name: seller.name },
      },
    }),
  };
}

/** Returns a dealer in terms of schema.org. */
export function dealerData({ url, tradeName, legalName, description, ...dealer }: Dealer): object {
  const address = dealer.address ?? dealer.locations[0]?.address;
  return {
    '@type': 'AutoDealer',
    name: tradeName,
    ...(legalName !== null && { legalName }),
    ...(description !== null && { description }),
    url,
    ...(dealer.contactPhone !== null && { telephone: dealer.contactPhone }),
    ...(dealer.website !== null && { sameAs: dealer.website }),
    ...(dealer.logo && { logo: dealer.logo.renditions.find(({ name }) => name === 'LARGE')?.url }),
    ...(address && {
      address: {
        '@type': 'PostalAddress',
        streetAddress: address.line1,
        postalCode: address.postalCode,
        addressLocality: address.city,
        addressCountry: address.country,
      },
    }),
  };
}

function decimal({ amount, currency }: { amount: number; currency: string }): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return (amount / 10 ** digits).toFixed(digits);
}
