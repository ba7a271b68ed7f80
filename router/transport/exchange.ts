import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import type { Deadline } from './openDeadline.ts';

/** A complete response. */
export interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Body of the request: JSON, by POST. */
export interface Message {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Sends a request and reads its response completely. It uses the dispatch interface, because the streams and signals of
 * `Pool#request` cost more than the rest of the exchange.
 *
 * @throws the connection error, or an Error if the deadline has passed
 */
export function exchange(pool: Pool, message: Message, deadline: Deadline): Promise<Answer> {
  return new Promise((answered, failed) => {
    const chunks: Buffer[] = [];
    let statusCode = 0;
    let headers: IncomingHttpHeaders = {};
    let running: Dispatcher.DispatchController | undefined;
    const hasEnded = deadline.onEnd(() => {
      const reason = new Error('The exchange timed out.');
      running?.abort(reason);
      failed(reason);
    });
    if (hasEnded) return;
    pool.dispatch(
      { method: 'POST', ...message },
      {
        onRequestStart(controller) {
          running = controller;
          // The request ended while it waited for a connection.
          if (deadline.hasEnded()) controller.abort(new Error('The caller no longer waits for the answer.'));
        },
        onResponseStart(_controller, code, received) {
          statusCode = code;
          headers = received;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          const [first] = chunks;
          const bytes = chunks.length === 1 && first ? first : Buffer.concat(chunks);
          answered({ statusCode, headers, body: bytes.toString('utf8') });
        },
        onResponseError: (_controller, error) => failed(error),
      },
    );
  });
}
