import type { CatalogListingRecord } from '../catalog/model.ts';
import { toStems } from '../catalog/words/toStems.ts';
import { cellTokens, equalToken, numberToken } from './tokens.ts';

type Source = Pick<
  CatalogListingRecord,
  | 'categoryIds'
  | 'seller'
  | 'condition'
  | 'priceType'
  | 'price'
  | 'attributes'
  | 'attributeTokens'
  | 'location'
  | 'title'
  | 'description'
  | 'attributesText'
  | 'languageTag'
>;

/** Under which tokens searches may stand that find a listing; a search that finds it stands under at least one. */
export function tokensOf(copy: Source, stems: ReadonlySet<string> = stemsOf(copy)): Set<string> {
  const { categoryIds, seller, condition, priceType, price, attributes, attributeTokens, location } = copy;
  return new Set([
    '*',
    ...categoryIds.map((id) => equalToken('category', id)),
    equalToken('seller', seller.id),
    equalToken('sellerType', seller.type),
    equalToken('condition', condition),
    equalToken('priceType', priceType),
    ...attributeTokens.map((token) => equalToken('attribute', token)),
    ...(price
      ? [equalToken('currency', price.currency), numberToken(`price ${price.currency}`, price.amount)]
      : []),
    ...Object.entries(attributes).flatMap(([name, value]) =>
      typeof value === 'number' ? [numberToken(`attribute ${name}`, value)] : [],
    ),
    ...(location?.geo ? cellTokens(location.geo) : []),
    ...[...stems].map((stem) => equalToken('word', stem)),
  ]);
}

/** The words by which a listing is found. */
export function stemsOf({ title, description, attributesText, languageTag }: Source): Set<string> {
  return toStems(`${title}\n${attributesText}\n${description}`, languageTag);
}
