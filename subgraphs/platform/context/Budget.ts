/** Number of executions that a period allows. */
export interface Window {
  /** Name in the headers; lower case and dashes. */
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
}

/** Rest of a window after an execution was counted or refused. */
export interface RateNote extends Window {
  readonly remaining: number;
  /** Seconds until the window is reset. */
  readonly resetSeconds: number;
}

/**
 * Returns budgets as response headers (draft-ietf-httpapi-ratelimit-headers-10): `RateLimit-Policy: "read";q=300;w=60`
 * and `RateLimit: "read";r=299;t=43`, with a member for each charged budget.
 */
export function toRateHeaders(notes: readonly RateNote[]): { rateLimitPolicy: string; rateLimit: string } {
  const [only] = notes;
  if (only && notes.length === 1) return { rateLimitPolicy: policyOf(only), rateLimit: stateOf(only) };
  return { rateLimitPolicy: notes.map(policyOf).join(', '), rateLimit: notes.map(stateOf).join(', ') };
}

function policyOf({ name, limit, seconds }: RateNote): string {
  return `"${name}";q=${limit};w=${seconds}`;
}

function stateOf({ name, remaining, resetSeconds }: RateNote): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}

/** Keeps one note for each window: of two counts of the same one, the one with less remaining. */
export function addNote(notes: RateNote[], note: RateNote): void {
  const index = notes.findIndex(({ name }) => name === note.name);
  const present = notes[index];
  if (!present) notes.push(note);
  else if (note.remaining <= present.remaining) notes[index] = note;
}
