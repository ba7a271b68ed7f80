import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DrainTimes, drainServer } from '../subgraphs/platform/http/drainServer.ts';
import { limitBody } from './limitBody.ts';

/** A listening server that can leave without cutting a request. */
export interface Listener {
  port: number;
  /** Takes no new connection, lets requests in flight finish, and cuts what is left at the deadline. */
  drain(times?: DrainTimes): Promise<void>;
}

/**
 * Listens for HTTP.
 *
 * @throws Error with the remedy when the port is taken or not allowed
 */
export async function listen(
  handle: RequestListener,
  { port, host, keepAliveMs = 65_000 }: { port: number; host: string; keepAliveMs?: number },
): Promise<Listener> {
  const server = createServer(
    { requestTimeout: 0, headersTimeout: 10_000, keepAliveTimeout: keepAliveMs, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      limitBody(request);
      handle(request, response);
    },
  );
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(explain(error, port)));
    server.listen(port, host, listening);
  });
  return {
    port: (server.address() as AddressInfo).port,
    drain: (times) => drainServer(server, times),
  };
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `Port ${port} is taken by another program: stop it, or choose another one with PORT=${port + 1}.`,
    );
  }
  if (error.code === 'EACCES')
    return new Error(`Port ${port} is not allowed to this user: choose one above 1023 with PORT.`);
  return error;
}
