import { analysisLimits, assertAtMost } from './assertLimits.ts';
import type { AnalysisContext } from './checks/AnalysisContext.ts';
import type { Check } from './checks/Check.ts';
import { checks } from './checks/registry.ts';
import { runCheck } from './checks/runCheck.ts';
import type { Analysis, AnalysisInput, AnalysisWarning, CheckResult, RelatedAnalysis } from './contract.ts';
import { createContext, createTopic } from './createContext.ts';
import { engineVersion } from './engineVersion.ts';
import { hashInput } from './hashInput.ts';
import type { Ruleset } from './ruleset/Ruleset.ts';
import { ruleset2026 } from './ruleset/ruleset2026.ts';
import { countCodePoints } from './text/countCodePoints.ts';
import { toMetrics, toOutline } from './toMetrics.ts';
import { type ScoreLimits, toScore } from './toScore.ts';

interface Selection {
  selected: readonly Check[];
  warnings: AnalysisWarning[];
}

function selectChecks(ids: readonly string[] | null | undefined): Selection {
  if (!ids) return { selected: checks, warnings: [] };
  const known = new Set<string>(checks.map((check) => check.id));
  const warnings = ids.flatMap((id, index): AnalysisWarning[] => {
    if (known.has(id)) return [];
    return [{ code: 'check.unknown', pointer: `/checks/${index}`, message: 'No check has this id.' }];
  });
  const wanted = new Set(ids);
  return { selected: checks.filter((check) => wanted.has(check.id)), warnings };
}

function analyzeRelated(
  context: AnalysisContext,
  selected: readonly Check[],
  limits: ScoreLimits,
  ruleset: Ruleset,
): RelatedAnalysis[] {
  const language = { data: context.language, tag: context.languageTag };
  return (context.input.relatedKeyphrases ?? []).map(({ keyphrase, synonyms }) => {
    const topic = createTopic(keyphrase, synonyms ?? [], context.content, language);
    const related = { ...context, topic };
    const results = selected
      .filter((check) => check.forRelated)
      .map((check) => runCheck(check, related, ruleset.points));
    const score = toScore(results, { ...limits, hasKeyphrase: topic !== null }, ruleset.scoring);
    return { keyphrase, score, checks: results };
  });
}

function findPermalinkWarning(input: AnalysisInput, context: AnalysisContext): AnalysisWarning[] {
  if (!input.permalink?.trim() || context.input.permalink) return [];
  const message = 'The permalink is not a web URL, so links were checked without it.';
  return [{ code: 'permalink.invalid', pointer: '/permalink', message }];
}

function scoresOf(
  results: readonly CheckResult[],
  limits: ScoreLimits,
  ruleset: Ruleset,
): Analysis['scores'] {
  const ofReading = results.filter((result) => result.group === 'readability');
  const ofSearch = results.filter((result) => result.group !== 'readability');
  // Neither the keyphrase nor noindex affects the readability.
  const readingLimits = { ...limits, noindex: false, hasKeyphrase: true };
  return {
    seo: toScore(ofSearch, limits, ruleset.scoring),
    readability: toScore(ofReading, readingLimits, ruleset.scoring),
  };
}

/**
 * Rates one page for search and readability. Pure: the same input and ruleset give the same value, byte for byte, in
 * any process; nothing is read or written. The duration is linear in the content for every input.
 *
 * Throws `AnalysisLimitError` for content of more than 524,288 characters or 60,000 words. Any other content gives a result, even
 * with invalid markup. The caller limits the lengths of the other members.
 */
export function analyze(input: AnalysisInput, ruleset: Ruleset = ruleset2026): Analysis {
  const characters = countCodePoints(input.content ?? '');
  assertAtMost('content.characters', analysisLimits.characters, characters);
  const inputHash = hashInput(input, ruleset);
  const profile = input.profile ?? 'article';
  const { selected, warnings } = selectChecks(input.checks);
  const { context, language } = createContext(input, profile, ruleset.thresholds);
  const metrics = toMetrics(context);
  const results = selected.map((check) => runCheck(check, context, ruleset.points));
  const limits: ScoreLimits = {
    hasContent: metrics.characters >= ruleset.scoring.fewestCharacters,
    noindex: input.noindex === true,
    hasKeyphrase: context.topic !== null,
  };
  return {
    engineVersion,
    ruleset: ruleset.id,
    inputHash,
    profile,
    source: { words: metrics.words },
    language: language.info,
    scores: scoresOf(results, limits, ruleset),
    checks: results,
    related: analyzeRelated(context, selected, limits, ruleset),
    metrics,
    outline: toOutline(context),
    warnings: [...language.warnings, ...findPermalinkWarning(input, context), ...warnings],
  };
}
