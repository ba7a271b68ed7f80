import type { IncomingMessage, ServerResponse } from 'node:http';

/** Log for what clients must not see, with the interface of pino. */
export interface Log {
  error(fields: object, message: string): void;
}

/** HTTP request and its response. */
export interface Exchange<Context = unknown> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Path as it arrived, undecoded, without the query. */
  readonly path: string;
  /** Query as received, without the question mark; empty if there is none. */
  readonly queryText: string;
  /** Present once the gateway opened it. */
  context?: Context;
}

/** Headers by name; values are single. */
export type Headers = Record<string, string | number>;

/**
 * Writes the whole response at once, without its body for HEAD. Does nothing if the client has disconnected or a
 * response was started.
 */
export function send(exchange: Exchange, status: number, headers: Headers, body?: string | Buffer): void {
  const { request, response, requestId } = exchange;
  if (response.destroyed || response.headersSent) return;
  headers['X-Request-Id'] = requestId;
  keepVary(response, headers);
  if (body !== undefined) {
    headers['Content-Length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  }
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Extends the `Vary` header, because another layer such as compression may have set it. */
export function keepVary(response: ServerResponse, headers: Headers): void {
  const vary = headers.Vary === undefined ? undefined : response.getHeader('Vary');
  if (vary !== undefined) headers.Vary = `${String(vary)}, ${headers.Vary}`;
}
