import { roundTo2 } from './checks/rate.ts';
import type { CheckResult, Rating, Score } from './contract.ts';
import type { Ruleset } from './ruleset/Ruleset.ts';

export interface ScoreLimits {
  hasContent: boolean;
  noindex: boolean;
  hasKeyphrase: boolean;
}

type Scoring = Ruleset['scoring'];

function toRating(value: number, scoring: Scoring): Rating {
  if (value >= scoring.rating.good) return 'good';
  return value >= scoring.rating.ok ? 'ok' : 'bad';
}

/** Returns the tightest cap that lowers the value. */
function findCap(value: number, limits: ScoreLimits, scoring: Scoring): 'noindex' | 'no_keyphrase' | null {
  if (limits.noindex && value > scoring.caps.noindex) return 'noindex';
  return !limits.hasKeyphrase && value > scoring.caps.no_keyphrase ? 'no_keyphrase' : null;
}

/**
 * Returns the score: `round(100 · earned ÷ possible)` over the applicable checks, then the caps. Without content or
 * applicable points there is no value, because nothing was rated.
 */
export function toScore(results: readonly CheckResult[], limits: ScoreLimits, scoring: Scoring): Score {
  const judged = results.filter((result) => result.applicable);
  const earned = roundTo2(judged.reduce((sum, result) => sum + result.points, 0));
  const possible = roundTo2(judged.reduce((sum, result) => sum + result.maxPoints, 0));
  const facts = { earned, possible, applicable: judged.length };
  if (!limits.hasContent) return { value: null, rating: 'na', ...facts, cappedBy: 'no_content' };
  if (possible === 0) return { value: null, rating: 'na', ...facts, cappedBy: null };
  const value = Math.round((100 * earned) / possible);
  const cappedBy = findCap(value, limits, scoring);
  const capped = cappedBy === null ? value : scoring.caps[cappedBy];
  return { value: capped, rating: toRating(capped, scoring), ...facts, cappedBy };
}
