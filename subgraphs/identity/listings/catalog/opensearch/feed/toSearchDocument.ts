import type { ColumnSource } from '../../columns/IndexedListing.ts';
import { byName } from '../../columns/ListingColumns.ts';
import { toStems } from '../../columns/words/toStems.ts';

/** Searched members of a public copy: those of the columns. */
export interface SearchSource extends ColumnSource {
  installationId: string;
}

/** Returns the document of a listing. Fields and conditions are in `catalogIndex.ts`. */
export function toSearchDocument(source: SearchSource): Record<string, unknown> {
  const { price, location, seller } = source;
  const geo = location?.geo;
  return {
    id: source._id,
    installationId: source.installationId,
    withdrawn: source.withdrawn,
    expiresAt: source.expiresAt.getTime(),
    publishedAt: source.publishedAt.getTime(),
    categoryId: source.categoryIds,
    condition: source.condition,
    priceType: source.priceType,
    priceRank: source.priceRank,
    ...(price && { price: price.amount, currency: price.currency }),
    sellerType: seller.type,
    sellerId: seller.id,
    hasImages: source.hasImages,
    ...(geo && { place: { lat: geo.lat, lon: geo.lng }, lat: geo.lat, lng: geo.lng }),
    attributes: toAttributes(source),
    words: {
      title: stemsOf(source.title, source.languageTag),
      attributes: stemsOf(source.attributesText, source.languageTag),
      description: stemsOf(source.description, source.languageTag),
    },
    ...toTranslated(source.translations ?? []),
  };
}

/** Returns numbers by value and other values by token, as the columns do. */
function toAttributes({ attributes, attributeTokens }: SearchSource): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  // The engine distinguishes -0 from 0.
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'number') fields[`n_${name}`] = value + 0;
  for (const [name, values] of byName(attributeTokens))
    if (typeof attributes[name] !== 'number') fields[`s_${name}`] = values;
  return fields;
}

function toTranslated(translations: NonNullable<SearchSource['translations']>): Record<string, unknown> {
  const translated: Record<string, string[]> = {};
  const byTag = Map.groupBy(translations, ({ languageTag }) => languageTag);
  for (const [tag, texts] of byTag) {
    const joined = (member: 'title' | 'description') => texts.map((text) => text[member]).join('\n');
    translated[`title_${tag}`] = stemsOf(joined('title'), tag);
    translated[`description_${tag}`] = stemsOf(joined('description'), tag);
  }
  return byTag.size === 0 ? {} : { translationTags: [...byTag.keys()], translated };
}

function stemsOf(text: string, languageTag: string): string[] {
  return [...toStems(text, languageTag)];
}
