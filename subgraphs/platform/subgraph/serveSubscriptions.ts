import type { Request, RequestHandler, Response } from 'express';
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
import { wantsStream } from '../http/wantsStream.ts';
import { toEdgeError } from './toEdgeError.ts';

/** Documents that routers send are few. */
const keptDocuments = 200;
const farewell = 'event: complete\ndata:\n\n';

/**
 * Serves subscriptions of routers (`Accept` with `text/event-stream`), by POST and GET, in the distinct connections mode
 * of GraphQL over SSE. Other requests are left to Apollo Server, which does not support subscriptions over HTTP. It must be mounted after
 * authentication and body parsing.
 */
export function serveSubscriptions(schema: GraphQLSchema, { log, streams }: Platform): RequestHandler {
  const documents = new LRUCache<string, DocumentNode>({ max: keptDocuments });
  const read = (query: string): DocumentNode | null => {
    const known = documents.get(query);
    if (known) return known;
    const document = parse(query);
    if (getOperationAST(document)?.operation !== OperationTypeNode.SUBSCRIPTION) return null;
    if (validate(schema, document).length > 0) throw new GraphQLError('The subscription is invalid.');
    documents.set(query, document);
    return document;
  };
  return async (request, response: Response, next) => {
    if (!wantsStream(request)) return next();
    const { query, variables } = readParams(request);
    const document = read(query);
    if (document === null) return next();
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const begun = response.locals.context as RequestContext;
    const context = new RequestContext(begun.platform, { ...begun, signal: leaving.signal });
    const show = ({ errors, ...result }: ExecutionResult) => ({
      ...result,
      ...(errors && { errors: errors.map((error) => toEdgeError(error, log, context).toJSON()) }),
    });
    const operation = { schema, document, variableValues: variables };
    const source = await createSourceEventStream({ ...operation, contextValue: context });
    const toText = (result: ExecutionResult) => `event: next\ndata: ${JSON.stringify(show(result))}\n\n`;
    if (!(Symbol.asyncIterator in source)) {
      // Some engines read only streams, and would lose the error of another response.
      if (context.forEngine) response.type('text/event-stream').send(toText(source) + farewell);
      else response.json(show(source));
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

/** Reads the operation of a POST body, or of a GET query string, in which variables are JSON text. */
function readParams({ method, body, query }: Request): { query: string; variables: Record<string, unknown> } {
  if (method !== 'GET') {
    const { query: text = '', variables } = (body ?? {}) as Partial<ReturnType<typeof readParams>>;
    return { query: text, variables: variables ?? {} };
  }
  try {
    const variables: unknown = JSON.parse(String(query.variables ?? '{}'));
    return { query: String(query.query ?? ''), variables: (variables ?? {}) as Record<string, unknown> };
  } catch {
    throw new GraphQLError('`variables` of the query string must be JSON.');
  }
}
