import { ProblemError } from '../ProblemError.ts';
import { pause } from '../pause.ts';
import type { Send } from '../transport/createSend.ts';
import type { RetryOptions } from '../transport/retry.ts';
import { type AnyDocument, type TypedDocument, textOf } from './TypedDocument.ts';

/** An error of a GraphQL answer. */
export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>> & {
    readonly code?: string;
    readonly problem?: { readonly status: number; readonly retryAfter?: number };
  };
}

/** An unmodified GraphQL response. */
export interface GraphqlAnswer<Result> {
  readonly data: Result | null;
  readonly errors?: readonly GraphqlError[];
}

export interface GraphqlOptions {
  signal?: AbortSignal;
}

/** The GraphQL style. */
export interface Graphql {
  /**
   * Runs an operation. A mutation that accepts an idempotency key gets one, so that it can be repeated.
   *
   * @throws ProblemError if a field failed; its `problem.data` contains the partial data
   */
  <Result, Variables>(
    document: AnyDocument<Result, Variables>,
    ...rest: OptionalVariables<Variables>
  ): Promise<Result>;
  /** Runs an operation and returns partial data together with the errors. */
  answer<Result, Variables>(
    document: AnyDocument<Result, Variables>,
    ...rest: OptionalVariables<Variables>
  ): Promise<GraphqlAnswer<Result>>;
}

/** Variables may be left out where all of them may. */
export type OptionalVariables<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: GraphqlOptions]
    : [variables: Variables, options?: GraphqlOptions];

export function createGraphql(send: Send, url: string, retry: RetryOptions): Graphql {
  const answer = async <Result, Variables>(
    document: AnyDocument<Result, Variables>,
    given?: Variables,
    { signal }: GraphqlOptions = {},
  ): Promise<GraphqlAnswer<Result>> => {
    const query = textOf(document);
    const variables = withKey(document as TypedDocument, given as Variables & WithInput);
    const isRepeatable = !/^\s*mutation\b/.test(query) || Boolean(variables?.input?.idempotencyKey);
    const body = JSON.stringify({ query, variables });
    for (let attempt = 1; ; attempt += 1) {
      const request = graphqlRequest(url, body, signal);
      const found = await readAnswer<Result>(await send(request, { isRepeatable }));
      const refusal = found.errors?.[0]?.extensions?.problem;
      const isTransient = refusal?.status === 429 || refusal?.status === 503;
      const waitMs = (refusal?.retryAfter ?? 0) * 1000 + Math.random() * retry.baseMs * 2 ** attempt;
      if (!isTransient || !isRepeatable || attempt >= retry.attempts || waitMs > retry.maxWaitMs)
        return found;
      await pause(waitMs, signal);
    }
  };
  const run = async (document: never, ...rest: never[]): Promise<unknown> => {
    const { data, errors } = await answer<unknown, unknown>(document, ...rest);
    const [first] = errors ?? [];
    if (first) throw toError(first, errors, data);
    return data;
  };
  return Object.assign(run, { answer }) as Graphql;
}

/** Returns the request of an operation. */
export function graphqlRequest(url: string, body: string, signal?: AbortSignal, accept = ''): Request {
  return new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: accept || 'application/graphql-response+json, application/json',
    },
    body,
    ...(signal ? { signal } : {}),
  });
}

interface WithInput {
  input?: { idempotencyKey?: unknown };
}

function withKey<Variables extends WithInput | undefined>(
  { keyed }: Pick<TypedDocument, 'keyed'>,
  variables: Variables,
): Variables {
  if (!keyed || !variables?.input || variables.input.idempotencyKey) return variables;
  return { ...variables, input: { ...variables.input, idempotencyKey: crypto.randomUUID() } };
}

/** Reads a response. Throws if it is a problem or a page of a proxy. */
async function readAnswer<Result>(response: Response): Promise<GraphqlAnswer<Result>> {
  const body: unknown = await response.json().catch(() => null);
  const { data, errors } = (body ?? {}) as Partial<GraphqlAnswer<Result>>;
  if (data === undefined && !Array.isArray(errors)) throw new ProblemError(response.status, body);
  return { data: data ?? null, ...(errors ? { errors } : {}) };
}

export function toError(first: GraphqlError, errors: unknown, data: unknown): ProblemError {
  const problem = first.extensions?.problem;
  const status = problem?.status ?? 400;
  return new ProblemError(status, { detail: first.message, ...problem, graphqlErrors: errors, data });
}
