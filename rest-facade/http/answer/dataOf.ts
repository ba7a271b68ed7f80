import type { ExecutionResult } from 'graphql';
import { toProblem } from './toProblem.ts';

/**
 * Returns the data of an execution. An error fails the response unless the route accepts partial data and its result is
 * present. An error of the request (400) always fails it.
 */
export function dataOf(
  { data, errors }: ExecutionResult,
  partial: boolean,
  result: readonly string[] | undefined,
): Record<string, unknown> {
  if (errors === undefined || errors.length === 0) return data ?? {};
  const root = result?.[0];
  const isUsable = data !== null && data !== undefined && (root === undefined || data[root] !== null);
  const failure = partial && isUsable ? errors.find(isMistake) : errors[0];
  if (failure) throw toError(failure);
  return data ?? {};
}

function isMistake(error: unknown): boolean {
  return toProblem(error).status === 400;
}

/** Returns the error. An error of an execution is an Error or, from another process, its JSON. */
function toError(error: unknown): unknown {
  return error instanceof Error ? error : Object.assign(new Error('execution failed'), error);
}
