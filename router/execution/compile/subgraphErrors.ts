import { GraphQLError } from 'graphql';
import type { SubgraphError } from '../../transport/Transport.ts';
import type { ExecutionState, ResponsePath } from './ExecutionState.ts';

/**
 * Returns a subgraph's error at the client's path. Its `extensions` (code, problem, http) are unchanged. Its locations
 * refer to an internal document and are dropped.
 */
export function toClientError(error: SubgraphError, path: ResponsePath | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    path: path ?? null,
    extensions: error.extensions ?? null,
    originalError: error.originalError ?? null,
  });
}

/**
 * Adds errors of the projection to the response. A null in a non-nullable field is reported only if no error explains
 * it: at, above, or below the same place, or the failure of the whole fetch.
 */
export function reportPending(state: ExecutionState): void {
  for (const pending of state.pending) {
    const path = [...pending.reversedPath].reverse();
    if (pending.isNullViolation && isExplained(state, path)) continue;
    state.errors.push(new GraphQLError(pending.message, { path, extensions: { code: 'UPSTREAM_ERROR' } }));
  }
}

/** Reports missing fields at the client's path, if the client requested them. */
export function reportMissing(
  state: ExecutionState,
  data: unknown,
  clientNames: ReadonlyMap<string, string>,
): void {
  const clientName = (name: string) => clientNames.get(name) ?? name;
  for (const { location, names, serviceName } of state.doubts) {
    const place = placeOf(data, location, clientName);
    const name = place === null ? names[0] : names.find((each) => Object.hasOwn(place, clientName(each)));
    if (name === undefined) continue;
    const path = [...location, name];
    if (isExplained(state, path)) continue;
    const message = `A member of this object that the subgraph "${serviceName}" needs is missing.`;
    state.errors.push(toClientError({ message, extensions: { code: 'UPSTREAM_ERROR', serviceName } }, path));
  }
}

/** Returns the client's object at a path, null if the path contains a null. */
function placeOf(data: unknown, location: ResponsePath, clientName: (name: string) => string): object | null {
  let value = data;
  for (const segment of location) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string | number, unknown>)[
      typeof segment === 'string' ? clientName(segment) : segment
    ];
  }
  return typeof value === 'object' ? value : null;
}

/** Returns whether a known error explains a null at this place. */
export function isExplained(state: ExecutionState, path: ResponsePath): boolean {
  return (
    state.errors.some((error) => error.path !== undefined && isRelated(error.path, path)) ||
    state.failedPaths.some((pattern) => isRelated(pattern, path))
  );
}

/** Returns whether one path is a prefix of the other; `@` matches any index. */
function isRelated(first: ResponsePath, second: ResponsePath): boolean {
  const length = Math.min(first.length, second.length);
  for (let i = 0; i < length; i++) {
    const segment = first[i];
    if (segment !== second[i] && !(segment === '@' && typeof second[i] === 'number')) return false;
  }
  return true;
}
