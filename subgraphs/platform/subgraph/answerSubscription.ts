import type { ServerResponse } from 'node:http';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
} from 'graphql';
import type { Platform } from '../context/Platform.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { toEdgeError } from './toEdgeError.ts';

/** A valid subscription. */
interface Subscription {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Request of a subscription, and what its process has once. */
interface Subscribing extends Pick<Platform, 'log' | 'streams'> {
  readonly context: RequestContext;
}

const farewell = 'event: complete\ndata:\n\n';

/** Sends the events of a subscription in the distinct connections mode of GraphQL over SSE, until one side ends it. */
export async function answerSubscription(
  response: ServerResponse,
  { schema, document, variables }: Subscription,
  { context: begun, log, streams }: Subscribing,
): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const context = new RequestContext(begun.platform, { ...begun, signal: leaving.signal });
  const toJson = ({ errors, ...result }: ExecutionResult): string =>
    JSON.stringify({
      ...result,
      ...(errors && { errors: errors.map((error) => toEdgeError(error, log, context).toJSON()) }),
    });
  const toText = (result: ExecutionResult): string => `event: next\ndata: ${toJson(result)}\n\n`;
  const operation = { schema, document, variableValues: variables };
  const source = await createSourceEventStream({ ...operation, contextValue: context });
  if (!(Symbol.asyncIterator in source)) {
    // Some engines read only streams, and would lose the error of another response.
    const [type, text] = context.forEngine
      ? ['text/event-stream; charset=utf-8', toText(source) + farewell]
      : ['application/json; charset=utf-8', toJson(source)];
    response.writeHead(200, { 'content-type': type }).end(text);
    return;
  }
  const events = source[Symbol.asyncIterator]();
  await streams.send<ExecutionResult>(response, {
    source: {
      async next() {
        const event = await events.next();
        if (event.done) return { done: true, value: undefined };
        const contextValue = context.forEvent();
        return { done: false, value: await execute({ ...operation, rootValue: event.value, contextValue }) };
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
}
