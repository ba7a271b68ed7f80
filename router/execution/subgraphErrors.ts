import { GraphQLError } from 'graphql';
import type { SubgraphError } from '../transport/Transport.ts';
import type { ExecutionState, ResponsePath } from './ExecutionState.ts';

/**
 * A subgraph's error at the client's path. Its `extensions` (code, problem, http) stay as they are; its
 * locations point into a document that the client never saw and are dropped.
 */
export function toClientError(error: SubgraphError, path: ResponsePath | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    path: path ?? null,
    extensions: error.extensions ?? null,
    originalError: error.originalError ?? null,
  });
}

/**
 * Moves what the projection found into the errors of the answer. A null in a non-nullable field is reported
 * only when no error explains it: one at the same place, above, or below it, or the failure of the whole fetch.
 */
export function settlePending(state: ExecutionState): void {
  for (const pending of state.pending) {
    const path = [...pending.reversedPath].reverse();
    if (pending.isNullViolation && isExplained(state, path)) continue;
    state.errors.push(new GraphQLError(pending.message, { path }));
  }
}

/** True when an error that is already known is the reason for a null at this place. */
export function isExplained(state: ExecutionState, path: ResponsePath): boolean {
  return (
    state.errors.some((error) => error.path !== undefined && isRelated(error.path, path)) ||
    state.failedPaths.some((pattern) => isRelated(pattern, path))
  );
}

/** True when one path begins with the other; `@` matches any index. */
function isRelated(first: ResponsePath, second: ResponsePath): boolean {
  const length = Math.min(first.length, second.length);
  for (let i = 0; i < length; i++) {
    const segment = first[i];
    if (segment !== second[i] && !(segment === '@' && typeof second[i] === 'number')) return false;
  }
  return true;
}
