import type { ErrorCode } from './errorCodes.ts';

/** Remedy for an overloaded service. */
export const overloadedAdvice = 'The service is overloaded. Retry after the time in `Retry-After`.';

/** Problem of a failure between router and subgraph, by the code of its GraphQL error. */
const upstreamProblems: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  UPSTREAM_UNAVAILABLE: ['unavailable', 'A subgraph is not available. Retry shortly.'],
  UPSTREAM_TIMEOUT: ['upstream_timeout', 'A subgraph did not answer in time.'],
  UPSTREAM_ERROR: ['upstream_error', 'A subgraph returned an invalid response.'],
  OVERLOADED: ['unavailable', overloadedAdvice],
  PLANNER_UNAVAILABLE: ['unavailable', 'Only operations with a stored query plan are executed.'],
};

/** Advice for a write whose outcome is unknown. */
export const unknownOutcomeAdvice =
  'The change may have been made. Repeat the request with the same Idempotency-Key, or read the record before you repeat it.';

/** A failure of a subgraph in the words of problems. */
export interface UpstreamProblem {
  readonly code: ErrorCode;
  readonly detail: string;
  /** Further members: `outcome: "unknown"` if a write may have succeeded. */
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * Returns the problem of an error that reports a failed subgraph but has no problem itself.
 *
 * @param extensions of the GraphQL error
 * @returns undefined for any other error
 */
export function findUpstreamProblem(
  extensions: Readonly<Record<string, unknown>> | undefined,
): UpstreamProblem | undefined {
  const known = upstreamProblems[String(extensions?.code)];
  if (known === undefined) return undefined;
  const [code, detail] = known;
  if (extensions?.outcome !== 'unknown') return { code, detail, members: {} };
  return { code, detail: `${detail} ${unknownOutcomeAdvice}`, members: { outcome: 'unknown' } };
}
