import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { Caller } from './Caller.ts';

/** A request that can be repeated. */
export interface Load {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Caller whose token is sent. */
  readonly as?: Caller;
}

/** A response, and the time until it was complete. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly ms: number;
}

/** Returns a request with a JSON body. */
export function jsonLoad(method: Load['method'], path: string, body: object, as?: Caller): Load {
  const headers = { 'content-type': 'application/json' };
  return { method, path, headers, body: JSON.stringify(body), ...(as && { as }) };
}

/** Returns the headers of a request, with a valid token. */
export async function headersOf({ headers, as }: Load): Promise<Record<string, string>> {
  return { ...headers, ...(as && { authorization: await as.authorization() }) };
}

/** Sends a request; the time starts when its headers are known. */
export async function send(pool: Pool, load: Load): Promise<Answer> {
  const { method, path, body } = load;
  const headers = await headersOf(load);
  const begun = performance.now();
  const answer = await pool.request({ method, path, headers, ...(body !== undefined && { body }) });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - begun };
}

/**
 * Sends a request that has one correct response.
 *
 * @throws if the status differs, or a GraphQL response has errors
 */
export async function sendOk(pool: Pool, load: Load, status = 200): Promise<Answer> {
  const answer = await send(pool, load);
  if (answer.status !== status || /^\{"errors"|"errors":\[\{"message"/.test(answer.text))
    throw new Error(`${load.method} ${load.path} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer;
}

/** Maximum time for a new process on a busy machine until it responds in time, in milliseconds. */
const longestWarmUpMs = 60_000;

/**
 * Sends a request to a process that has just started, again and again while its answer is that it is not ready.
 *
 * @throws if it is refused for another reason, or for longer than a minute
 */
export async function sendWhenReady(pool: Pool, load: Load): Promise<Answer> {
  for (const begun = performance.now(); performance.now() - begun < longestWarmUpMs; await pause(200)) {
    const answer = await send(pool, load);
    const isReady = answer.status < 500 && !/"code":"(OVERLOADED|UPSTREAM_TIMEOUT)"/.test(answer.text);
    if (isReady) break;
  }
  return sendOk(pool, load);
}

/** Sends a GraphQL request over HTTP. */
export async function askGraphql(
  pool: Pool,
  { query, variables = {}, as }: { query: string; variables?: object; as?: Caller },
): Promise<{ data: unknown; ms: number }> {
  const { text, ms } = await sendOk(pool, jsonLoad('POST', '/graphql', { query, variables }, as));
  const { data, errors } = JSON.parse(text) as { data: unknown; errors?: unknown };
  if (errors) throw new Error(`GraphQL answered ${JSON.stringify(errors)}`);
  return { data, ms };
}
