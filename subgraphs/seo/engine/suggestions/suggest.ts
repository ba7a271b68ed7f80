import { createHash } from 'node:crypto';
import { analyze } from '../analyze.ts';
import type { Analysis, AnalysisInput, CheckResult, JsonValue, LanguageInfo } from '../contract.ts';
import { createContext } from '../createContext.ts';
import type { Ruleset } from '../ruleset/Ruleset.ts';
import type { Draft, Neighbours, Source, Suggester } from './Draft.ts';
import type { SuggestionKind } from './SuggestionKind.ts';
import { suggestCanonical } from './suggestCanonical.ts';
import { suggestDescriptions } from './suggestDescriptions.ts';
import { suggestHeadings } from './suggestHeadings.ts';
import { suggestImageAlts } from './suggestImageAlts.ts';
import { suggestInternalLinks } from './suggestInternalLinks.ts';
import { suggestKeyphrases } from './suggestKeyphrases.ts';
import { suggestSchema } from './suggestSchema.ts';
import { suggestSlugs } from './suggestSlugs.ts';
import { suggestSocial } from './suggestSocial.ts';
import { suggestTitles } from './suggestTitles.ts';
import { validateDraft, validationBudget } from './validateDraft.ts';

/** Requested kinds, and the page. */
export interface SuggestionTask {
  readonly page: AnalysisInput;
  readonly ruleset: Ruleset;
  readonly kinds: readonly SuggestionKind[];
  readonly perKind: number;
  /** Ids of suggestions that are not wanted again. */
  readonly exclude: readonly string[];
  readonly neighbours: Neighbours;
}

/** A value that the checks have seen. */
export interface Suggestion {
  readonly id: string;
  readonly kind: SuggestionKind;
  readonly value: JsonValue;
  readonly reason: string;
  readonly basis: readonly string[];
  readonly confidence: number;
  /** The checks of `basis` on the page with the value in it. */
  readonly validation: readonly CheckResult[];
  readonly patch: JsonValue;
}

/** Reasons why a kind has no suggestions. */
export interface Unavailable {
  readonly kind: SuggestionKind;
  readonly code: 'not_enough_content' | 'language_unsupported' | 'no_candidates';
}

/** Members of an analysis that suggestions need. */
export type Analyzed = Pick<Analysis, 'profile' | 'metrics' | 'inputHash' | 'checks' | 'language'>;

/** All suggestions. */
export interface Suggestions {
  readonly ruleset: string;
  readonly language: LanguageInfo;
  readonly items: readonly Suggestion[];
  readonly unavailable: readonly Unavailable[];
}

const suggesters: Readonly<Record<SuggestionKind, Suggester>> = {
  seo_title: suggestTitles,
  meta_description: suggestDescriptions,
  slug: suggestSlugs,
  keyphrase: suggestKeyphrases,
  headings: suggestHeadings,
  internal_links: suggestInternalLinks,
  schema: suggestSchema,
  image_alt: suggestImageAlts,
  social: suggestSocial,
  canonical: suggestCanonical,
};

/** Kinds that are derived from the words of the body. */
const ofContent: ReadonlySet<SuggestionKind> = new Set([
  'meta_description',
  'keyphrase',
  'headings',
  'internal_links',
]);
/** Maximum number of validated drafts for each requested suggestion of a kind. */
const triesPerItem = 3;

/**
 * Suggests values for a page, each validated by its checks. Pure: the same task gives the same value, byte for byte, in
 * any process.
 *
 * @throws AnalysisLimitError as `analyze`
 */
export function suggest(task: SuggestionTask): Suggestions {
  return suggestFor(analyze(task.page, task.ruleset), task);
}

/** Suggests values for an analyzed page. */
export function suggestFor(
  before: Analyzed,
  { page, ruleset, kinds, perKind, exclude, neighbours }: SuggestionTask,
): Suggestions {
  const { context } = createContext(page, before.profile, ruleset.thresholds);
  const source: Source = { input: page, context, ruleset, neighbours };
  const budget = validationBudget(before.metrics.words);
  const excluded = new Set(exclude);
  const items: Suggestion[] = [];
  const unavailable: Unavailable[] = [];
  for (const kind of kinds) {
    const made = isPossible(kind, before, source) ?? suggesters[kind](source);
    const found = typeof made === 'string' ? [] : accept(kind, made);
    items.push(...found);
    if (found.length === 0)
      unavailable.push({ kind, code: typeof made === 'string' ? made : 'no_candidates' });
  }
  return { ruleset: ruleset.id, language: before.language, items, unavailable };

  function accept(kind: SuggestionKind, drafts: readonly Draft[]): Suggestion[] {
    const accepted: Suggestion[] = [];
    for (const draft of drafts.slice(0, perKind * triesPerItem + excluded.size)) {
      if (accepted.length === perKind) break;
      const id = `sug_${hash([kind, draft.value, before.inputHash])}`;
      if (excluded.has(id)) continue;
      const validation = validateDraft(source, before, draft, budget);
      if (validation) accepted.push(toSuggestion(id, kind, draft, validation));
    }
    return accepted;
  }
}

function isPossible(
  kind: SuggestionKind,
  before: Analyzed,
  { ruleset, context }: Source,
): Unavailable['code'] | null {
  if (!ofContent.has(kind)) return null;
  if (before.metrics.characters < ruleset.scoring.fewestCharacters) return 'not_enough_content';
  return kind === 'keyphrase' && context.language.functionWords === null ? 'language_unsupported' : null;
}

function toSuggestion(
  id: string,
  kind: SuggestionKind,
  { value, reason, basis, confidence, patch }: Draft,
  validation: readonly CheckResult[],
): Suggestion {
  const judged = validation.filter(({ applicable }) => applicable);
  const share =
    judged.reduce((sum, { rating }) => sum + (rating === 'good' ? 1 : rating === 'ok' ? 0.5 : 0), 0) /
    Math.max(1, judged.length);
  return {
    id,
    kind,
    value,
    reason,
    basis: [...basis],
    confidence: Math.round(100 * confidence * (0.5 + 0.5 * share)) / 100,
    validation,
    patch: {
      ...(patch.members as unknown as Record<string, JsonValue> | undefined),
      ...(patch.edits && { contentEdits: patch.edits.map((edit) => ({ ...edit })) }),
    },
  };
}

function hash(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 24);
}
