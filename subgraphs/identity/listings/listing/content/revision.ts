import { isDeepStrictEqual } from 'node:util';
import type { Attributes } from '../../category/checkAttributes.ts';
import type { CategoryRecord } from '../../category/model.ts';
import type { ListingContent, ListingRecord, MaterialContent } from '../record/model.ts';

/** Returns the members of a record that its owner writes. */
export function pickContent(record: ListingContent): ListingContent {
  const { dealerLocationId, stockNumber, price, priceType, tax, location, contact } = record;
  return {
    ...pickMaterial(record),
    dealerLocationId,
    price,
    priceType,
    tax,
    location,
    contact,
    stockNumber: stockNumber ?? null,
  };
}

function pickMaterial(content: MaterialContent): MaterialContent {
  const { categoryId, title, description, languageTag, condition, attributes, media } = content;
  return { categoryId, title, description, languageTag, condition, attributes, media };
}

/** Returns whether the content is unchanged. */
export function isSameContent(before: ListingContent, after: ListingContent): boolean {
  return isDeepStrictEqual(pickContent(before), pickContent(after));
}

/** Returns whether a change needs a review: texts, category, condition, files, identifying attributes. */
export function isMaterialChange(
  before: MaterialContent,
  after: MaterialContent,
  category: CategoryRecord | null,
): boolean {
  const reviewed = (content: MaterialContent) => ({
    ...pickMaterial(content),
    attributes: identifying(content.attributes, category),
  });
  return !isDeepStrictEqual(reviewed(before), reviewed(after));
}

function identifying(attributes: Attributes, category: CategoryRecord | null): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isIdentifying(name, category)));
}

function isIdentifying(name: string, category: CategoryRecord | null): boolean {
  return category?.attributeSchema?.properties[name]?.identifying === true;
}

/**
 * Returns the published copy after a change of the content. If listings are shown before their review, it follows
 * immediately. Otherwise, material content stays as published. Other attributes follow as long as the category is
 * unchanged.
 */
export function nextPublished(
  { published }: Pick<ListingRecord, 'published'>,
  content: ListingContent,
  options: { revision: number; category: CategoryRecord | null; moderation: 'pre' | 'post' },
): ListingRecord['published'] {
  if (!published) return null;
  const { revision, category, moderation } = options;
  if (moderation === 'post') return { ...pickMaterial(content), revision };
  if (published.categoryId !== content.categoryId) return published;
  const free = Object.entries(content.attributes).filter(([name]) => !isIdentifying(name, category));
  return {
    ...published,
    attributes: { ...identifying(published.attributes, category), ...Object.fromEntries(free) },
  };
}

/** Returns the public copy after this revision is published. */
export function toPublished(listing: ListingRecord): NonNullable<ListingRecord['published']> {
  return { ...pickMaterial(listing), revision: listing.revision };
}

/** Returns every file that a listing shows, or will show after its review. */
export function filesOf({ media, published }: Pick<ListingRecord, 'media' | 'published'>): string[] {
  return [...new Set([...media, ...(published?.media ?? [])].map(({ mediaId }) => mediaId))];
}
