import type { ErrorCode } from '../../schema/errorCodes.ts';
import { type FieldProblem, maxFieldProblems, type ProblemDetails } from '../../schema/Problem.ts';

/**
 * A request that HTTP refuses before any field is resolved: an unknown route, an invalid body, an invalid parameter.
 *
 * @param code a code of the registry, which determines the status
 * @param message public sentence: what is refused and what to do
 * @param details public members of the problem
 * @param headers headers of the response, as in `Allow`
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: ProblemDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: ProblemDetails = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** The client disconnected before its request was complete, so there is no response. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

/** Returns the error for all invalid members: 422 with the code they share, otherwise `validation_failed`. */
export function invalidMembers(errors: readonly FieldProblem[]): Refusal {
  const [first] = errors;
  const shared = first && errors.every(({ code }) => code === first.code) ? first.code : 'validation_failed';
  const code = shared === 'unknown_field' || shared === 'read_only_field' ? shared : 'validation_failed';
  const detail =
    errors.length === 1 && first ? first.detail : `${errors.length} members of the body are invalid.`;
  return new Refusal(code, detail, { errors: errors.slice(0, maxFieldProblems) });
}
