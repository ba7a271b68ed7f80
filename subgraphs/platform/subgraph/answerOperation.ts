import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GraphQLFormattedError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { answerHeaderName, writeAnswerFacts } from '../context/answerHeader.ts';
import type { Platform } from '../context/Platform.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { wantsStream } from '../http/wantsStream.ts';
import { answerSubscription } from './answerSubscription.ts';
import { type KnownOperation, operationReader, type PrepareDocument } from './readOperations.ts';
import { readParams } from './readParams.ts';
import { toEdgeError } from './toEdgeError.ts';

/** Result as it is sent; `data` is absent if nothing was executed. */
interface Result {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

type Variables = Readonly<Record<string, unknown>>;

/**
 * Creates the endpoint of a subgraph for routers: GraphQL over HTTP by POST, and subscriptions as server-sent events by
 * POST and GET. It is called after the router was authenticated. It throws an AppError, or an error with a `status`, for
 * a request that contains no operation.
 */
export function operationEndpoint(schema: GraphQLSchema, prepare: PrepareDocument, platform: Platform) {
  const { log, streams } = platform;
  const readOperation = operationReader(schema, prepare);
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ): Promise<void> => {
    const { variables, ...text } = await readParams(request, response);
    const operation = readOperation(text);
    if ('errors' in operation) {
      const errors = operation.errors.map((error) => toEdgeError(error, log, context).toJSON());
      return send(response, context, { errors });
    }
    if (operation.type !== OperationTypeNode.SUBSCRIPTION) {
      if (request.method !== 'POST')
        throw new AppError('method_not_allowed', 'Send queries and mutations with POST.');
      return send(response, context, await execute(operation, variables, context));
    }
    if (!wantsStream(request))
      throw new AppError('not_acceptable', 'Request a subscription with `Accept: text/event-stream`.');
    const { document } = operation;
    await answerSubscription(response, { schema, document, variables }, { context, log, streams });
  };
}

async function execute(
  { type, execute: run }: KnownOperation,
  variables: Variables,
  context: RequestContext,
): Promise<Result> {
  const { data, errors } = await run(variables, context);
  if (!errors) return { data: data ?? null };
  const isWrite = type === OperationTypeNode.MUTATION;
  const { log } = context.platform;
  return {
    ...(data !== undefined && { data }),
    errors: errors.map((error) => toEdgeError(error, log, context, { isWrite }).toJSON()),
  };
}

/**
 * Sends a result. An executed operation has the status 200, also if all its fields were refused; one that was not
 * executed has 400. Engines always get 200, because some add an error of their own to any other status.
 */
function send(response: ServerResponse, context: RequestContext, result: Result): void {
  const body = JSON.stringify(result);
  const facts = writeAnswerFacts(context.answer);
  response.writeHead(result.data !== undefined || context.forEngine ? 200 : 400, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(facts !== undefined && { [answerHeaderName]: facts }),
  });
  response.end(body);
}
