import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from './Exchange.ts';

const requestIdPattern = /^[\w.-]{1,128}$/;

/**
 * Parses a request: its path and query, undecoded, and its id. An `X-Request-Id` of the client is used if it is short
 * and plain, because it is written to headers and logs.
 */
export function toExchange<Context>(request: IncomingMessage, response: ServerResponse): Exchange<Context> {
  const url = originForm(request.url ?? '/');
  const question = url.indexOf('?');
  const given = request.headers['x-request-id'];
  return {
    request,
    response,
    requestId: typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID(),
    path: question === -1 ? url : url.slice(0, question),
    queryText: question === -1 ? '' : url.slice(question + 1),
  };
}

/**
 * Returns the path of a URL. A request to a proxy also contains scheme and host (RFC 9112, 3.2.2), which are removed.
 */
function originForm(url: string): string {
  if (url.startsWith('/') || url === '*') return url;
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
}
