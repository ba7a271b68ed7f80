import type { Profile } from '../contract.ts';

/** Inclusive on both ends. */
export interface Range {
  min: number;
  max: number;
}

/** Inside `good` is good, else inside `ok` is ok, else bad. */
export interface Bands {
  good: Range;
  ok: Range;
}

/** Upper limits: up to `good` is good, up to `ok` is ok, above is bad. */
export interface UpperLimits {
  good: number;
  ok: number;
}

/** Lower limits: from `good` on is good, from `ok` on is ok, below is bad. */
export interface LowerLimits {
  good: number;
  ok: number;
}

/** A value per language code; `default` holds for all others. */
export interface PerLanguage<T> {
  default: T;
  [language: string]: T;
}

/** Lengths in characters (code points) where words are not what counts, e.g. Japanese and Chinese. */
export interface Thresholds {
  'keyphrase.length': { contentWords: Bands; allWords: Bands; characters: Bands; productWords: Bands };
  'keyphrase.density': {
    /** Percent of the words, before the correction for long keyphrases. */
    percent: Range;
    maxPercentWithoutStems: number;
    fewestMatches: number;
    shortTextWords: number;
    shortTextMatches: Range;
  };
  'keyphrase.distribution': { fewestSentences: number; gapShare: UpperLimits };
  /** With more than so many uses the title counts as stuffed. */
  'keyphrase.in_seo_title': { uses: number };
  'keyphrase.in_meta_description': { sentences: Range; uses: number };
  'keyphrase.in_subheadings': { share: Range };
  'keyphrase.in_slug': { shortPhraseWords: number };
  'keyphrase.in_image_alt': { fewImages: number; share: Range };
  'keyphrase.unique': { uses: UpperLimits };
  'title.width': { pixels: Bands };
  'meta.length': { characters: Range; charactersEastAsian: Range };
  'slug.format': { characters: number; words: number; defects: UpperLimits };
  'content.length': {
    words: Record<Profile, { standard: number; cornerstone: number }>;
    okShare: number;
    charactersPerWord: number;
  };
  /** Differences of more than 3 bits are not searched. */
  'content.duplicate': { fewestWords: number; distance: number };
  'headings.order': { skips: UpperLimits };
  'headings.quality': { characters: number; defects: UpperLimits };
  'images.present': { count: Record<Profile, LowerLimits> };
  'images.alt': { share: LowerLimits };
  'links.anchor_text': { generic: UpperLimits };
  'social.og': { missing: UpperLimits };
  'product.offer': { missing: UpperLimits };
  'sentences.length': {
    /** With fewer sentences a share says nothing. */
    fewestSentences: number;
    words: PerLanguage<number>;
    /** Languages whose sentences are measured in characters. */
    characters: Record<string, number>;
    longShare: PerLanguage<UpperLimits>;
  };
  'subheadings.distribution': { words: UpperLimits; charactersPerWord: number };
  'paragraphs.length': { words: Record<Profile, UpperLimits>; characters: UpperLimits };
  'transitions.share': { fewestWords: number; share: LowerLimits };
  'passive.share': { fewestSentences: number; share: UpperLimits };
  'sentences.beginnings': { longestRun: number };
  'reading.ease': { fewestWords: number; score: LowerLimits };
  'text.alignment': { characters: number };
}

/** Ids with a weight; the order is the order of the answer. */
export type CheckId =
  | keyof Thresholds
  | 'keyphrase.in_introduction'
  | 'keyphrase.competing_links'
  | 'keyphrase.function_words_only'
  | 'title.present'
  | 'title.unique'
  | 'meta.present'
  | 'meta.unique'
  | 'content.placeholder'
  | 'headings.h1'
  | 'links.internal'
  | 'links.outbound'
  | 'links.crawlable'
  | 'links.broken_internal'
  | 'robots.indexable'
  | 'canonical.valid'
  | 'hreflang.valid'
  | 'schema.present'
  | 'schema.valid'
  | 'product.identifier'
  | 'lists.present';

/** Points of a check per profile; a profile without an entry does not run the check. */
export type Points = Record<CheckId, Partial<Record<Profile, number>>>;

/**
 * All thresholds and points of the engine. It is data only, so that an installation can override it and a snapshot can
 * name it.
 */
export interface Ruleset {
  /** Year and revision; an overridden ruleset has another name, for example `2026.1+dealer`. */
  id: string;
  points: Points;
  thresholds: Thresholds;
  scoring: {
    /** Minimum scores for good and ok. */
    rating: LowerLimits;
    /** Highest score with the named finding. */
    caps: { noindex: number; no_keyphrase: number };
    /** Fewer visible characters are no content: no score at all. */
    fewestCharacters: number;
  };
}
