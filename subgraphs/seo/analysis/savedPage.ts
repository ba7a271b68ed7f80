import type { OwnedContent } from '../../platform/federation/askOwner.ts';
import type { AnalysisInput, Profile } from '../engine/contract.ts';
import type { ObjectType } from '../object/ObjectRef.ts';
import type { SeoFields } from '../record/model.ts';

/** Profile of an object when nobody states one. */
const profileOf: Readonly<Record<ObjectType, Profile>> = {
  listing: 'product',
  dealer: 'page',
  page: 'article',
};

/**
 * An object as the engine reads it. What nobody saved is known to be empty here, not unknown, so its absence is
 * judged.
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
