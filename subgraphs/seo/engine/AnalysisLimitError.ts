/**
 * The input is larger than the engine promises to handle in bounded time. Thrown before the expensive
 * work starts; the caller answers 413 `payload_too_large`.
 */
export class AnalysisLimitError extends Error {
  override readonly name = 'AnalysisLimitError';
  /** Exceeded limit, such as `content.characters` or `content.words`. */
  readonly subject: string;
  readonly limit: number;
  readonly actual: number;

  constructor(subject: string, limit: number, actual: number) {
    super(`${subject} is ${actual}, at most ${limit} is accepted`);
    this.subject = subject;
    this.limit = limit;
    this.actual = actual;
  }
}
