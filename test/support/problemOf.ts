import type { ExecutionResult } from 'graphql';
import type { Problem } from '../../schema/Problem.ts';

/** The problem of a refused operation. Fails with the whole answer if it was not refused. */
export function problemOf(
  result: ExecutionResult,
): Problem & { errors: { pointer: string; code: string }[] } {
  const problem = result.errors?.[0]?.extensions?.problem;
  if (!problem)
    throw new Error(`This was not refused with a problem: ${JSON.stringify(result)}`, {
      cause: result.errors?.[0]?.originalError,
    });
  return problem as Problem & { errors: { pointer: string; code: string }[] };
}
