import type { CheckResult } from '../contract.ts';
import type { CheckId } from '../ruleset/Ruleset.ts';
import type { SuggestionKind } from '../suggestions/SuggestionKind.ts';

/** Effort of a remedy, relative to writing a field. */
export type Effort = 'low' | 'medium' | 'high';

/** Common cause of several checks, and its remedy. */
export interface Cause {
  /** Remedy in English. */
  readonly title: string;
  readonly effort: Effort;
  /** Member of the analysed page in which it is done. */
  readonly field: string;
  /** Suggestions that help. */
  readonly kinds: readonly SuggestionKind[];
  /** Checks of the cause. */
  readonly checks: readonly CheckId[];
}

/**
 * Causes of findings. Every check has exactly one cause, so one edit is one entry of the list. A cause never mixes
 * checks of the two scores, because their points are not comparable.
 */
export const causes = {
  keyphrase: {
    title: 'Choose a better keyphrase',
    effort: 'low',
    field: 'keyphrase',
    kinds: ['keyphrase'],
    checks: ['keyphrase.length', 'keyphrase.function_words_only', 'keyphrase.unique'],
  },
  seo_title: {
    title: 'Improve the title for search results',
    effort: 'low',
    field: 'seoTitle',
    kinds: ['seo_title'],
    checks: ['title.present', 'title.width', 'title.unique', 'keyphrase.in_seo_title'],
  },
  meta_description: {
    title: 'Improve the description for search results',
    effort: 'low',
    field: 'metaDescription',
    kinds: ['meta_description'],
    checks: ['meta.present', 'meta.length', 'meta.unique', 'keyphrase.in_meta_description'],
  },
  slug: {
    title: 'Improve the address of the page',
    effort: 'low',
    field: 'slug',
    kinds: ['slug'],
    checks: ['slug.format', 'keyphrase.in_slug'],
  },
  introduction: {
    title: 'Name the topic in the first paragraph',
    effort: 'low',
    field: 'content',
    kinds: [],
    checks: ['keyphrase.in_introduction'],
  },
  keyphrase_use: {
    title: 'Use the keyphrase naturally throughout the text',
    effort: 'medium',
    field: 'content',
    kinds: [],
    checks: ['keyphrase.density', 'keyphrase.distribution'],
  },
  subheadings: {
    title: 'Use the keyphrase in the subheadings',
    effort: 'low',
    field: 'content',
    kinds: ['headings'],
    checks: ['keyphrase.in_subheadings'],
  },
  headings: {
    title: 'Put the headings in order',
    effort: 'low',
    field: 'content',
    kinds: ['headings'],
    checks: ['headings.h1', 'headings.order', 'headings.quality'],
  },
  content_length: {
    title: 'Write more about the topic',
    effort: 'high',
    field: 'content',
    kinds: [],
    checks: ['content.length'],
  },
  placeholder: {
    title: 'Replace what stands in for a text',
    effort: 'low',
    field: 'content',
    kinds: [],
    checks: ['content.placeholder'],
  },
  duplicate: {
    title: 'Say something that no other page says',
    effort: 'high',
    field: 'content',
    kinds: [],
    checks: ['content.duplicate'],
  },
  images: {
    title: 'Add images',
    effort: 'medium',
    field: 'content',
    kinds: [],
    checks: ['images.present'],
  },
  image_alt: {
    title: 'Describe the images',
    effort: 'low',
    field: 'content',
    kinds: ['image_alt'],
    checks: ['images.alt', 'keyphrase.in_image_alt'],
  },
  internal_links: {
    title: 'Link to pages of this site',
    effort: 'low',
    field: 'content',
    kinds: ['internal_links'],
    checks: ['links.internal'],
  },
  outbound_links: {
    title: 'Link to a source outside',
    effort: 'low',
    field: 'content',
    kinds: [],
    checks: ['links.outbound'],
  },
  link_quality: {
    title: 'Repair the links',
    effort: 'low',
    field: 'content',
    kinds: [],
    checks: ['links.anchor_text', 'links.crawlable', 'links.broken_internal', 'keyphrase.competing_links'],
  },
  indexable: {
    title: 'Let search engines list the page',
    effort: 'low',
    field: 'noindex',
    kinds: [],
    checks: ['robots.indexable'],
  },
  canonical: {
    title: 'Correct the canonical address',
    effort: 'low',
    field: 'canonicalUrl',
    kinds: ['canonical'],
    checks: ['canonical.valid'],
  },
  hreflang: {
    title: 'Connect the translations of the page',
    effort: 'medium',
    field: 'content',
    kinds: [],
    checks: ['hreflang.valid'],
  },
  social: {
    title: 'Complete the preview for social networks',
    effort: 'low',
    field: 'social',
    kinds: ['social'],
    checks: ['social.og'],
  },
  structured_data: {
    title: 'Complete the structured data',
    effort: 'medium',
    field: 'schema',
    kinds: ['schema'],
    checks: ['schema.present', 'schema.valid'],
  },
  product: {
    title: 'Complete what is known of the product',
    effort: 'low',
    field: 'product',
    kinds: [],
    checks: ['product.identifier', 'product.offer'],
  },
  sections: {
    title: 'Divide long passages with subheadings',
    effort: 'medium',
    field: 'content',
    kinds: ['headings'],
    checks: ['subheadings.distribution'],
  },
  sentences: {
    title: 'Shorten long sentences',
    effort: 'medium',
    field: 'content',
    kinds: [],
    checks: ['sentences.length'],
  },
  beginnings: {
    title: 'Begin sentences differently',
    effort: 'low',
    field: 'content',
    kinds: [],
    checks: ['sentences.beginnings'],
  },
  paragraphs: {
    title: 'Divide long paragraphs',
    effort: 'low',
    field: 'content',
    kinds: [],
    checks: ['paragraphs.length'],
  },
  transitions: {
    title: 'Connect the sentences',
    effort: 'medium',
    field: 'content',
    kinds: [],
    checks: ['transitions.share'],
  },
  passive: {
    title: 'Say who does it',
    effort: 'medium',
    field: 'content',
    kinds: [],
    checks: ['passive.share'],
  },
  reading_ease: {
    title: 'Use simpler words and sentences',
    effort: 'high',
    field: 'content',
    kinds: [],
    checks: ['reading.ease'],
  },
  layout: {
    title: 'Lay the text out for reading',
    effort: 'low',
    field: 'content',
    kinds: [],
    checks: ['text.alignment', 'lists.present'],
  },
} as const satisfies Record<string, Cause>;

/** Name of a cause. */
export type CauseName = keyof typeof causes;

/** Condition that hides checks, and the cause that fulfils it. */
export const causeOfReason: Readonly<Record<string, CauseName>> = {
  no_keyphrase: 'keyphrase',
  no_title: 'seo_title',
  no_meta_description: 'meta_description',
  no_content: 'content_length',
  no_images: 'images',
};

/** Returns the cause of a finding, or of a condition that hides a check; null for a check without a finding. */
export function causeOf(check: CheckResult): CauseName | null {
  if (isFinding(check)) return causeOfCheck.get(check.id) ?? null;
  const reason = check.notApplicableReason ?? '';
  return Object.hasOwn(causeOfReason, reason) ? (causeOfReason[reason] ?? null) : null;
}

/** Returns whether a check found something to improve. */
export function isFinding({ applicable, rating }: CheckResult): boolean {
  return applicable && (rating === 'bad' || rating === 'ok' || rating === 'info');
}

/** The cause of each check. */
export const causeOfCheck: ReadonlyMap<string, CauseName> = new Map(
  Object.entries(causes).flatMap(([name, { checks }]) => checks.map((id) => [id, name as CauseName])),
);
