import type { RequestListener, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { Server as NetServer, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { closeDoors, type DrainTimes } from '../../subgraphs/platform/http/drainServer.ts';
import { Request, Response } from './Exchange.ts';

/** Requests of one connection at a time; more wait at the client. */
const mostStreams = 100;
/** Bytes of the headers of a request. */
const mostHeaderBytes = 16 * 1024;

/** A server that speaks HTTP/2, and HTTP/1.1 to those who know nothing else, over TLS. */
export interface Http2Server {
  server: NetServer;
  drain(times: DrainTimes | undefined, doors: readonly NetServer[]): Promise<void>;
}

export function openHttp2Server(
  handle: RequestListener,
  { key, cert, keepAliveMs }: { key: Buffer; cert: Buffer; keepAliveMs: number },
): Http2Server {
  const server = createSecureServer({
    key,
    cert,
    allowHTTP1: true,
    handshakeTimeout: 10_000,
    settings: { maxConcurrentStreams: mostStreams, maxHeaderListSize: mostHeaderBytes },
    Http2ServerRequest: Request,
    Http2ServerResponse: Response as unknown as typeof Http2ServerResponse,
  });
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: keepAliveMs });
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket) => keep(sockets, socket));
  server.on('session', (session) => {
    keep(sessions, session);
    session.setTimeout(keepAliveMs, () => session.close());
  });
  server.on('request', handle as never);
  return { server, drain: (times, doors) => drain({ server, doors, sessions, sockets }, times) };
}

function keep<T extends { once(event: 'close', forget: () => void): unknown }>(all: Set<T>, one: T): void {
  all.add(one);
  one.once('close', () => all.delete(one));
}

/** What has to be closed. */
interface Opened {
  readonly server: Http2SecureServer;
  readonly doors: readonly NetServer[];
  readonly sessions: ReadonlySet<ServerHttp2Session>;
  readonly sockets: ReadonlySet<Socket>;
}

/**
 * As `drainServer`: it takes no new connection, answers what it has got, and cuts what is left at the deadline. Clients
 * are told which request was the last one; they repeat a later one elsewhere, because nobody has seen it (RFC 9113, 6.8).
 */
async function drain(
  { server, doors, sessions, sockets }: Opened,
  { leadMs = 0, idleMs = 1000, deadlineMs = 8000 }: DrainTimes = {},
): Promise<void> {
  if (leadMs > 0) await pause(leadMs);
  server.prependListener('request', (request, response) => {
    if (request.httpVersionMajor < 2 && !response.headersSent)
      (response as unknown as ServerResponse).setHeader('Connection', 'close');
  });
  const closed = closeDoors([server, ...doors]);
  for (const session of sessions) session.close();
  // Connections of HTTP/1.1 on which nothing has come.
  const idle = setTimeout(() => server.close(), idleMs);
  const deadline = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, deadlineMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(deadline);
  // Ends the timer that looks for slow requests.
  server.close();
}
