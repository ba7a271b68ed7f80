import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Options of stopping a server; times in milliseconds. */
export interface DrainTimes {
  /** Time for which it continues to accept requests, so that load balancers notice first. */
  leadMs?: number;
  /** Connections without a request stay open for so long: a request may be on its way on them. */
  idleMs?: number;
  /** Remaining connections are closed after this time. */
  deadlineMs?: number;
}

const usual = { leadMs: 0, idleMs: 1000, deadlineMs: 8000 };

/**
 * Closes a server without aborting requests. It accepts no new connection, every response states `Connection: close`,
 * and idle connections are closed after a short delay. Closing them immediately, as Node does, would lose requests that
 * are already sent.
 */
export async function drainServer(server: Server, times: DrainTimes = {}): Promise<void> {
  const { leadMs, idleMs, deadlineMs } = { ...usual, ...times };
  if (leadMs > 0) await pause(leadMs);
  server.prependListener('request', (_request, response) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  });
  // Not `http.Server#close`, which closes idle connections immediately.
  const closed = new Promise<void>((done) => void NetServer.prototype.close.call(server, () => done()));
  const idle = setTimeout(() => server.close(), idleMs);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(deadline);
  // Stops the timer that checks for slow requests.
  server.close();
}
