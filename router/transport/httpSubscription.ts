import type { EventSourceMessage } from 'eventsource-parser';
import type { Pool } from 'undici';
import { loadUndici } from './loadUndici.ts';
import type { EndableStream } from './mapEvents.ts';
import { readAnswer } from './readAnswer.ts';
import { readEvents } from './readEvents.ts';
import type { SubgraphContext, SubgraphResult } from './Transport.ts';

/** Connection settings of subscriptions. */
export interface SubscriptionChannel {
  readonly pool: Pool;
  readonly path: string;
  readonly headers: (context: SubgraphContext) => Readonly<Record<string, string>>;
  readonly onHeaders?:
    | ((headers: Readonly<Record<string, string | string[] | undefined>>, context: SubgraphContext) => void)
    | undefined;
  readonly maxEventLength: number;
}

/** Maximum silence of a subgraph in milliseconds. It sends a heartbeat every 15 seconds. */
const mostSilentMs = 60_000;

/** Opens connections for subscriptions. Each subscription has its own connection and uses none of the shared ones. */
export function openSubscriptionPool(origin: string, timeoutMs: number): Pool {
  return new (loadUndici().Pool)(origin, {
    connections: null,
    pipelining: 1,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: mostSilentMs,
  });
}

/**
 * Starts a subscription by the distinct connections mode of GraphQL over SSE. It ends with the source, with the
 * connection, or when the consumer stops. After a broken connection, the client reconnects.
 *
 * @returns the subgraph's response if it is not a stream; null if it cannot be read
 * @throws the error that prevented the start
 */
export async function subscribeOverHttp(
  { pool, path, headers, onHeaders, maxEventLength }: SubscriptionChannel,
  body: string,
  context: SubgraphContext,
): Promise<SubgraphResult | EndableStream<SubgraphResult> | null> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  if (context.signal?.aborted) leave();
  else context.signal?.addEventListener('abort', leave, { once: true });
  const forget = (): void => context.signal?.removeEventListener('abort', leave);
  try {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: { ...headers(context), 'content-type': 'application/json', accept: 'text/event-stream' },
      body,
      signal: leaving.signal,
    });
    onHeaders?.(answer.headers, context);
    if (String(answer.headers['content-type'] ?? '').startsWith('text/event-stream'))
      return toStream(readEvents(answer.body, maxEventLength), { leave, forget });
    forget();
    return readAnswer(await answer.body.text());
  } catch (error) {
    forget();
    throw error;
  }
}

function toStream(
  received: AsyncGenerator<EventSourceMessage, void, void>,
  { leave, forget }: { leave(): void; forget(): void },
): EndableStream<SubgraphResult> {
  const end = (): IteratorReturnResult<undefined> => {
    forget();
    leave();
    return { done: true, value: undefined };
  };
  const stream: EndableStream<SubgraphResult> = {
    async next() {
      try {
        for (;;) {
          const { done, value: event } = await received.next();
          if (done || event.event === 'complete') return end();
          const result = event.event === 'next' ? readAnswer(event.data) : null;
          if (result) return { done: false, value: result };
        }
      } catch {
        return end();
      }
    },
    return: async () => end(),
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}
