import type { OwnedContent, OwnedProduct } from '../../../platform/federation/askOwner.ts';
import type { AnalysisInput, ProductInput, Profile } from '../../engine/contract.ts';
import type { ObjectType } from '../../pages/object/ObjectRef.ts';
import type { SeoFields } from '../../pages/record/model.ts';
import { toMajorUnits } from './toMajorUnits.ts';

/** Profile of an object without a stated one. */
const profileOf: Readonly<Record<ObjectType, Profile>> = {
  listing: 'product',
  dealer: 'page',
  page: 'article',
};

/** Returns the product of the page, as an editor would state it. */
function toProduct({ price, ...rest }: OwnedProduct): ProductInput {
  return price
    ? { ...rest, price: toMajorUnits(price.amount, price.currency), currency: price.currency }
    : rest;
}

/**
 * Returns an object in the engine's format. Fields that were never saved are known to be empty here, not unknown, so
 * their absence is judged.
 */
export function savedPage(
  type: ObjectType,
  locale: string,
  content: OwnedContent | null,
  fields: SeoFields,
): AnalysisInput {
  return {
    locale,
    profile: profileOf[type],
    ...(content && { content: content.html, title: content.title, permalink: content.url }),
    ...(content?.images && { images: content.images }),
    ...(content?.product && { product: toProduct(content.product) }),
    seoTitle: fields.seoTitle ?? '',
    metaDescription: fields.metaDescription ?? '',
    slug: fields.slug ?? content?.slug ?? null,
    canonicalUrl: fields.canonicalUrl,
    keyphrase: fields.keyphrase,
    synonyms: fields.synonyms,
    noindex: fields.noindex,
    isCornerstone: fields.isCornerstone,
  };
}
