import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { parseRequestParams } from 'graphql-http';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import type { Router } from '../createRouter.ts';
import type { Prepared } from '../execution/Engine.ts';
import { type FoundDocument, prepareFound } from '../operations/findDocument.ts';
import type { EndableStream } from '../transport/mapEvents.ts';
import { sendGraphql } from './sendJson.ts';

/** Format of the endpoint's responses. */
export interface StreamView {
  /** The requested operation. */
  readonly found: FoundDocument;
  /** Called for every operation with a response. */
  note(prepared: Prepared): void;
  /** Adds members of the request to errors. */
  complete(result: ExecutionResult): ExecutionResult;
  /**
   * Returns the refusal of a request that is not a GraphQL request, with the status of `graphql-http`; undefined
   * otherwise.
   */
  refuse(status: number): AppError | undefined;
  /** Returns the refusal for a caller without identity if no field is public, otherwise undefined. */
  unauthorized(result: ExecutionResult): AppError | undefined;
}

const farewell = 'event: complete\ndata:\n\n';

/**
 * Sends the results of an operation as server-sent events, by the distinct connections mode of GraphQL over SSE
 * (enisdenjo/graphql-sse, PROTOCOL.md): an event `next` for each result, and `complete` at the end. A subscription
 * continues until its source ends or the client disconnects; a query or mutation has one result. A permanent error,
 * such as an invalid document, has its status and no stream.
 */
export async function answerStream(
  router: Router,
  {
    request,
    response,
    context,
  }: { request: IncomingMessage; response: ServerResponse; context: RequestContext },
  view: StreamView,
): Promise<void> {
  const params = await readParams(request, response, view);
  const prepared = await prepareFound(router.engine, view.found, params.query, params.operationName);
  if ('errors' in prepared) {
    return sendGraphql(response, 400, view.complete({ errors: prepared.errors }));
  }
  view.note(prepared);
  if (request.method === 'GET' && prepared.operationType === OperationTypeNode.MUTATION) {
    response.setHeader('Allow', 'POST');
    throw new AppError('method_not_allowed', 'A mutation must be sent with POST.');
  }
  const result = await begin(prepared, params.variables, context);
  const isStream = Symbol.asyncIterator in result;
  const unauthorized = isStream ? undefined : view.unauthorized(result);
  if (unauthorized) throw unauthorized;
  const { rateLimit, rateLimitPolicy } = router.answerOf(context);
  await context.platform.streams.send(response, {
    source: isStream ? result : once(result),
    headers: {
      ...(rateLimit !== undefined && { RateLimit: rateLimit }),
      ...(rateLimitPolicy !== undefined && { 'RateLimit-Policy': rateLimitPolicy }),
    },
    toText: (value) => `event: next\ndata: ${JSON.stringify(view.complete(value))}\n\n`,
    farewell,
  });
}

async function readParams(
  request: IncomingMessage,
  response: ServerResponse,
  { found: { url, body }, refuse }: StreamView,
) {
  const { method = '', headers } = request;
  try {
    const params = await parseRequestParams({ method, url, headers, body, raw: request, context: {} });
    if ('query' in params) return params;
    const [, { status, headers: stated }] = params;
    if (stated?.allow) response.setHeader('Allow', stated.allow);
    throw refuse(status) ?? new Error('This is not a GraphQL request');
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { message } = error as Error;
    throw new AppError(message.includes('JSON') ? 'invalid_json' : 'malformed_request', `${message}.`);
  }
}

async function begin(
  prepared: Prepared,
  variables: Readonly<Record<string, unknown>> | null | undefined,
  context: RequestContext,
): Promise<ExecutionResult | EndableStream<ExecutionResult>> {
  return prepared.operationType === OperationTypeNode.SUBSCRIPTION
    ? prepared.subscribe(variables, context)
    : prepared.execute(variables, context);
}

async function* once(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield result;
  return undefined;
}

/** Returns the error for a subscription whose request does not accept a stream. */
export function needsStream(): GraphQLError {
  const { message, extensions } = new AppError(
    'malformed_request',
    'A subscription is only available as text/event-stream. Add it to Accept.',
  );
  return new GraphQLError(message, { extensions });
}
