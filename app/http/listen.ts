import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SocketEndpoint } from '../../router/websocket/socketEndpoint.ts';
import { type DrainTimes, drainServer } from '../../subgraphs/platform/http/drainServer.ts';
import { dropStalledReaders } from '../../subgraphs/platform/http/dropStalledReaders.ts';
import { limitBody } from './limitBody.ts';

/** Connections that wait in the kernel to be accepted; Node's default is 511, and the system may allow fewer. */
const backlog = 1024;

/** A listening server that can leave without cutting a request. */
export interface Listener {
  port: number;
  /**
   * Accepts no new connection, lets requests in flight finish, and closes the remaining connections at the deadline.
   */
  drain(times?: DrainTimes): Promise<void>;
}

/** Returns the URL of a listener on this machine. */
export function baseUrlOf({ port }: Pick<Listener, 'port'>, { tls }: Pick<ListenOptions, 'tls'>): string {
  return `${tls ? 'https' : 'http'}://localhost:${port}`;
}

/** Address and limits of a server. */
export interface ListenOptions {
  port: number;
  host: string;
  keepAliveMs?: number;
  /** Files in PEM, with which TLS is spoken; plain text if left out. */
  tls?: { key: string; cert: string } | undefined;
  /** Milliseconds within which a client must read what was written to it. */
  stallMs?: number;
  /** Answers WebSocket connections; without it, a request to open one is answered like any other. */
  sockets?: SocketEndpoint;
}

/**
 * Listens for HTTP.
 *
 * @throws Error with the remedy if the port is in use or not allowed, or a TLS file is unusable
 */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<Listener> {
  const { port, host } = options;
  const server = await open((request, response) => {
    limitBody(request);
    handle(request, response);
  }, options);
  dropStalledReaders(server, options.stallMs);
  if (options.sockets) server.on('upgrade', options.sockets.open);
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(explain(error, port)));
    server.listen({ port, host, backlog }, listening);
  });
  return { port: (server.address() as AddressInfo).port, drain: (times) => drainServer(server, times) };
}

async function open(
  handle: RequestListener,
  { keepAliveMs = 65_000, tls, sockets }: ListenOptions,
): Promise<Server> {
  const limits = {
    shouldUpgradeCallback: (request: IncomingMessage) => sockets?.accepts(request) ?? false,
    requestTimeout: 0,
    headersTimeout: 10_000,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: 16 * 1024,
  };
  if (tls === undefined) return createServer(limits, handle);
  const [key, cert] = await Promise.all([readPem('TLS_KEY', tls.key), readPem('TLS_CERT', tls.cert)]);
  try {
    return createSecureServer({ ...limits, key, cert, handshakeTimeout: 10_000 }, handle);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `TLS_KEY and TLS_CERT cannot be used (${reason}). Both must be PEM files and belong together.`,
      {
        cause: error,
      },
    );
  }
}

function readPem(name: string, file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${name} cannot be read (${error.code}). It must be the path of a PEM file.`, {
      cause: error,
    });
  });
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `Port ${port} is used by another program. Stop it, or choose another port with PORT=${port + 1}.`,
    );
  }
  if (error.code === 'EACCES')
    return new Error(`This user is not allowed to listen on port ${port}. Choose one above 1023 with PORT.`);
  return error;
}
