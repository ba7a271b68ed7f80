/**
 * What broke an exchange, for the log: its name and its code. One word or two: a subgraph that is down fails often, and stacks
 * of the client's library say nothing of it.
 */
export function briefCause(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { name, message } = cause;
  // A DOMException has a number for a code.
  if ('code' in cause && typeof cause.code === 'string') return `${name} ${cause.code}`;
  return name === 'Error' ? message : name;
}
