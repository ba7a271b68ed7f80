import { AnalysisLimitError } from './AnalysisLimitError.ts';

/**
 * Limits of the time and memory of an analysis. Characters are code points, so that a text has the same limit in every
 * script; the `@limits` of its operations accept so many characters of four bytes. The caller limits the lengths of other members, with which the work
 * grows linearly.
 */
export const analysisLimits = { characters: 512 * 1024, words: 60_000, jsonDepth: 64 } as const;

/** Name of the limit. */
type Subject = 'content.characters' | 'content.words' | 'json.depth';

/**
 * Checks a limit.
 *
 * @throws AnalysisLimitError if the subject exceeds it
 */
export function assertAtMost(subject: Subject, limit: number, actual: number): void {
  if (actual > limit) throw new AnalysisLimitError(subject, limit, actual);
}
