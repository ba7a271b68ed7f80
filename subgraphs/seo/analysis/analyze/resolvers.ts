import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { CheckResult, LanguageInfo, Score } from '../../engine/contract.ts';
import type { Resolvers, SeoGroup, SeoRating } from '../../seo.generated.ts';
import { analysisProblems } from './analysisProblems.ts';
import { seoAnalyze } from './seoAnalyze.ts';

/** A check in the engine's format. */
export type SeoCheckResultParent = CheckResult;

/** A score in the engine's format. */
export type SeoScoreParent = Score;

/** A language in the engine's format. */
export type SeoLanguageInfoParent = LanguageInfo;

/** Computed source of a body. */
export interface SeoContentSourceParent {
  content: 'request' | 'object';
  words: number;
}

const resolvers: Resolvers = {
  Query: { seoAnalyze: (_, { input }, context) => seoAnalyze(input, context) },
  SeoCheckResult: { checkId: ({ id }) => id },
  SeoDraftAnalysis: {
    checks: ({ checks }, filter) => selectChecks(checks, filter),
  },
};

/** Returns the checks of a group or with some verdicts; all checks by default. */
export function selectChecks(
  checks: readonly CheckResult[],
  {
    group,
    ratings,
  }: { group?: SeoGroup | null | undefined; ratings?: readonly SeoRating[] | null | undefined },
): readonly CheckResult[] {
  if (!group && !ratings) return checks;
  return checks.filter(
    (check) => (!group || check.group === group) && (!ratings || ratings.includes(check.rating)),
  );
}

/** Analysis of drafts, and the types of every analysis. */
export const analysis: Resource = { resolvers, inputRules: { seoAnalyze: analysisProblems } };
