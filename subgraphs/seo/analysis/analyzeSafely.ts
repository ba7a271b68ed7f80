import { AnalysisLimitError } from '../engine/AnalysisLimitError.ts';
import { analyze } from '../engine/analyze.ts';
import type { Analysis, AnalysisInput } from '../engine/contract.ts';
import type { Ruleset } from '../engine/ruleset/Ruleset.ts';

/** What an analysis depends on. */
export interface AnalysisTask {
  readonly page: AnalysisInput;
  /** The built-in one unless given. */
  readonly ruleset?: Ruleset | undefined;
}

/** An analysis, or the limit that its input exceeds, as plain data: error classes do not survive a thread's border. */
export type AnalysisOutcome = Limited<{ readonly analysis: Analysis }>;

/** What was computed, or the limit that kept it from being. */
export type Limited<T> = T | Exceeded;

/** A limit of the engine that an input exceeds. */
export interface Exceeded {
  readonly exceeded: Pick<AnalysisLimitError, 'code' | 'subject' | 'limit'>;
}

/** Analyses here and now; what is no limit is a bug of the engine and is thrown. */
export function analyzeSafely({ page, ruleset }: AnalysisTask): AnalysisOutcome {
  return withinLimits(() => ({ analysis: analyze(page, ruleset) }));
}

/** What a computation of the engine gives, or the limit that it meets. */
export function withinLimits<T>(compute: () => T): Limited<T> {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof AnalysisLimitError)) throw error;
    const { code, subject, limit } = error;
    return { exceeded: { code, subject, limit } };
  }
}
