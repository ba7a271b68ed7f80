import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { overloadedAdvice } from '../../schema/upstreamProblems.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import type { EventStreams } from '../../subgraphs/platform/http/EventStreams.ts';
import type { Router } from '../createRouter.ts';
import { maxBodyBytes } from '../http/graphqlEndpoint.ts';
import { sendFailure } from '../http/sendFailure.ts';
import { Connection, type ConnectionLimits } from './Connection.ts';
import { type AskedOptions, answerOperations, type Caller } from './operations.ts';

/** Answers the WebSocket connections of a server. */
export interface SocketEndpoint {
  /** Returns whether a request opens a connection to this endpoint. Other requests are answered without an upgrade. */
  accepts(request: IncomingMessage): boolean;
  /** Opens or refuses the connection of an accepted request; it does not throw. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Options of the endpoint. */
export interface SocketOptions extends AskedOptions {
  readonly streams: EventStreams;
  /** Origins of pages that may connect, besides those of the installation's own host; `*` for all. */
  readonly origins?: readonly string[];
  readonly limits?: ConnectionLimits & { readonly maxConnections?: number };
}

/** Connections that stay open in this process, event streams included. */
const usualMaxConnections = 10_000;
/** Time in milliseconds in which a client must send `connection_init`. */
const initMs = 10_000;
/** Time in milliseconds in which a client must confirm that its connection is closed. */
const closeMs = 5000;

/**
 * Creates the endpoint of GraphQL over WebSocket: the protocol `graphql-transport-ws`, which `graphql-ws` implements.
 * Operations have the guards, limits and errors of GraphQL over HTTP. The access token is in `Authorization` of
 * `connection_init`, because a browser cannot send headers.
 */
export function socketEndpoint(
  router: Router,
  { streams, origins = [], limits = {}, ...asked }: SocketOptions,
): SocketEndpoint {
  const protocol = makeServer({ ...answerOperations(router, asked), connectionInitWaitTimeout: initMs });
  const { maxConnections = usualMaxConnections } = limits;
  // Not passed directly, because the types of the library lack `closeTimeout`.
  const settings = {
    noServer: true,
    clientTracking: false,
    maxPayload: maxBodyBytes,
    closeTimeout: closeMs,
    handleProtocols: (offered: Set<string>): string | false =>
      offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  };
  const upgrades = new WebSocketServer(settings);

  function check(request: IncomingMessage): void {
    if (router.isFull() || streams.count >= maxConnections)
      throw new AppError('unavailable', overloadedAdvice, { retryAfter: 1 });
    assertOrigin(request, origins);
    // Refuses a host without an installation.
    router.openContext(request, { requestId: '' });
  }

  return {
    accepts: ({ method, url = '', headers: { upgrade } }) =>
      method === 'GET' && upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === '/graphql',
    open(request, socket, head) {
      try {
        check(request);
      } catch (error) {
        return refuse(router, request, socket as Socket, error);
      }
      upgrades.handleUpgrade(request, socket, head, (opened) => {
        const connection = new Connection(opened, limits);
        const caller: Caller = { request, connection, authorization: undefined };
        const release = streams.keep({ beat: () => connection.beat(), stop: () => connection.leave() });
        const onFailure = (error: unknown): void => router.log.error({ err: error }, 'unexpected error');
        const onClose = protocol.opened(connection.toProtocol(onFailure), caller);
        // A broken connection is closed by the library, and a client's malformed frame is no failure of the product.
        opened.on('error', () => undefined);
        opened.once('close', (code, reason) => {
          release();
          void onClose(code, String(reason));
        });
      });
    },
  };
}

/** A page of another origin must not use the API unless the operator allows it, as with CORS. */
function assertOrigin({ headers: { origin, host } }: IncomingMessage, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return;
  if (URL.parse(origin)?.host === host) return;
  throw new AppError('origin_not_allowed', 'Pages of this origin cannot connect. Add it to `CORS_ORIGINS`.');
}

/** Sends an HTTP response instead of opening the connection. */
function refuse(router: Router, request: IncomingMessage, socket: Socket, error: unknown): void {
  socket.on('error', () => undefined);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  sendFailure(router, response, error, undefined);
}
