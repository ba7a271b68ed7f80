import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { EventStreams } from '../../subgraphs/platform/http/EventStreams.ts';
import { findDocument } from '../operations/findDocument.ts';
import { answerEvents, wantsEvents } from './answerEvents.ts';
import { answerGraphql } from './answerGraphql.ts';
import { openClientContext } from './ClientContext.ts';
import { answerExplorer } from './explorer.ts';
import type { Standalone } from './openStandalone.ts';
import { RequestRefusal } from './RequestRefusal.ts';
import { readBody } from './readBody.ts';
import type { StandaloneOptions } from './readOptions.ts';

/** What the HTTP side of a router works with. */
export interface Serving {
  readonly standalone: Standalone;
  readonly streams: EventStreams;
  readonly options: Pick<StandaloneOptions, 'graphiql' | 'requestTimeoutMs' | 'maxRequests' | 'cacheControl'>;
  readonly log: Logger;
  /** False while the process is about to end. */
  isReady(): boolean;
}

/** Answers `/graphql`, `/health/live`, `/health/ready` and, if it is asked for, the explorer at `/`. */
export function createRequestHandler(serving: Serving): RequestListener {
  const load = { running: 0 };
  return (request, response) => {
    answer(serving, load, { request, response }).catch((error: unknown) => {
      if (error instanceof RequestRefusal && !response.headersSent) return error.answer(response);
      if (request.destroyed || response.destroyed) return response.destroy();
      serving.log.error({ err: error }, 'a request failed');
      if (response.headersSent) return response.destroy();
      return new RequestRefusal(500, 'INTERNAL_SERVER_ERROR', 'The request could not be answered.').answer(
        response,
      );
    });
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(serving: Serving, load: { running: number }, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const pathname = (request.url ?? '').split('?', 1)[0] ?? '';
  if (pathname === '/graphql') return answerWithinLoad(serving, load, exchange);
  if (pathname === '/health/live') return answerHealth(response, true);
  if (pathname === '/health/ready') return answerHealth(response, serving.isReady());
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (serving.options.graphiql && isRead && (await answerExplorer(pathname, response))) return;
  throw new RequestRefusal(404, 'NOT_FOUND', 'GraphQL is answered at /graphql.');
}

function answerHealth(response: ServerResponse, isWell: boolean): void {
  response
    .writeHead(isWell ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ status: isWell ? 'ok' : 'unavailable' }));
}

async function answerWithinLoad(
  serving: Serving,
  load: { running: number },
  { request, response }: Exchange,
): Promise<void> {
  const { options, standalone, streams } = serving;
  if (load.running >= options.maxRequests) {
    throw new RequestRefusal(503, 'OVERLOADED', 'Too many requests are executed at the moment.', {
      'retry-after': '1',
    });
  }
  const isStream = wantsEvents(request.headers.accept);
  // Streams take no part in the load: an idle one costs nothing, and each of their requests is counted by the subgraph.
  if (!isStream) load.running += 1;
  try {
    const body = request.method === 'POST' ? await readBody(request) : '';
    const lease = standalone.live.lease();
    try {
      const context = openClientContext(request, response, options.requestTimeoutMs);
      const { engine, documents } = lease.parts;
      const { method = '', url = '', headers } = request;
      const asked = { method, url, contentType: headers['content-type'], body };
      const found = findDocument(asked, documents);
      const call = { request, response, found, engine, context, cacheControl: options.cacheControl };
      await (isStream ? answerEvents(call, streams) : answerGraphql(call));
    } finally {
      lease.release();
    }
  } finally {
    if (!isStream) load.running -= 1;
  }
}
