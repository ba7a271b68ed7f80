import { type ErrorCode, errorCodes, titleOf } from '../../../schema/errorCodes.ts';
import type { FieldProblem, Problem, ProblemDetails } from '../../../schema/Problem.ts';

const graphqlCodes: Record<number, string> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  409: 'CONFLICT',
  410: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'BAD_USER_INPUT',
  429: 'TOO_MANY_REQUESTS',
  502: 'UPSTREAM_ERROR',
  503: 'UPSTREAM_UNAVAILABLE',
  504: 'UPSTREAM_TIMEOUT',
  507: 'INSUFFICIENT_STORAGE',
};

/**
 * An error that a client may read. It can be thrown anywhere, is transported by GraphQL as `extensions`, and shown by
 * REST as a problem (RFC 9457). Any other error is a bug and is masked.
 *
 * @param code a code of the registry, which determines the status
 * @param message public sentence: what is refused and what to do; never a secret or data of others
 * @param details public members of the problem
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ProblemDetails;

  constructor(code: ErrorCode, message: string, details: ProblemDetails = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  /** HTTP status of the code. */
  get status(): number {
    return errorCodes[this.code];
  }

  /** GraphQL executors copy this to the error they report (graphql-js `locatedError`). */
  get extensions(): { code: string; http: { status: number }; problem: Problem } {
    const { status } = this;
    return {
      code: graphqlCodes[status] ?? 'INTERNAL_SERVER_ERROR',
      http: { status },
      problem: { ...this.details, code: this.code, title: titleOf(this.code), status, detail: this.message },
    };
  }
}

/** Returns the error of a request member that violates a rule. */
export function problem(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'validation_failed', detail };
}

/** Returns the error for one invalid member (422 `validation_failed`). */
export function invalidField(pointer: string, detail: string): AppError {
  return invalidFields([problem(pointer, detail)]);
}

/** Returns the error for several invalid members (422 `validation_failed`, or the single code they share). */
export function invalidFields(errors: FieldProblem[]): AppError {
  const codes = new Set(errors.map((error) => error.code));
  const [first] = errors;
  const only = codes.size === 1 && first ? first.code : 'validation_failed';
  const code = only === 'unknown_field' || only === 'read_only_field' ? only : 'validation_failed';
  const detail =
    errors.length === 1 && first ? first.detail : `${errors.length} members of the request are invalid.`;
  return new AppError(code, detail, { errors: errors.slice(0, 100) });
}

/**
 * Returns the error for a record that does not exist in this installation. It is the same for a record of another
 * installation.
 */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} does not exist.`);
}
