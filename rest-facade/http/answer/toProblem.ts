import { type ErrorCode, errorCodes, isErrorCode, titleOf } from '../../../schema/errorCodes.ts';
import { isStorageFull, storageFullAdvice } from '../../../schema/storageFull.ts';
import { findUpstreamProblem } from '../../../schema/upstreamProblems.ts';
import { Refusal } from '../Refusal.ts';

/** Problem before it is sent: the members of RFC 9457, and its headers. */
export interface ProblemAnswer {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Further members of the body. */
  readonly members: Readonly<Record<string, unknown>>;
  /** After `Bearer realm=…`; present on every 401, and where a scope was lacking. */
  readonly challenge?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** False for an error that is logged: a bug, which is also masked, or a full storage. */
  readonly expected: boolean;
}

/** Members that the response sets itself, or that are sent as headers. */
const reserved = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'challenge']);

/** Refusals of the engine itself, by the code of the GraphQL error; the facade's checks are incomplete. */
const misfits: ReadonlySet<unknown> = new Set(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']);

/** Challenges of 401 codes whose error has none (RFC 6750, 3.1). */
const invalidToken = 'error="invalid_token"';
const challenges: Partial<Record<ErrorCode, string>> = {
  token_malformed: invalidToken,
  token_invalid: invalidToken,
  token_expired: `${invalidToken}, error_description="expired"`,
  token_not_yet_valid: invalidToken,
  token_revoked: invalidToken,
  session_revoked: invalidToken,
  subject_unknown: invalidToken,
};

/** Seconds after which a client should retry if the error states none. */
const defaultRetryAfter = 1;

/**
 * Converts an error to a problem: a Refusal, an error with `extensions.problem`, an upstream failure, or a full storage. Any
 * other error is a bug and becomes 500 `internal_error` without its message.
 */
export function toProblem(error: unknown): ProblemAnswer {
  if (error instanceof Refusal) {
    return problemAnswer(error.code, error.message, error.details, error.headers);
  }
  const extensions = extensionsOf(error);
  const problem = extensions?.problem;
  if (isRecord(problem) && isErrorCode(problem.code)) {
    const detail = typeof problem.detail === 'string' ? problem.detail : titleOf(problem.code);
    return problemAnswer(problem.code, detail, problem, {});
  }
  const upstream = findUpstreamProblem(extensions);
  if (upstream) return problemAnswer(upstream.code, upstream.detail, upstream.members, {});
  if (misfits.has(extensions?.code))
    return problemAnswer(
      'validation_failed',
      'The request does not match the schema of the operation.',
      {},
      {},
    );
  if (isStorageFull(error))
    return { ...problemAnswer('insufficient_storage', storageFullAdvice, {}, {}), expected: false };
  const masked = problemAnswer('internal_error', 'The request failed because of an internal error.', {}, {});
  return { ...masked, expected: false };
}

function problemAnswer(
  code: ErrorCode,
  detail: string,
  details: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): ProblemAnswer {
  const status = errorCodes[code];
  const challenge = typeof details.challenge === 'string' ? details.challenge : challenges[code];
  const members = Object.fromEntries(Object.entries(details).filter(([name]) => !reserved.has(name)));
  const retryAfter = retryAfterOf(status, details.retryAfter);
  return {
    code,
    status,
    title: titleOf(code),
    detail,
    members,
    ...(challenge === undefined ? {} : { challenge }),
    headers: retryAfter === undefined ? headers : { ...headers, 'Retry-After': String(retryAfter) },
    expected: true,
  };
}

function retryAfterOf(status: number, stated: unknown): number | undefined {
  if (typeof stated === 'number' && stated >= 0) return Math.ceil(stated);
  return status === 503 || status === 429 ? defaultRetryAfter : undefined;
}

function extensionsOf(error: unknown): Record<string, unknown> | undefined {
  const extensions = isRecord(error) ? error.extensions : undefined;
  return isRecord(extensions) ? extensions : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
