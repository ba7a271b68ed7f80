import type { components } from './rest/paths.generated.ts';

/** Body of a refusal (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** Stable code of the error. */
export type ProblemCode = Problem['code'];

/** A refusal of the service, in either style. `code` is the one to branch on. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** The HTTP status, also of a GraphQL field. */
  readonly status: number;
  /** `unknown` if the response is not from the service, for example from a proxy. */
  readonly code: ProblemCode | 'unknown';
  /** The whole body, with members that only some codes have (`mfaToken`, `errors`, `retryAfter` …). */
  readonly problem: Partial<Problem> & Readonly<Record<string, unknown>>;
  /** Request id, for support requests to the operator. */
  readonly requestId: string | undefined;

  constructor(status: number, body: unknown) {
    const problem = toObject(body) as Partial<Problem> & Record<string, unknown>;
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.problem = problem;
    this.requestId = problem.requestId;
  }

  /** Returns whether the problem has one of these codes. */
  is(...codes: ProblemCode[]): boolean {
    return codes.includes(this.code as ProblemCode);
  }
}

/** Returns the problem of a response. */
export async function toProblem(response: Response): Promise<ProblemError> {
  const text = await response.text();
  try {
    return new ProblemError(response.status, JSON.parse(text));
  } catch {
    return new ProblemError(response.status, { detail: text.slice(0, 200) || undefined });
  }
}

function toObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
