import type { Headers } from './Exchange.ts';
import type { AnswerNotes } from './Gateway.ts';

/** Headers that tell how an execution was charged and whether it was a repetition. */
export function addNotes(headers: Headers, notes: AnswerNotes | undefined): void {
  if (notes === undefined) return;
  if (notes.idempotentReplayed) headers['Idempotent-Replayed'] = 'true';
  if (notes.rateLimitPolicy !== undefined) headers['RateLimit-Policy'] = notes.rateLimitPolicy;
  if (notes.rateLimit !== undefined) headers.RateLimit = notes.rateLimit;
}
