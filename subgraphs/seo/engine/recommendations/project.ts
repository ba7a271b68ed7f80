import type { Analysis, CheckResult, Score } from '../contract.ts';
import type { Ruleset } from '../ruleset/Ruleset.ts';

/** Start of a projection: a new or stored analysis. */
export type ScoredChecks = Pick<Analysis, 'checks' | 'scores'>;

interface Standing {
  earned: number;
  possible: number;
  noindex: boolean;
  hasKeyphrase: boolean;
  hasContent: boolean;
}

/** Effect of changed check results on the scores. */
export interface Projection {
  /** SEO score now, 0 to 100, not rounded; 0 without content. */
  readonly now: number;
  /** Returns the SEO score with these results instead of the present ones. */
  after(changes: readonly CheckResult[]): number;
  /**
   * Returns the difference of a score with these results instead of the present ones, two digits; negative if the score
   * falls. All results belong to the same score.
   */
  gainOf(changes: readonly CheckResult[]): number;
}

/** Returns the result of a check after its finding is corrected. */
export function toGood(check: CheckResult): CheckResult {
  return { ...check, applicable: true, notApplicableReason: null, rating: 'good', points: check.maxPoints };
}

/** Returns the projection of the scores. A check that becomes applicable adds its points, and a cap may be lifted. */
export function projectionOf({ checks, scores }: ScoredChecks, { scoring }: Ruleset): Projection {
  const present = new Map(checks.map((check) => [check.id, check]));
  const seo = standingOf(scores.seo, checks);
  const readability: Standing = {
    ...standingOf(scores.readability, checks),
    noindex: false,
    hasKeyphrase: true,
  };
  const now = valueOf(seo, scoring);
  const valueAfter = (standing: Standing, changes: readonly CheckResult[]): number =>
    valueOf(withChanges(standing, changes, present), scoring);
  return {
    now,
    after: (changes) => valueAfter(seo, changes),
    gainOf(changes) {
      const standing = changes.every(({ group }) => group === 'readability') ? readability : seo;
      return Math.round(100 * (valueAfter(standing, changes) - valueOf(standing, scoring))) / 100;
    },
  };
}

function standingOf({ earned, possible, cappedBy }: Score, checks: readonly CheckResult[]): Standing {
  const ofKeyphrase = checks.filter(({ group }) => group === 'keyphrase');
  return {
    earned,
    possible,
    noindex: cappedBy === 'noindex' || checks.some(isNoindex),
    hasKeyphrase:
      ofKeyphrase.length === 0
        ? cappedBy !== 'no_keyphrase'
        : ofKeyphrase.some(({ keyphrase }) => keyphrase !== null),
    hasContent: cappedBy !== 'no_content',
  };
}

function isNoindex({ id, rating }: CheckResult): boolean {
  return id === 'robots.indexable' && rating === 'bad';
}

function withChanges(
  standing: Standing,
  changes: readonly CheckResult[],
  present: ReadonlyMap<string, CheckResult>,
): Standing {
  const after = { ...standing };
  for (const change of changes) {
    const before = present.get(change.id);
    if (!before) continue;
    after.earned += change.points - before.points;
    after.possible += possibleOf(change) - possibleOf(before);
    if (before.notApplicableReason === 'no_keyphrase') after.hasKeyphrase = true;
    if (change.id === 'content.length') after.hasContent = true;
    if (isNoindex(before)) after.noindex = false;
  }
  return after;
}

function possibleOf({ applicable, maxPoints }: CheckResult): number {
  return applicable ? maxPoints : 0;
}

function valueOf(standing: Standing, { caps }: Ruleset['scoring']): number {
  if (!standing.hasContent || standing.possible === 0) return 0;
  const value = (100 * standing.earned) / standing.possible;
  return Math.min(
    value,
    standing.noindex ? caps.noindex : 100,
    standing.hasKeyphrase ? 100 : caps.no_keyphrase,
  );
}
