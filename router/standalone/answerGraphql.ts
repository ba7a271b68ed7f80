import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionArgs, GraphQLError, OperationTypeNode } from 'graphql';
import { createHandler } from 'graphql-http';
import type { Engine, Prepared } from '../execution/Engine.ts';
import { cacheAnswer } from '../operations/answerCached.ts';
import { type FoundDocument, prepareFound } from '../operations/findDocument.ts';
import type { ClientContext } from './ClientContext.ts';
import { RequestRefusal } from './RequestRefusal.ts';

/** One request to the GraphQL endpoint. */
export interface GraphqlCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What is asked. */
  readonly found: FoundDocument;
  /** `Cache-Control` of answers of registered queries. */
  readonly cacheControl: string;
  readonly engine: Engine;
  readonly context: ClientContext;
  /** Set by an answer that has errors, which nobody may keep. */
  hasErrors?: boolean;
}

type Subscribed = (ExecutionArgs & { contextValue?: undefined }) | readonly GraphQLError[];

interface Execution {
  readonly prepared: Prepared;
  readonly context: ClientContext;
}

const handle = createHandler<IncomingMessage, GraphqlCall>({
  async onSubscribe(
    { context: { engine, context, found } },
    { query, operationName, variables },
  ): Promise<Subscribed> {
    const prepared = await prepareFound(engine, found, query, operationName);
    if ('errors' in prepared) return prepared.errors;
    if (prepared.operationType === OperationTypeNode.SUBSCRIPTION) return [needsStream()];
    return {
      schema: engine.apiSchema,
      document: prepared.document,
      // An empty name names no operation, which `graphql-http` does not know.
      operationName: operationName || null,
      variableValues: variables ?? null,
      rootValue: { prepared, context } satisfies Execution,
    };
  },
  execute({ rootValue, variableValues }) {
    const { prepared, context } = rootValue as Execution;
    return prepared.execute(variableValues, context);
  },
  formatError: toCodedError,
  onOperation({ context: call }, _args, result) {
    if (result.errors) call.hasErrors = true;
  },
});

/** Answers a query or mutation by GraphQL over HTTP. */
export async function answerGraphql(call: GraphqlCall): Promise<void> {
  const { request, response, found } = call;
  const { method = '', headers } = request;
  const { url, body: asked } = found;
  const [body, init] = await handle({ method, url, headers, body: asked, raw: request, context: call });
  const refusal = refusals[init.status];
  if (refusal) throw new RequestRefusal(init.status, refusal.code, refusal.message, allow(init.headers));
  if (method === 'GET' && found.registered && !call.hasErrors && body !== null && init.status === 200) {
    const cached = cacheAnswer(body, headers['if-none-match'], call.cacheControl);
    if (cached.isKnown) response.writeHead(304, cached.headers).end();
    else response.writeHead(200, { ...cached.headers, ...init.headers }).end(body);
    return;
  }
  response
    .writeHead(init.status, { 'cache-control': 'no-store', vary: 'Authorization', ...init.headers })
    .end(body ?? undefined);
}

function allow(headers: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return headers?.allow ? { allow: headers.allow } : {};
}

/** Requests that are none of GraphQL over HTTP, which `graphql-http` answers with a bare status. */
export const refusals: Readonly<Record<number, { readonly code: string; readonly message: string }>> = {
  405: { code: 'METHOD_NOT_ALLOWED', message: 'GraphQL is asked by POST; a query may be asked by GET, too.' },
  406: { code: 'NOT_ACCEPTABLE', message: 'GraphQL is answered as application/json.' },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body is sent as application/json in UTF-8.' },
};

/** What `graphql-http` says of a request that is no GraphQL request has no code of its own. */
function toCodedError(error: Readonly<GraphQLError | Error>): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError(`${error.message}.`, { extensions: { code: 'BAD_REQUEST' } });
}

function needsStream(): GraphQLError {
  return new GraphQLError('A subscription is answered as text/event-stream: say so in Accept.', {
    extensions: { code: 'NOT_ACCEPTABLE' },
  });
}
