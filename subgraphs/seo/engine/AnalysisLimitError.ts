/**
 * The input is larger than the engine promises to handle in bounded time. Thrown before the expensive
 * work starts; the caller answers `code` (413 for `payload_too_large`, 422 for `validation_failed`).
 */
export class AnalysisLimitError extends Error {
  override readonly name = 'AnalysisLimitError';
  readonly code: 'payload_too_large' | 'validation_failed';
  /** What was counted, e.g. `content.bytes`, `content.words`, `synonyms.count`. */
  readonly subject: string;
  readonly limit: number;
  readonly actual: number;

  constructor(code: AnalysisLimitError['code'], subject: string, limit: number, actual: number) {
    super(`${subject} is ${actual}, at most ${limit} is accepted`);
    this.code = code;
    this.subject = subject;
    this.limit = limit;
    this.actual = actual;
  }
}
