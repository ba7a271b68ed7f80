import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Options of stopping a server; times in milliseconds. */
export interface DrainTimes {
  /** It goes on taking requests for so long, for balancers that have to notice first. */
  leadMs?: number;
  /** Connections without a request stay open for so long: a request may be on its way on them. */
  idleMs?: number;
  /** Remaining connections are closed after this time. */
  deadlineMs?: number;
}

const usual = { leadMs: 0, idleMs: 1000, deadlineMs: 8000 };

/**
 * Lets a server leave without cutting a request: it takes no new connection, every answer from now on says
 * `Connection: close`, and connections that stay silent are closed a moment later. Closing them at once, as Node does,
 * would lose requests that have been sent already.
 */
export async function drainServer(server: Server, times: DrainTimes = {}): Promise<void> {
  const { leadMs, idleMs, deadlineMs } = { ...usual, ...times };
  if (leadMs > 0) await pause(leadMs);
  server.prependListener('request', (_request, response) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  });
  // Not `http.Server#close`, which cuts silent connections.
  const closed = new Promise<void>((done) => void NetServer.prototype.close.call(server, () => done()));
  const idle = setTimeout(() => server.close(), idleMs);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(deadline);
  // Ends the timer that looks for slow requests.
  server.close();
}
