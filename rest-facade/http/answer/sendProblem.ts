import { toSnakeCase } from '../../../schema/route/restNames.ts';
import { type Exchange, type Headers, type Log, send } from '../Exchange.ts';
import { oauthErrorType, problemType } from '../mediaTypes.ts';
import { ClientGone, Refusal } from '../Refusal.ts';
import { hasBasicCredentials } from '../request/readBasicClient.ts';
import { type ProblemAnswer, toProblem } from './toProblem.ts';

/** Context of a problem. */
export interface ProblemPlace {
  /** Realm for `WWW-Authenticate`: the installation. */
  readonly realm: string;
  /** Base URL without trailing slash; `{baseUrl}/problems/{code}` documents the code. */
  readonly baseUrl: string;
  /** A route of OAuth: pointers of errors name members as it does, and a problem is also an error of RFC 6749, 5.2. */
  readonly snakeCase: boolean;
  /** Headers of every response to this request, as `RateLimit`. */
  readonly headers: Headers;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Sends a problem (RFC 9457). Any other error is logged with the request's id and masked. For a client that has
 * disconnected, nothing is sent or logged.
 */
export function sendProblem(exchange: Exchange, error: unknown, place: ProblemPlace, log: Log): void {
  if (error instanceof ClientGone) return;
  const problem = toProblem(error);
  const { requestId } = exchange;
  if (!problem.expected) {
    log.error(
      { err: error, requestId, method: exchange.request.method, path: loggedPath(exchange) },
      'request failed',
    );
  }
  const body = {
    type: `${place.baseUrl}/problems/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: uuidPattern.test(requestId)
      ? `urn:uuid:${requestId}`
      : `urn:request:${encodeURIComponent(requestId)}`,
    code: problem.code,
    requestId,
    ...(place.snakeCase ? oauthMembersOf(problem) : {}),
    ...problem.members,
    // Refusals of the facade use names of the body; refusals of an execution use names of the schema.
    ...(place.snakeCase && !(error instanceof Refusal) ? snakePointers(problem) : {}),
  };
  const headers: Headers = {
    ...place.headers,
    'Content-Type': place.snakeCase ? oauthErrorType(exchange.request) : problemType,
    'Cache-Control': 'no-store',
    ...problem.headers,
  };
  const challenge = challengeOf(exchange, problem, place.realm);
  if (challenge) headers['WWW-Authenticate'] = challenge;
  send(exchange, problem.status, headers, JSON.stringify(body));
}

/** Returns the path for the log. A link to a file grants access to the file, so it must not be logged. */
function loggedPath({ path }: Exchange): string {
  return path.replace(/^(\/api\/v1\/(?:files|uploads)\/).*/, '$1…');
}

/** Returns the challenge (RFC 6750, 3): every 401 states the scheme, and the error if a token was sent. */
function challengeOf({ request }: Exchange, problem: ProblemAnswer, realm: string): string | undefined {
  if (problem.status !== 401 && problem.challenge === undefined) return undefined;
  const isClient = problem.code === 'client_invalid' && hasBasicCredentials(request);
  const scheme = `${isClient ? 'Basic' : 'Bearer'} realm="${realm.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '')}"`;
  return problem.challenge ? `${scheme}, ${problem.challenge}` : scheme;
}

/** Returns the members of an OAuth error (RFC 6749, 5.2). The description has neither quotation marks nor backslashes. */
function oauthMembersOf({ status, detail }: ProblemAnswer): { error: string; error_description: string } {
  const plain = detail.replaceAll('"', "'").replaceAll('’', "'");
  return {
    error: oauthErrorOf(status),
    error_description: plain.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' '),
  };
}

/**
 * Returns the OAuth error code of a refusal without one, such as a refusal by HTTP or a failure (RFC 6749, 4.1.2.1 and
 * 5.2).
 */
function oauthErrorOf(status: number): string {
  if (status === 401) return 'invalid_client';
  if (status === 403) return 'access_denied';
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status < 500 ? 'invalid_request' : 'server_error';
}

function snakePointers({ members }: ProblemAnswer): object {
  if (!Array.isArray(members.errors)) return {};
  return {
    errors: (members.errors as { pointer?: unknown }[]).map((error) =>
      typeof error.pointer === 'string' ? { ...error, pointer: toSnakeCase(error.pointer) } : error,
    ),
  };
}
