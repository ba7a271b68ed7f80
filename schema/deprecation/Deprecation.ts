/** Deprecation of a field, argument, input member, enum value or route. */
export interface Deprecation {
  /** Replacement or reason, one or more sentences. */
  readonly reason: string;
  /** Day of the deprecation, `YYYY-MM-DD`. */
  readonly since: string;
  /** Last day on which the member is served, `YYYY-MM-DD`. */
  readonly until: string;
}

const form = /^(.+[.!]) Deprecated on (\d{4}-\d{2}-\d{2}), removed after (\d{4}-\d{2}-\d{2})\.$/s;

/** Form of a reason, for messages. */
export const deprecationForm = 'Use … instead. Deprecated on YYYY-MM-DD, removed after YYYY-MM-DD.';

/**
 * Parses the reason of `@deprecated` or of a route. Clients read both days in the introspection, so they are part of the
 * text.
 *
 * @returns null if the text does not state a reason and two valid days in order
 */
export function parseDeprecation(text: string): Deprecation | null {
  const [, reason, since, until] = form.exec(text) ?? [];
  if (reason === undefined || since === undefined || until === undefined) return null;
  return isDay(since) && isDay(until) && since < until ? { reason, since, until } : null;
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
