import type { Pool } from 'undici';
import type { Caller } from './Caller.ts';

/** One request that can be sent again and again. */
export interface Load {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whose token goes with it. */
  readonly as?: Caller;
}

/** What came back, and how long it took until all of it was there. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly ms: number;
}

/** A request with a body of JSON. */
export function jsonLoad(method: Load['method'], path: string, body: object, as?: Caller): Load {
  const headers = { 'content-type': 'application/json' };
  return { method, path, headers, body: JSON.stringify(body), ...(as && { as }) };
}

/** Headers of a request, with a token that is valid now. */
export async function headersOf({ headers, as }: Load): Promise<Record<string, string>> {
  return { ...headers, ...(as && { authorization: await as.authorization() }) };
}

/** Sends a request; the time begins when its headers are known. */
export async function send(pool: Pool, load: Load): Promise<Answer> {
  const { method, path, body } = load;
  const headers = await headersOf(load);
  const begun = performance.now();
  const answer = await pool.request({ method, path, headers, ...(body !== undefined && { body }) });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - begun };
}

/**
 * Sends a request that has one right answer.
 *
 * @throws where the status is another one, or a GraphQL answer has errors
 */
export async function sendOk(pool: Pool, load: Load, status = 200): Promise<Answer> {
  const answer = await send(pool, load);
  if (answer.status !== status || answer.text.startsWith('{"errors"'))
    throw new Error(`${load.method} ${load.path} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer;
}

/** Asks by GraphQL over HTTP. */
export async function askGraphql(
  pool: Pool,
  { query, variables = {}, as }: { query: string; variables?: object; as?: Caller },
): Promise<{ data: unknown; ms: number }> {
  const { text, ms } = await sendOk(pool, jsonLoad('POST', '/graphql', { query, variables }, as));
  const { data, errors } = JSON.parse(text) as { data: unknown; errors?: unknown };
  if (errors) throw new Error(`GraphQL answered ${JSON.stringify(errors)}`);
  return { data, ms };
}
