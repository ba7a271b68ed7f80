import type { ErrorCode } from './errorCodes.ts';

/** One invalid member of a request (extension of RFC 9457): where it stands and what is wrong with it. */
export interface FieldProblem {
  /** JSON pointer into the request body as a URI fragment, as in `#/price/amount`. */
  pointer: string;
  code: string;
  detail: string;
}

/** Public members of a problem besides its code; nothing private belongs here. */
export interface ProblemDetails {
  errors?: FieldProblem[];
  requiredPermission?: string;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  /** State conflict: the state and the legal next ones, for the owner only. */
  allowedFrom?: { state: string; allowed: string[] };
  /** Challenge parameters after `Bearer realm=…` (RFC 6750, RFC 9470); a header, never part of the body. */
  challenge?: string;
  /** Further members that a code documents, as in `conflict`. */
  [member: string]: unknown;
}

/** What a GraphQL error carries as `extensions.problem`. */
export interface Problem extends ProblemDetails {
  code: ErrorCode;
  /** Text of the code, the same for every occurrence. */
  title: string;
  /** HTTP status of the code. */
  status: number;
  /** For people: what is refused and what to do; never a secret. */
  detail: string;
}

/** Most invalid members that one answer lists. */
export const maxFieldProblems = 100;

/** A name out of a request, short enough to be shown in an answer. */
export function shown(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
