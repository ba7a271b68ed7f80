import type { ErrorCode } from './errorCodes.ts';

/** Invalid member of a request (extension of RFC 9457): its position and its error. */
export interface FieldProblem {
  /** JSON pointer into the request body as a URI fragment, as in `#/price/amount`. */
  pointer: string;
  code: string;
  detail: string;
}

/** Public members of a problem in addition to its code; nothing private belongs here. */
export interface ProblemDetails {
  errors?: FieldProblem[];
  requiredPermission?: string;
  /** Seconds after which a retry is useful; sent as `Retry-After`. */
  retryAfter?: number;
  /** State conflict: the state and the legal next ones, for the owner only. */
  allowedFrom?: { state: string; allowed: string[] };
  /** Challenge parameters after `Bearer realm=…` (RFC 6750, RFC 9470); a header, never part of the body. */
  challenge?: string;
  /** Further members that a code documents, as in `conflict`. */
  [member: string]: unknown;
}

/** Member `extensions.problem` of a GraphQL error. */
export interface Problem extends ProblemDetails {
  code: ErrorCode;
  /** Text of the code, the same for every occurrence. */
  title: string;
  /** HTTP status of the code. */
  status: number;
  /** Message for users: the refusal and its remedy, without secrets. */
  detail: string;
}

/** Maximum number of invalid members in a response. */
export const maxFieldProblems = 100;

/** Returns a name from a request, truncated for a response. */
export function shown(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
