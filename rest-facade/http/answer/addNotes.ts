import type { Headers } from '../Exchange.ts';
import type { AnswerNotes } from '../Gateway.ts';

/** Adds headers with the rate limits of an execution, whether it was a repetition, and the durations of its parts. */
export function addNotes(headers: Headers, notes: AnswerNotes | undefined): void {
  if (notes === undefined) return;
  if (notes.idempotentReplayed) headers['Idempotent-Replayed'] = 'true';
  if (notes.rateLimitPolicy !== undefined) headers['RateLimit-Policy'] = notes.rateLimitPolicy;
  if (notes.serverTiming !== undefined) headers['Server-Timing'] = notes.serverTiming;
  if (notes.rateLimit !== undefined) headers.RateLimit = notes.rateLimit;
}
