import type { RequestHandler, Response } from 'express';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../context/Platform.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { toPublicError } from '../errors/toPublicError.ts';

/** Documents that routers send are few. */
const keptDocuments = 200;
const farewell = 'event: complete\ndata:\n\n';

/**
 * Serves subscriptions of routers (`Accept: text/event-stream`), by the distinct connections mode of GraphQL over SSE.
 * Other requests are left to Apollo Server, which does not support subscriptions over HTTP. It must be mounted after
 * authentication and body parsing.
 */
export function serveSubscriptions(schema: GraphQLSchema, { log, streams }: Platform): RequestHandler {
  const documents = new LRUCache<string, DocumentNode>({ max: keptDocuments });
  const read = (query: string): DocumentNode => {
    const known = documents.get(query);
    if (known) return known;
    const document = parse(query);
    const { operation } = getOperationAST(document) ?? {};
    if (operation !== OperationTypeNode.SUBSCRIPTION || validate(schema, document).length > 0)
      throw new GraphQLError('The request must be a valid subscription.');
    documents.set(query, document);
    return document;
  };
  return async (request, response: Response, next) => {
    // Some routers also accept formats that are not supported here, and prefer them.
    if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) return next();
    const { query = '', variables = {} } = (request.body ?? {}) as {
      query?: string;
      variables?: Record<string, unknown>;
    };
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const begun = response.locals.context as RequestContext;
    const context = new RequestContext(begun.platform, { ...begun, signal: leaving.signal });
    const show = ({ errors, ...result }: ExecutionResult) => ({
      ...result,
      ...(errors && { errors: errors.map((error) => toPublicError(error, log, context).toJSON()) }),
    });
    const operation = { schema, document: read(query), variableValues: variables };
    const source = await createSourceEventStream({ ...operation, contextValue: context });
    const toText = (result: ExecutionResult) => `event: next\ndata: ${JSON.stringify(show(result))}\n\n`;
    if (!(Symbol.asyncIterator in source)) {
      // Some routers read only streams, and would lose the error of another response. Without `writeHead`, the response
      // states its length, by which the product's router recognizes a refusal.
      response.setHeader('content-type', 'text/event-stream');
      response.end(toText(source) + farewell);
      return;
    }
    const events = source[Symbol.asyncIterator]();
    await streams.send<ExecutionResult>(response, {
      source: {
        async next() {
          const event = await events.next();
          if (event.done) return { done: true, value: undefined };
          const contextValue = context.forEvent();
          return {
            done: false,
            value: await execute({ ...operation, rootValue: event.value, contextValue }),
          };
        },
        async return() {
          await events.return?.();
          return { done: true, value: undefined };
        },
      },
      headers: {},
      toText,
      farewell,
    });
  };
}
