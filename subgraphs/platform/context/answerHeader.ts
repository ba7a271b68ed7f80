import { addNote, type RateNote } from './Budget.ts';
import type { AnswerFacts } from './RequestContext.ts';
import { addTiming } from './timed.ts';

/** Name of the header in which a subgraph of another process returns facts about the response besides data. */
export const answerHeaderName = 'trigate-answer';

const mostTimings = 10;

/** Returns the facts of a response as a header value; undefined if there are none. */
export function writeAnswerFacts({ idempotentReplayed, rates, timings }: AnswerFacts): string | undefined {
  if (!idempotentReplayed && !rates && !timings) return undefined;
  return JSON.stringify({ idempotentReplayed, rates, timings });
}

/**
 * Adds the notes of a subgraph to those of the request. Members of another type are ignored: the notes affect only
 * headers.
 */
export function readAnswerFacts(header: string | string[] | undefined, into: AnswerFacts): void {
  if (typeof header !== 'string') return;
  const { idempotentReplayed, rates, timings } = parse(header);
  if (idempotentReplayed === true) into.idempotentReplayed = true;
  readTimings(timings, into);
  if (!Array.isArray(rates)) return;
  into.rates ??= [];
  for (const note of rates) if (isRateNote(note)) addNote(into.rates, note);
}

function readTimings(timings: unknown, into: AnswerFacts): void {
  if (typeof timings !== 'object' || timings === null) return;
  for (const [part, milliseconds] of Object.entries(timings).slice(0, mostTimings))
    if (/^[a-z-]{1,40}$/.test(part) && Number.isFinite(milliseconds))
      addTiming((into.timings ??= {}), part, milliseconds);
}

function parse(header: string): { idempotentReplayed?: unknown; rates?: unknown; timings?: unknown } {
  try {
    return (JSON.parse(header) ?? {}) as object;
  } catch {
    return {};
  }
}

function isRateNote(value: unknown): value is RateNote {
  if (typeof value !== 'object' || value === null) return false;
  const { name, limit, seconds, remaining, resetSeconds } = value as Record<string, unknown>;
  const areNumbers = [limit, seconds, remaining, resetSeconds].every((number) =>
    Number.isSafeInteger(number),
  );
  return areNumbers && typeof name === 'string' && /^[a-z-]{1,40}$/.test(name);
}
