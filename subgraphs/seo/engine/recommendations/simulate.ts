import { analyze } from '../analyze.ts';
import type { Analysis, AnalysisInput, CheckResult } from '../contract.ts';
import type { Ruleset } from '../ruleset/Ruleset.ts';
import type { SuggestionKind } from '../suggestions/SuggestionKind.ts';
import { suggestFor } from '../suggestions/suggest.ts';
import { causeOf, causes } from './causes.ts';

/** Kinds whose suggestion changes a whole member of the page, so that it is the recommended change. */
const simulatedKinds: readonly SuggestionKind[] = [
  'keyphrase',
  'seo_title',
  'meta_description',
  'slug',
  'schema',
  'social',
  'canonical',
];
/** Words of the longest page whose changes are simulated; a longer page would need seconds. */
const mostWords = 5000;

/** Results of the checks that a change affects, by the kind of suggestion that was applied. */
export type Simulation = Partial<Record<SuggestionKind, readonly CheckResult[]>>;

/** Inputs of a simulation. */
export interface SimulationTask {
  readonly page: AnalysisInput;
  readonly ruleset: Ruleset;
  /** See `kindsToSimulate`. */
  readonly kinds: readonly SuggestionKind[];
  readonly siteName: string;
}

/** Returns the kinds that a simulation of an analysis needs; none for a page that is too long. */
export function kindsToSimulate({ checks, metrics }: Pick<Analysis, 'checks' | 'metrics'>): SuggestionKind[] {
  if (metrics.words > mostWords) return [];
  const needed = new Set<SuggestionKind>();
  for (const check of checks) {
    const cause = causeOf(check);
    if (cause !== null) for (const kind of causes[cause].kinds) needed.add(kind);
  }
  return simulatedKinds.filter((kind) => needed.has(kind));
}

/**
 * Applies the best suggestion of each kind and analyses the page again. Only results that differ are returned. A kind
 * without a suggestion is missing. Pure, as `analyze`.
 */
export function simulate({ page, ruleset, kinds, siteName }: SimulationTask): Simulation {
  const before = analyze(page, ruleset);
  const present = new Map(before.checks.map((check) => [check.id, check]));
  const neighbours = { siteName, usedKeyphrases: [], usedSlugs: [], targets: [] };
  const { items } = suggestFor(before, { page, ruleset, kinds, perKind: 1, exclude: [], neighbours });
  const results = items.map(({ kind, patch }): [SuggestionKind, readonly CheckResult[]] => {
    const changed: AnalysisInput = { ...page, ...(patch as Partial<AnalysisInput>), relatedKeyphrases: [] };
    const { checks } = analyze(changed, ruleset);
    return [kind, checks.filter((check) => isChanged(check, present.get(check.id)))];
  });
  return Object.fromEntries(results);
}

function isChanged(after: CheckResult, before: CheckResult | undefined): boolean {
  return before?.points !== after.points || before.applicable !== after.applicable;
}
