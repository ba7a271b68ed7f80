import type { ExecutionResult } from 'graphql';

/** Test support: in what an answer differs from the answer of the same graph as one schema. */

interface PlainError {
  readonly message: string;
  readonly path: readonly (string | number)[] | undefined;
  readonly code: unknown;
}

/**
 * Null when the answers agree. Data has to be equal to the letter, order of members included. Errors have to be
 * the same ones; only where a null was passed up (and graphql-js stops looking at siblings) any error will do.
 */
export function compareAnswers(expected: ExecutionResult, actual: ExecutionResult): string | null {
  const [wanted, given] = [JSON.stringify(expected.data), JSON.stringify(actual.data)];
  if (wanted !== given)
    return `data: expected ${wanted}\n      received ${given} ${JSON.stringify(actual.errors)}`;
  const [expectedErrors, actualErrors] = [plainErrors(expected), plainErrors(actual)];
  if (expectedErrors.length === 0 || actualErrors.length === 0 || wasPassedUp(expected)) {
    const agrees = (expectedErrors.length === 0) === (actualErrors.length === 0);
    return agrees ? null : differ(expectedErrors, actualErrors);
  }
  const sameErrors = JSON.stringify(sorted(expectedErrors)) === JSON.stringify(sorted(actualErrors));
  return sameErrors ? null : differ(expectedErrors, actualErrors);
}

function differ(expected: readonly PlainError[], actual: readonly PlainError[]): string {
  return `errors: expected ${JSON.stringify(expected)}\n      received ${JSON.stringify(actual)}`;
}

function plainErrors({ errors = [] }: ExecutionResult): PlainError[] {
  return errors.map(({ message, path, extensions }) => ({
    message: message.replace(/^Cannot return null.*/, 'null'),
    path,
    // The router adds this code where graphql-js has none.
    code: extensions.code === 'BAD_USER_INPUT' ? undefined : extensions.code,
  }));
}

function sorted(errors: readonly PlainError[]): string[] {
  return errors.map((error) => JSON.stringify(error)).sort();
}

/** True when some error's own place is not the null that it caused. */
function wasPassedUp({ data, errors = [] }: ExecutionResult): boolean {
  return errors.some(({ path }) => {
    let value: unknown = data;
    for (const segment of path ?? []) {
      if (typeof value !== 'object' || value === null) return true;
      value = (value as Record<string | number, unknown>)[segment];
    }
    return value !== null;
  });
}
