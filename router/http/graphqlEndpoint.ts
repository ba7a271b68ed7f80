import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import express, { Router as ExpressRouter, type Request, type RequestHandler, type Response } from 'express';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { createHandler } from 'graphql-http';
import type { ProblemDetails } from '../../schema/Problem.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { toPublicError } from '../../subgraphs/platform/errors/toPublicError.ts';
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
import { answerStream, needsStream, type StreamView, wantsStream } from './graphqlStream.ts';
import type { OperationsLog } from './operationsLog.ts';
import { findRefusal, isBeyondUs, withProblem } from './problems.ts';

type Subscribed = (ExecutionArgs & { contextValue?: undefined }) | readonly GraphQLError[];

/** What travels from planning to execution. */
interface Execution {
  prepared: Prepared;
  context: RequestContext;
}

/** One request, as `graphql-http` hands it on. */
interface Call {
  readonly context: RequestContext;
  readonly found: FoundDocument;
  /** Set by an answer that has errors, which nobody may keep. */
  hasErrors?: boolean;
  /** Set where nothing was executed, because it cannot be done now: the client may come back. */
  isBeyondUs?: boolean;
}

/** Largest request body in bytes, compressed bodies counted inflated. */
const maxBodyBytes = 1024 * 1024;

/**
 * The public GraphQL endpoint: GraphQL over HTTP by `graphql-http`, planned and executed by the router. A rejected
 * token is 401 before the body is read; without a token every field answers for itself, and the whole is 401 only if
 * none could be answered.
 *
 * @param operations where distinct operations are written down; nowhere if left out
 * @param documents where operations are found that a request names
 */
export function graphqlEndpoint(
  router: Router,
  operations?: OperationsLog,
  documents: DocumentStores = { remembered: new RememberedQueries() },
): ExpressRouter {
  const handle = createHandler<Request, Call>({
    async onSubscribe(call, { query, operationName, variables }): Promise<Subscribed> {
      const prepared = await prepareFound(router.engine, call.context.found, query, operationName);
      if ('errors' in prepared) return refuse(call.context, prepared.errors);
      operations?.note(prepared);
      if (prepared.operationType === OperationTypeNode.SUBSCRIPTION) return [needsStream()];
      const { context } = call.context;
      return {
        schema: router.apiSchema,
        document: prepared.document,
        operationName: operationName ?? null,
        variableValues: variables ?? null,
        rootValue: { prepared, context } satisfies Execution,
      };
    },
    execute: ({ rootValue, variableValues }) => {
      const { prepared, context } = rootValue as Execution;
      return prepared.execute(variableValues, context);
    },
    formatError: toCodedError,
    onOperation({ context: call }, _args, result) {
      if (!result.errors) return undefined;
      const { context } = call;
      call.hasErrors = true;
      const complete = { ...result, errors: refuse(call, result.errors) };
      return toUnauthorized(complete, context) ?? complete;
    },
  });
  const endpoint = ExpressRouter();
  endpoint.use(
    '/',
    openCall(router),
    express.raw({ type: 'application/json', limit: maxBodyBytes }),
    answer(handle, router, { operations, documents }),
  );
  return endpoint;
}

/** Made once: refusals are to cost little, and errors are dear. */
const overloaded = new AppError(
  'unavailable',
  'More is asked than can be done at the moment; try again shortly.',
  { retryAfter: 1 },
);

/** Refuses a rejected token before a byte of the body is read. */
function openCall(router: Router): RequestHandler {
  return async (request, response, next) => {
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.vary('Authorization');
    const context = router.openContext(request, { requestId, response });
    response.locals.context = context;
    if (router.isFull()) throw overloaded;
    const identity = await router.identify(context);
    if (identity.kind === 'rejected') throw identity.error;
    next();
  };
}

function answer(
  handle: ReturnType<typeof createHandler<Request, Call>>,
  router: Router,
  { operations, documents }: { operations: OperationsLog | undefined; documents: DocumentStores },
): RequestHandler {
  return async (request, response) => {
    const context = response.locals.context as RequestContext;
    const { method, headers } = request;
    const asked = {
      method,
      url: request.url,
      contentType: headers['content-type'],
      body: toText(request.body),
    };
    const call: Call = { context, found: findDocument(asked, documents) };
    if (wantsStream(request)) {
      const view = viewOf(call, operations);
      return answerStream(router, { request, response, context }, view);
    }
    const [body, init] = await handle({
      method,
      url: call.found.url,
      headers,
      body: call.found.body,
      raw: request,
      context: call,
    });
    const { rateLimit, rateLimitPolicy } = router.answerOf(context);
    if (rateLimit !== undefined) response.setHeader('RateLimit', rateLimit);
    if (rateLimitPolicy !== undefined) response.setHeader('RateLimit-Policy', rateLimitPolicy);
    const refusal = refusals[init.status] ?? findRefusal(body);
    if (refusal) {
      if (init.headers?.allow) response.setHeader('Allow', init.headers.allow);
      throw refusal;
    }
    if (
      method === 'GET' &&
      call.found.registered &&
      !call.hasErrors &&
      body !== null &&
      init.status === 200
    ) {
      const cached = cacheAnswer(body, headers['if-none-match']);
      for (const [name, value] of Object.entries(cached.headers)) response.setHeader(name, value);
      if (cached.isKnown) return void response.writeHead(304).end();
    }
    if (call.isBeyondUs) {
      response.writeHead(503, { ...init.headers, 'retry-after': '1' }).end(body ?? undefined);
      return;
    }
    response.writeHead(init.status, init.headers).end(body ?? undefined);
  };
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
      toUnauthorized(result, context)
        ? new AppError('token_missing', 'Sign in: the request carries no access token.')
        : undefined,
  };
}

/** Requests that are none of GraphQL over HTTP, which `graphql-http` answers with a bare status. */
const refusals: Readonly<Record<number, AppError>> = {
  405: new AppError('method_not_allowed', 'GraphQL is asked by POST; a query may be asked by GET, too.'),
  406: new AppError('not_acceptable', 'GraphQL is answered as application/json.'),
  415: new AppError('unsupported_media_type', 'The body is sent as application/json in UTF-8.'),
};

/** The body as text; empty without one. What is no UTF-8 is refused, not repaired: two readers would read two things. */
function toText(body: unknown): string {
  if (!Buffer.isBuffer(body)) return '';
  if (isUtf8(body)) return body.toString('utf8');
  throw new AppError('invalid_json', 'The body is not UTF-8 text.');
}

/** What `graphql-http` says of a request that is no GraphQL request has no code of its own. */
function toCodedError(error: Readonly<GraphQLError | Error>): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const code = error.message.includes('JSON') ? 'invalid_json' : 'malformed_request';
  const { message, extensions } = new AppError(code, `${error.message}.`);
  return new GraphQLError(message, { extensions });
}

/** 401 for the whole only when nobody signed in and no root field could be answered (settled order of refusals). */
function toUnauthorized(result: ExecutionResult, context: RequestContext) {
  const { data, errors } = result;
  if (!errors || context.viewerOrNull) return undefined;
  const answered = data && Object.values(data).some((value) => value !== null);
  if (answered || !errors.every(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) return undefined;
  return [
    JSON.stringify(result),
    {
      status: 401,
      statusText: 'Unauthorized',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'www-authenticate': `Bearer realm="${context.installation.id}"`,
      },
    },
  ] as const;
}

/** Failures outside an execution, in the shape of GraphQL: unknown hosts, refused tokens, unreadable bodies. */
export function graphqlFailure(router: Router): express.ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, next) => {
    if (response.headersSent) return next(error);
    const context = response.locals.context as RequestContext | undefined;
    const cause = new GraphQLError('failure', { originalError: toAppError(error) });
    const failure = toPublicError(cause, router.log, context?.requestId);
    const { status = 500 } = (failure.extensions.http as { status?: number }) ?? {};
    if (status === 401) {
      const challenge = (failure.extensions.problem as { challenge?: string }).challenge;
      const realm = context?.installation.id ?? 'trigate';
      response.setHeader('WWW-Authenticate', `Bearer realm="${realm}"${challenge ? `, ${challenge}` : ''}`);
    }
    const { retryAfter } = (failure.extensions.problem ?? {}) as ProblemDetails;
    if (retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(retryAfter));
    const shown = context ? withProblem(failure, context) : failure;
    response.status(status).json({ errors: [shown.toJSON()] });
  };
}

const bodyFaults: Readonly<Record<string, AppError>> = {
  'entity.too.large': new AppError('payload_too_large', 'The body may have at most 1 MiB.'),
  'encoding.unsupported': new AppError('unsupported_media_type', 'This content encoding is not accepted.'),
  'charset.unsupported': new AppError('unsupported_media_type', 'The body must be UTF-8.'),
};

function toAppError(error: unknown): Error {
  if (error instanceof AppError) return error;
  const { type, status } = error as { type?: string; status?: number };
  if (type && bodyFaults[type]) return bodyFaults[type];
  if (status !== undefined && status < 500)
    return new AppError('malformed_request', 'The request could not be read.');
  return error as Error;
}
