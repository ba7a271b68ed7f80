import { AnalysisLimitError } from './AnalysisLimitError.ts';

/**
 * What bounds the time and memory of one analysis. The lengths of other members are the caller's to bound: work grows with
 * them, too, but only in proportion.
 */
export const analysisLimits = { contentBytes: 512 * 1024, words: 60_000, jsonDepth: 64 } as const;

/** What is limited. */
type Subject = 'content.bytes' | 'content.words' | 'json.depth';

/** @throws AnalysisLimitError if the subject has more than the limit */
export function assertAtMost(subject: Subject, limit: number, actual: number): void {
  if (actual > limit) throw new AnalysisLimitError(subject, limit, actual);
}
