import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { parseRequestParams } from 'graphql-http';
import type { EventStreams } from '../../subgraphs/platform/http/EventStreams.ts';
import { prepareFound } from '../operations/findDocument.ts';
import { type GraphqlCall, refusals } from './answerGraphql.ts';
import { RequestRefusal } from './RequestRefusal.ts';

/** Whether the answer is to be a stream: the client says so, and nothing else will do. */
export function wantsEvents(accept = ''): boolean {
  return /(?:^|[\s,])text\/event-stream(?:$|[\s,;])/i.test(accept);
}

/**
 * Answers an operation as server-sent events, by the protocol of distinct connections of GraphQL over SSE
 * (enisdenjo/graphql-sse, PROTOCOL.md). A stream has no deadline; its first result has.
 */
export async function answerEvents(call: GraphqlCall, streams: EventStreams): Promise<void> {
  const { request, response, engine, context } = call;
  const params = await readParams(call);
  const prepared = await prepareFound(engine, call.found, params.query, params.operationName);
  if ('errors' in prepared) {
    response
      .writeHead(400, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .end(JSON.stringify({ errors: prepared.errors }));
    return;
  }
  if (request.method === 'GET' && prepared.operationType === OperationTypeNode.MUTATION)
    throw new RequestRefusal(405, 'METHOD_NOT_ALLOWED', 'A mutation is asked by POST.', { allow: 'POST' });
  const result =
    prepared.operationType === OperationTypeNode.SUBSCRIPTION
      ? await prepared.subscribe(params.variables, context)
      : await prepared.execute(params.variables, context);
  context.endless();
  await streams.send<ExecutionResult>(response, {
    source: Symbol.asyncIterator in result ? result : once(result),
    headers: {},
    toText: (value) => `event: next\ndata: ${JSON.stringify(value)}\n\n`,
    farewell: 'event: complete\ndata:\n\n',
  });
}

async function readParams({ request, found: { url, body } }: GraphqlCall) {
  const { method = '', headers } = request;
  try {
    const params = await parseRequestParams({ method, url, headers, body, raw: request, context: {} });
    if ('query' in params) return params;
    const [, { status }] = params;
    const { code = 'BAD_REQUEST', message = 'This is no GraphQL request.' } = refusals[status] ?? {};
    throw new RequestRefusal(status, code, message);
  } catch (error) {
    if (error instanceof RequestRefusal) throw error;
    throw new RequestRefusal(400, 'BAD_REQUEST', `${(error as Error).message}.`);
  }
}

async function* once(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield result;
  return undefined;
}
