import type { ExecutionResult } from 'graphql';

/** Data of an execution; an error fails the answer, unless the route takes part of it and has at least its result. */
export function dataOf(
  { data, errors }: ExecutionResult,
  partial: boolean,
  result: readonly string[] | undefined,
): Record<string, unknown> {
  const failed = errors !== undefined && errors.length > 0;
  const root = result?.[0];
  const isUsable = data !== null && data !== undefined && (root === undefined || data[root] !== null);
  if (failed && !(partial && isUsable)) throw toError(errors[0]);
  return data ?? {};
}

/** An error of an execution is an Error or, from another process, its JSON. */
function toError(error: unknown): unknown {
  return error instanceof Error ? error : Object.assign(new Error('execution failed'), error);
}
