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
export type AnalysisOutcome =
  | { readonly analysis: Analysis }
  | { readonly exceeded: Pick<AnalysisLimitError, 'code' | 'subject' | 'limit'> };

/** Analyses here and now; what is no limit is a bug of the engine and is thrown. */
export function analyzeSafely({ page, ruleset }: AnalysisTask): AnalysisOutcome {
  try {
    return { analysis: analyze(page, ruleset) };
  } catch (error) {
    if (!(error instanceof AnalysisLimitError)) throw error;
    const { code, subject, limit } = error;
    return { exceeded: { code, subject, limit } };
  }
}
