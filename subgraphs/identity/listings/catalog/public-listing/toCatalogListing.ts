import type { DealerRecord } from '../../../people/dealer/model.ts';
import type { UserRecord } from '../../../people/user/model.ts';
import type { Attributes } from '../../category/checkAttributes.ts';
import type { CategoryRecord } from '../../category/model.ts';
import type { ListingRecord, StoredListingLocation } from '../../listing/record/model.ts';
import { lowestOf } from '../../listing/record/priceHistory.ts';
import type { CatalogListingRecord } from './model.ts';

/** Records from which the public copy is derived. */
export interface CatalogSources {
  /** Category of the published content. */
  category: CategoryRecord;
  seller: DealerRecord | UserRecord;
}

/** Factor to round degrees to 0.01, about a kilometer. */
const roundedDegrees = 100;

/**
 * Returns the public copy of a listing: the reviewed content, with the members that owners may change without review.
 * Null if nothing is published.
 */
export function toCatalogListing(
  listing: ListingRecord,
  { category, seller }: CatalogSources,
): Omit<CatalogListingRecord, 'installationId' | 'withdrawn' | 'translations' | 'changedAt'> | null {
  const { published, slug, publishedAt, expiresAt, price, owner } = listing;
  if (!published?.title || !published.condition || !slug || !publishedAt || !expiresAt) return null;
  const attributes = toPublicAttributes(published.attributes, category);
  return {
    _id: listing._id,
    slug,
    title: published.title,
    description: published.description ?? '',
    attributesText: toSearchText(attributes.open),
    languageTag: published.languageTag,
    categoryId: category._id,
    categoryIds: [...category.ancestorIds, category._id],
    condition: published.condition,
    price,
    priceType: listing.priceType,
    priceRank: price?.amount ?? Number.MAX_SAFE_INTEGER,
    tax: listing.tax,
    attributes: { ...attributes.open, ...attributes.masked },
    attributeTokens: toTokens(attributes.open),
    location: toPublicLocation(listing.location, listing.dealerLocationId, seller),
    seller: {
      type: owner.type,
      id: owner.id,
      name: sellerNameOf(seller),
    },
    showPhone: listing.contact.showPhone,
    dealerLocationId: listing.dealerLocationId,
    media: published.media,
    hasImages: published.media.some(({ kind }) => kind === 'image'),
    lowestPrice30d: lowestOf(listing.priceHistory),
    publishedAt,
    expiresAt,
    updatedAt: listing.updatedAt,
  };
}

/** Returns the seller's name that buyers see. */
export function sellerNameOf(seller: CatalogSources['seller']): string {
  return 'tradeName' in seller ? seller.tradeName : seller.displayName;
}

/** Returns the attributes that readers see, some of them masked. */
export function toPublicAttributes(
  attributes: Attributes,
  { attributeSchema }: Pick<CategoryRecord, 'attributeSchema'>,
) {
  const open: Attributes = {};
  const masked: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (!attributeSchema?.properties[name]?.private) open[name] = value;
    else if (typeof value === 'string') masked[name] = mask(value);
  }
  return { open, masked };
}

/** Masks a text: enough remains to compare it with a document, too little to identify a person. */
function mask(text: string): string {
  return text.length < 8
    ? '*'.repeat(text.length)
    : `${text.slice(0, 3)}${'*'.repeat(text.length - 7)}${text.slice(-4)}`;
}

function toSearchText(attributes: Attributes): string {
  return Object.values(attributes)
    .flat()
    .filter((value) => typeof value === 'string')
    .join(' ')
    .replaceAll(/[_-]/g, ' ');
}

/** Returns a token such as `make=skoda`, by which values are compared regardless of their type. */
export function toToken(name: string, value: string | number | boolean): string {
  return `${name}=${String(value)}`;
}

function toTokens(attributes: Attributes): string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    // Long texts are searched only by words, not compared for equality.
    [value].flat().flatMap((item) => (String(item).length <= 80 ? [toToken(name, item)] : [])),
  );
}

function toPublicLocation(
  own: StoredListingLocation | null,
  dealerLocationId: string | null,
  seller: CatalogSources['seller'],
): StoredListingLocation | null {
  const place = placeOf(seller, dealerLocationId);
  if (place) return place;
  if (own?.precision !== 'approximate') return own;
  const { geo } = own;
  return { ...own, postalCode: null, geo: geo && { lat: rounded(geo.lat), lng: rounded(geo.lng) } };
}

/** Returns a dealer's public place of business; null if there is none. */
export function placeOf(
  seller: CatalogSources['seller'],
  dealerLocationId: string | null,
): StoredListingLocation | null {
  const place =
    'locations' in seller ? seller.locations?.find(({ id }) => id === dealerLocationId) : undefined;
  if (!place) return null;
  const { postalCode, city, region, country } = place.address;
  return { postalCode, city, region, country, geo: place.geo, precision: 'exact' };
}

function rounded(degrees: number): number {
  return Math.round(degrees * roundedDegrees) / roundedDegrees;
}
