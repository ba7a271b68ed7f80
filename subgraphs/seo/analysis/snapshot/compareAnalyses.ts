import type { Analysis, Rating } from '../../engine/contract.ts';

/** Differences between two analyses of one object. */
export interface Comparison {
  /** Null without an earlier analysis, or if one of the two has no score. */
  scoreDelta: number | null;
  improved: string[];
  regressed: string[];
}

/** Verdicts that can be better or worse than each other; notices and checks that do not apply cannot. */
const orderOf: Partial<Record<Rating, number>> = { bad: 0, ok: 1, good: 2 };

type ScoredChecks = Pick<Analysis, 'scores' | 'checks'>;

/** Compares check by check, in the order of the later analysis. */
export function compareAnalyses(previous: ScoredChecks | null, current: ScoredChecks): Comparison {
  const before = new Map(previous?.checks.map(({ id, rating }) => [id, orderOf[rating]]));
  const moves = current.checks.map(({ id, rating }) => ({
    id,
    by: (orderOf[rating] ?? Number.NaN) - (before.get(id) ?? Number.NaN),
  }));
  return {
    scoreDelta: difference(previous?.scores.seo.value, current.scores.seo.value),
    improved: moves.filter(({ by }) => by > 0).map(({ id }) => id),
    regressed: moves.filter(({ by }) => by < 0).map(({ id }) => id),
  };
}

function difference(before: number | null | undefined, after: number | null): number | null {
  return before === null || before === undefined || after === null ? null : after - before;
}
