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

/** Points that a page would gain if some checks were good. */
export interface Projection {
  /** SEO score now, 0 to 100, not rounded; 0 without content. */
  readonly now: number;
  /** Returns the SEO score if these checks become good. */
  after(checks: readonly CheckResult[]): number;
  /** Returns the points that the score gains if these checks, all of one score, become good: 0 to 100, two digits. */
  gainOf(checks: readonly CheckResult[]): number;
}

/**
 * Returns the projection of the scores. A check that becomes good earns all its points, one that did not apply also
 * adds to the possible points, and a cap may be lifted.
 */
export function projectionOf({ checks, scores }: ScoredChecks, { scoring }: Ruleset): Projection {
  const seo = standingOf(scores.seo, checks);
  const readability: Standing = {
    ...standingOf(scores.readability, checks),
    noindex: false,
    hasKeyphrase: true,
  };
  const now = valueOf(seo, scoring);
  const after = (done: readonly CheckResult[]): number => valueOf(withDone(seo, done), scoring);
  return {
    now,
    after,
    gainOf(done) {
      const isReading = done.every(({ group }) => group === 'readability');
      const gain = isReading
        ? valueOf(withDone(readability, done), scoring) - valueOf(readability, scoring)
        : after(done) - now;
      return Math.max(0, Math.round(gain * 100) / 100);
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

function withDone(standing: Standing, done: readonly CheckResult[]): Standing {
  const after = { ...standing };
  for (const check of done) {
    after.earned += check.maxPoints - check.points;
    if (!check.applicable) after.possible += check.maxPoints;
    if (check.notApplicableReason === 'no_keyphrase') after.hasKeyphrase = true;
    if (check.id === 'content.length') after.hasContent = true;
    if (isNoindex(check)) after.noindex = false;
  }
  return after;
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
