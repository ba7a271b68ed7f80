import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { findMember } from '../../../schema/route/selectionShape.ts';
import { addNotes } from '../answer/addNotes.ts';
import { compileEnums } from '../answer/compileMembers.ts';
import { dataOf } from '../answer/dataOf.ts';
import type { RouteEnvironment } from '../compileRoute.ts';
import { type Exchange, type Headers, keepVary } from '../Exchange.ts';
import { eventStreamType } from '../mediaTypes.ts';
import { Refusal } from '../Refusal.ts';
import type { Variables } from '../request/compileParameters.ts';
import { streamDocument } from './streamDocument.ts';

/** Sends server-sent events with backpressure and keep-alive comments, until the source or the client ends. */
export interface Streams {
  send<T>(
    response: ServerResponse,
    stream: {
      source: Pick<AsyncIterator<T>, 'next' | 'return'>;
      headers: Headers;
      /** Returns the frames of a value; null ends the stream. */
      toText(value: T): string | null;
    },
  ): Promise<void>;
}

interface Delivery {
  cursor: string;
  event: Record<string, unknown> | null;
}

/**
 * Compiles the event stream of a list. Each entry is an event with its `type` as name, its cursor as id, and the list
 * entry as data. A cursor without an event is only an id. A client that reconnects with it as `Last-Event-ID` misses
 * nothing. A refusal at the start is a problem. Null for other lists.
 */
export async function compileStream<Context>(
  { route, result }: RouteBinding,
  { gateway, streams }: Pick<RouteEnvironment<Context>, 'gateway' | 'streams'>,
): Promise<((exchange: Exchange<Context>, context: Context, variables: Variables) => Promise<void>) | null> {
  const { stream: field } = route;
  if (field === undefined) return null;
  if (!streams) throw new Error(`${route.file}: this facade was created without support for streams`);
  const prepared = await gateway.prepare(streamDocument(route, field), field);
  const shape = findMember(result?.shape, ['nodes'])?.shape;
  const lowerEnums = shape ? compileEnums(shape) : null;
  const toText = ({ data, errors }: ExecutionResult): string | null => {
    const delivery = data?.[field] as Delivery | null | undefined;
    // A subscriber who is refused now gets the reason with the next request.
    if (errors || !delivery) return null;
    const { cursor, event } = delivery;
    if (!event) return `id: ${cursor}\n\n`;
    lowerEnums?.(event);
    return `id: ${cursor}\nevent: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
  };
  return async (exchange, context, variables) => {
    const { request, response, requestId } = exchange;
    const after = lastEventId(exchange) ?? variables.after ?? null;
    const source = await prepared.subscribe({ after }, context);
    if (!(Symbol.asyncIterator in source)) {
      dataOf(source, false, [field]);
      throw new Error(`${route.file}: the subscription "${field}" did not start`);
    }
    const headers: Headers = { Vary: ['Accept', ...route.vary].join(', '), 'X-Request-Id': requestId };
    addNotes(headers, gateway.answerOf(context));
    keepVary(response, headers);
    if (request.method === 'HEAD') {
      await source.return();
      response
        .writeHead(200, { 'Content-Type': eventStreamType, 'Cache-Control': 'no-store', ...headers })
        .end();
      return;
    }
    await streams.send(response, { source, headers, toText });
  };
}

/**
 * Returns the header that browsers send when they reconnect; it takes precedence over the start of the first request.
 */
function lastEventId({ request }: Exchange): string | undefined {
  const id = request.headers['last-event-id'];
  if (Array.isArray(id)) throw new Refusal('malformed_request', 'Last-Event-ID must be sent once.');
  return id === '' ? undefined : id;
}
