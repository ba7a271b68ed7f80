import {
  Agent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as startRequest,
} from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenLocally } from './listenLocally.ts';

/** A load balancer that sends each request to the next process. */
export interface Balancer {
  url: string;
  /** Number of requests by address. */
  readonly handed: ReadonlyMap<string, number>;
  add(...urls: string[]): void;
  close(): Promise<void>;
}

/** Time between two health checks of a process. */
const checkEveryMs = 200;

/**
 * Opens a balancer. It skips a process that refuses the connection, because the process has not received the request. A
 * connection that breaks later causes a 502, which the client can retry.
 *
 * @param options `checksHealth`: whether it polls `/health/ready` and sends no request to a process that is not ready
 */
export async function openBalancer({ checksHealth = false } = {}): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const handed = new Map<string, number>();
  const unready = new Set<string>();
  const checking = new AbortController();
  const checked = checksHealth ? checkHealth(handed, unready, checking.signal) : undefined;
  let turn = 0;
  // Idle connections stay open, because a client that was blocked for 5 s would write to a closed one.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const urls = [...handed.keys()].filter((url) => !unready.has(url));
    turn += 1;
    const inTurn = urls.map((_, index) => urls[(turn + index) % urls.length] as string);
    hand(agent, { request, response, inTurn, note: (url) => handed.set(url, (handed.get(url) ?? 0) + 1) });
  });
  const local = await listenLocally(server);
  return {
    url: `${local.url}/`,
    handed,
    add(...urls) {
      for (const url of urls) handed.set(url, 0);
      // Otherwise, a process would receive requests before its first check.
      if (checksHealth) for (const url of urls) unready.add(url);
    },
    async close() {
      checking.abort();
      await checked;
      await local.close();
      agent.destroy();
    },
  };
}

/** Polls the readiness of all processes until the signal. */
async function checkHealth(
  handed: ReadonlyMap<string, number>,
  unready: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(
      [...handed.keys()].map(async (url) => {
        const answer = await fetch(new URL('/health/ready', url)).catch(() => null);
        await answer?.body?.cancel();
        if (answer?.ok) unready.delete(url);
        else unready.add(url);
      }),
    );
    await pause(checkEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

interface Handed {
  request: IncomingMessage;
  response: ServerResponse;
  /** Addresses, in the order in which they are tried. */
  inTurn: readonly string[];
  note(url: string): void;
}

function hand(agent: Agent, { request, response, inTurn, note }: Handed): void {
  const [url, ...others] = inTurn;
  if (url === undefined) return fail(response);
  const { hostname, port } = new URL(url);
  const { url: path, method, headers, socket } = request;
  const call = startRequest({
    hostname,
    port,
    agent,
    method,
    path,
    headers: { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '' },
  });
  call.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
    answer.once('error', () => response.destroy());
  });
  call.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') return hand(agent, { request, response, inTurn: others, note });
    if (response.headersSent) response.destroy();
    else fail(response);
  });
  // A connection whose answer is complete belongs to the agent again.
  response.once('close', () => {
    if (!response.writableFinished) call.destroy();
  });
  // The body is sent after the connection is open, because a refused connection must not consume it.
  call.once('socket', (connection) => {
    const begin = (): void => {
      note(url);
      request.pipe(call);
    };
    if (connection.connecting) connection.once('connect', begin);
    else begin();
  });
}

function fail(response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/plain' }).end('No process took it.');
}
