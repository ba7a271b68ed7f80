/**
 * Returns name and code of an error for the log. A subgraph that is down fails often, and stack traces of the client
 * library do not help.
 */
export function briefCause(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { name, message } = cause;
  // A DOMException has a number for a code.
  if ('code' in cause && typeof cause.code === 'string') return `${name} ${cause.code}`;
  return name === 'Error' ? message : name;
}
