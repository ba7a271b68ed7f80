import type { CheckGroup, JsonValue, Position } from '../contract.ts';
import type { LanguageFeature } from '../language/findLanguage.ts';
import type { CheckId } from '../ruleset/Ruleset.ts';
import type { AnalysisContext } from './AnalysisContext.ts';

/** Reasons why a check does not apply to an input. */
export type NotApplicableReason =
  | 'not_in_profile'
  | 'object_unknown'
  | 'language_data_missing'
  | 'no_keyphrase'
  | 'no_content'
  | 'no_title'
  | 'no_meta_description'
  | 'no_slug'
  | 'no_images'
  | 'no_links'
  | 'targets_unknown'
  | 'no_translations'
  | 'no_headings'
  | 'no_subheadings'
  | 'text_too_short'
  | 'canonical_unknown'
  | 'social_unknown'
  | 'schema_unknown'
  | 'product_unknown'
  | 'check_failed';

/** Finding of a check. `ok` has half of the points and `bad` none, unless `share` states a linear part. */
export interface Finding {
  rating: 'good' | 'ok' | 'bad' | 'info';
  /** Last part of the message code. */
  code: string;
  value: JsonValue;
  params?: Record<string, JsonValue>;
  text: string;
  positions?: Position[];
  /** Share of the points of the check, from 0 to 1. */
  share?: number;
}

export type Outcome = Finding | { notApplicable: NotApplicableReason };

/** Facts that a check requires; each has its own reason if it is missing. */
export type Requirement =
  | 'surroundings'
  | 'keyphrase'
  | 'content'
  | 'title'
  | 'metaDescription'
  | 'slug'
  | 'images'
  | 'links'
  | 'headings'
  | 'subheadings'
  | 'product';

/**
 * One check. Each file exports one, and `registry.ts` lists it. Checks are pure functions of the context; their
 * thresholds come from `context.thresholds`, never from their own file.
 */
export interface Check {
  id: CheckId;
  group: CheckGroup;
  title: string;
  description: string;
  requires: readonly Requirement[];
  /** The language data without which the check would guess. */
  needs: LanguageFeature | null;
  /** Also run for related keyphrases. */
  forRelated: boolean;
  evaluate: (context: AnalysisContext) => Outcome;
}
