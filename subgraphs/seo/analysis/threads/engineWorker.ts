import { AnalysisLimitError } from '../../engine/AnalysisLimitError.ts';
import { analyze as analyzeWithin } from '../../engine/analyze.ts';
import type { Analysis, AnalysisInput } from '../../engine/contract.ts';
import {
  type Simulation,
  type SimulationTask,
  simulate as simulateWithin,
} from '../../engine/recommendations/simulate.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import {
  type Suggestions,
  type SuggestionTask,
  suggest as suggestWithin,
} from '../../engine/suggestions/suggest.ts';

/** Inputs of an analysis. */
export interface AnalysisTask {
  readonly page: AnalysisInput;
  /** Ruleset; the built-in one by default. */
  readonly ruleset?: Ruleset | undefined;
}

/**
 * A result of the engine, or the limit that its input exceeds, as plain data, because error classes do not survive the
 * transfer between threads.
 */
export type Outcome<T> =
  | { readonly result: T }
  | { readonly exceeded: Pick<AnalysisLimitError, 'subject' | 'limit'> };

/** Analyses a page. */
export function analyze({ page, ruleset }: AnalysisTask): Outcome<Analysis> {
  return outcomeOf(() => analyzeWithin(page, ruleset));
}

/** Suggests values for a page. */
export function suggest(task: SuggestionTask): Outcome<Suggestions> {
  return outcomeOf(() => suggestWithin(task));
}

/** Simulates the recommended changes of a page. */
export function simulate(task: SimulationTask): Outcome<Simulation> {
  return outcomeOf(() => simulateWithin(task));
}

/** Returns the outcome. Any error except an exceeded limit is a bug of the engine and is thrown. */
function outcomeOf<T>(compute: () => T): Outcome<T> {
  try {
    return { result: compute() };
  } catch (error) {
    if (!(error instanceof AnalysisLimitError)) throw error;
    const { subject, limit } = error;
    return { exceeded: { subject, limit } };
  }
}
