import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { createHandler } from 'graphql-http';
import { overloadedAdvice } from '../../schema/upstreamProblems.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { withProblem } from '../../subgraphs/platform/errors/withProblem.ts';
import { wantsStream } from '../../subgraphs/platform/http/wantsStream.ts';
import type { Router } from '../createRouter.ts';
import type { Prepared } from '../execution/Engine.ts';
import { cacheAnswer } from '../operations/answerCached.ts';
import {
  type DocumentStores,
  type FoundDocument,
  findDocument,
  prepareFound,
} from '../operations/findDocument.ts';
import { RememberedQueries } from '../operations/RememberedQueries.ts';
import { createBodyReader } from './createBodyReader.ts';
import { wantsDeprecations, withDeprecations } from './deprecations.ts';
import { answerStream, needsStream, type StreamView } from './graphqlStream.ts';
import type { OperationsLog } from './operationsLog.ts';
import { findRefusal, isBeyondUs } from './problems.ts';
import { sendFailure } from './sendFailure.ts';
import { graphqlTypeFor, prefersStream, sendText } from './sendJson.ts';

type Subscribed = (ExecutionArgs & { contextValue?: undefined }) | readonly GraphQLError[];

/** Result of planning that execution needs. */
interface Execution {
  prepared: Prepared;
  context: RequestContext;
}

/** Answers every request to the endpoint; it does not throw. */
export type GraphqlEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A request, as `graphql-http` passes it on. */
interface Call {
  readonly context: RequestContext;
  readonly found: FoundDocument;
  /** Whether the response lists the deprecated members that the operation uses. */
  wantsDeprecations?: boolean;
  /** Set by a response with errors, which no cache may keep. */
  hasErrors?: boolean;
  /** Whether the operation is a subscription, which needs a stream. */
  isSubscription?: boolean;
  /** Whether nothing was executed because of a temporary condition, so that the client may retry. */
  isBeyondUs?: boolean;
}

/**
 * Largest request body in bytes, compressed bodies counted inflated. It fits the longest text of an operation: 524,288
 * characters of four bytes, and half a mebibyte for the other variables.
 */
export const maxBodyBytes = 2.5 * 1024 * 1024;

/**
 * Creates the public GraphQL endpoint: GraphQL over HTTP by `graphql-http`, planned and executed by the router. A
 * rejected token is 401 before the body is read. Without a token, every field decides itself, and the response is 401
 * only if no field could be resolved.
 *
 * @param operations log of distinct operations; none if omitted
 * @param documents stores of documents that a request can refer to
 */
export function graphqlEndpoint(
  router: Router,
  operations?: OperationsLog,
  documents: DocumentStores = { remembered: new RememberedQueries() },
): GraphqlEndpoint {
  const handle = createHandler<IncomingMessage, Call>({
    async onSubscribe(call, { query, operationName, variables, extensions }): Promise<Subscribed> {
      call.context.wantsDeprecations = wantsDeprecations(extensions);
      const prepared = await prepareFound(router.engine, call.context.found, query, operationName);
      if ('errors' in prepared) return refuse(call.context, prepared.errors);
      if (prepared.operationType === OperationTypeNode.SUBSCRIPTION) {
        call.context.isSubscription = true;
        return [needsStream()];
      }
      operations?.note(prepared);
      const { context } = call.context;
      return {
        schema: router.apiSchema,
        document: prepared.document,
        // An empty name names no operation, which `graphql-http` does not support.
        operationName: operationName || null,
        variableValues: variables ?? null,
        rootValue: { prepared, context } satisfies Execution,
      };
    },
    execute: ({ rootValue, variableValues }) => {
      const { prepared, context } = rootValue as Execution;
      return prepared.execute(variableValues, context);
    },
    formatError: toCodedError,
    onOperation({ context: call, raw }, { rootValue }, result) {
      const { prepared } = rootValue as Execution;
      const extended = call.wantsDeprecations
        ? withDeprecations(result, prepared, router.apiSchema)
        : undefined;
      if (!result.errors) return extended;
      const { context } = call;
      call.hasErrors = true;
      const complete = { ...(extended ?? result), errors: refuse(call, result.errors) };
      if (!isUnauthorized(complete, context)) return complete;
      const headers = {
        'content-type': graphqlTypeFor(raw),
        'www-authenticate': `Bearer realm="${context.installation.id}"`,
      };
      return [JSON.stringify(complete), { status: 401, statusText: 'Unauthorized', headers }];
    },
  });
  const asked = { operations, documents };
  return async (request, response) => {
    let context: RequestContext | undefined;
    try {
      context = openCall(router, request, response);
      await admit(router, context);
      const body = (await readBody(request, response)) ?? '';
      await answer(handle, router, { request, response, context, body }, asked);
    } catch (error) {
      sendFailure(router, response, error, context);
    }
  };
}

/** Preallocated, because constructing an error is expensive under load. */
const overloaded = new AppError('unavailable', overloadedAdvice, { retryAfter: 1 });

function openCall(router: Router, request: IncomingMessage, response: ServerResponse): RequestContext {
  const requestId = randomUUID();
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('Cache-Control', 'no-store');
  response.appendHeader('Vary', 'Accept, Authorization');
  return router.openContext(request, { requestId, response });
}

/** Refuses a rejected token before a byte of the body is read. */
async function admit(router: Router, context: RequestContext): Promise<void> {
  if (router.isFull()) throw overloaded;
  const identity = await router.identify(context);
  if (identity.kind === 'rejected') throw identity.error;
}

const readBody = createBodyReader(maxBodyBytes);

/** Request whose body was read. */
interface Opened {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RequestContext;
  readonly body: string;
}

async function answer(
  handle: ReturnType<typeof createHandler<IncomingMessage, Call>>,
  router: Router,
  { request, response, context, body: text }: Opened,
  { operations, documents }: { operations: OperationsLog | undefined; documents: DocumentStores },
): Promise<void> {
  const { method = '', url = '', headers } = request;
  // Before the media type, which `graphql-http` judges first.
  if (method !== 'GET' && method !== 'POST') {
    response.setHeader('Allow', 'GET, POST');
    throw refusals[405];
  }
  const asked = { method, url, contentType: headers['content-type'], body: text };
  const call: Call = { context, found: findDocument(asked, documents) };
  const stream = () => answerStream(router, { request, response, context }, viewOf(call, operations));
  if (prefersStream(request)) return stream();
  const [body, init] = await handle({
    method,
    url: call.found.url,
    headers,
    body: call.found.body,
    raw: request,
    context: call,
  });
  if (call.isSubscription && wantsStream(request)) return stream();
  const { rateLimit, rateLimitPolicy } = router.answerOf(context);
  if (rateLimit !== undefined) response.setHeader('RateLimit', rateLimit);
  if (rateLimitPolicy !== undefined) response.setHeader('RateLimit-Policy', rateLimitPolicy);
  const refusal = refusals[init.status] ?? findRefusal(body);
  if (refusal) {
    if (init.headers?.allow) response.setHeader('Allow', init.headers.allow);
    throw refusal;
  }
  if (method === 'GET' && call.found.registered && !call.hasErrors && body !== null && init.status === 200) {
    const cached = cacheAnswer(body, headers['if-none-match']);
    for (const [name, value] of Object.entries(cached.headers)) response.setHeader(name, value);
    if (cached.isKnown) return void response.writeHead(304).end();
  }
  if (call.isBeyondUs) return sendText(response, 503, { ...init.headers, 'retry-after': '1' }, body ?? '');
  sendText(response, init.status, init.headers ?? {}, body ?? '');
}

function refuse(call: Call, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.every(isBeyondUs)) call.isBeyondUs = true;
  return errors.map((error) => withProblem(error, call.context));
}

function viewOf({ context, found }: Call, operations: OperationsLog | undefined): StreamView {
  return {
    found,
    note: (prepared) => operations?.note(prepared),
    complete: (result) =>
      result.errors
        ? { ...result, errors: result.errors.map((error) => withProblem(error, context)) }
        : result,
    refuse: (status) => refusals[status],
    unauthorized: (result) =>
      isUnauthorized(result, context)
        ? new AppError('token_missing', 'The request has no access token. Sign in.')
        : undefined,
  };
}

/** Requests that are not GraphQL over HTTP, for which `graphql-http` responds with a bare status. */
const refusals: Readonly<Record<number, AppError>> = {
  405: new AppError(
    'method_not_allowed',
    'Send GraphQL requests with POST. Queries can also be sent with GET.',
  ),
  406: new AppError('not_acceptable', 'GraphQL responses are only available as application/json.'),
  415: new AppError('unsupported_media_type', 'The body must be sent as application/json in UTF-8.'),
};

/** Adds a code to a refusal of `graphql-http`, which has none. */
function toCodedError(error: Readonly<GraphQLError | Error>): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const code = error.message.includes('JSON') ? 'invalid_json' : 'malformed_request';
  const { message, extensions } = new AppError(code, `${error.message}.`);
  return new GraphQLError(message, { extensions });
}

/** Returns whether the whole response is 401: only if the caller is anonymous and no root field could be resolved. */
function isUnauthorized({ data, errors }: ExecutionResult, context: RequestContext): boolean {
  if (!errors || context.viewerOrNull) return false;
  if (data && Object.values(data).some((value) => value !== null)) return false;
  return errors.every(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
}
