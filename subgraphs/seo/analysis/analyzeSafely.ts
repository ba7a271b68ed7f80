import { AnalysisLimitError } from '../engine/AnalysisLimitError.ts';
import { analyze } from '../engine/analyze.ts';
import type { Analysis, AnalysisInput } from '../engine/contract.ts';

/** An analysis, or the limit that its input exceeds, as plain data: error classes do not survive a thread's border. */
export type AnalysisOutcome =
  | { readonly analysis: Analysis }
  | { readonly exceeded: Pick<AnalysisLimitError, 'code' | 'subject' | 'limit'> };

/** Analyses here and now; what is no limit is a bug of the engine and is thrown. */
export function analyzeSafely(input: AnalysisInput): AnalysisOutcome {
  try {
    return { analysis: analyze(input) };
  } catch (error) {
    if (!(error instanceof AnalysisLimitError)) throw error;
    const { code, subject, limit } = error;
    return { exceeded: { code, subject, limit } };
  }
}
