import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { WebSocketServer } from 'ws';
import type { SocketEndpoint } from '../../router/websocket/socketEndpoint.ts';
import { EventStreams } from '../../subgraphs/platform/http/EventStreams.ts';
import { product } from '../../test/support/product.ts';
import { type Listener, listen } from './listen.ts';

const { stack, market } = product();
const host = '127.0.0.1';
const stallMs = 150;
/** Time in which a stalled reader is disconnected even on a busy machine. */
const patienceMs = 5000;
const fixture = (name: string) => path.join(import.meta.dirname, 'fixture', name);
const tls = { key: fixture('key.pem'), cert: fixture('cert.pem') };
/** More than the kernel holds for a connection. */
const large = 'x'.repeat(24 * 1024 * 1024);
const opened: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((listener) => listener.drain({ idleMs: 0, deadlineMs: 0 })));
});

/** Serves, and resolves `gone` when the server closes the connection of its first request. */
async function open(handle: RequestListener, options: Partial<Parameters<typeof listen>[1]> = {}) {
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  const report = (): void => resolve('closed');
  const listener = await listen(
    (request, response) => {
      if (request.socket.listenerCount('close', report) === 0) request.socket.once('close', report);
      handle(request, response);
    },
    { port: 0, host, stallMs, ...options },
  );
  opened.push(listener);
  return { port: listener.port, gone };
}

/** Sends requests on one connection and reads nothing. */
function ask(port: number, requests = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', secure = false): Socket {
  const socket = secure ? connectSecurely({ port, host, rejectUnauthorized: false }) : connect(port, host);
  socket.on('error', () => undefined).pause();
  socket.write(requests);
  sockets.push(socket);
  return socket;
}

const outcome = (gone: Promise<string>) => Promise.race([gone, pause(patienceMs, 'held')]);

const handlers: Record<string, RequestListener> = {
  'a body in one piece': (_request, response) => void response.end(large),
  'a stream': (_request, response) => void Readable.from(endless()).pipe(response),
  'a file': (_request, response) => void createReadStream('/dev/zero').pipe(response),
  'server-sent events': (_request, response) => {
    const source = { next: async () => ({ done: false as const, value: large.slice(0, 10_000) }) };
    void new EventStreams().send(response, { headers: {}, source, toText: (text) => `data: ${text}\n\n` });
  },
};

function* endless() {
  for (;;) yield large.slice(0, 10_000);
}

test.each(Object.keys(handlers))('disconnects a client that never reads %s', async (kind) => {
  const { port, gone } = await open(handlers[kind] as RequestListener);
  ask(port);
  expect(await outcome(gone)).toBe('closed');
});

test('disconnects a client that never reads over TLS', async () => {
  const { port, gone } = await open(handlers['a body in one piece'] as RequestListener, { tls });
  ask(port, undefined, true);
  expect(await outcome(gone)).toBe('closed');
});

test('disconnects a client that never reads a WebSocket message', async () => {
  const upgrades = new WebSocketServer({ noServer: true });
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  const sockets: SocketEndpoint = {
    accepts: () => true,
    open(request, socket, head) {
      socket.once('close', () => resolve('closed'));
      upgrades.handleUpgrade(request, socket, head, (opened) => opened.send(large));
    },
  };
  const { port } = await open(() => undefined, { sockets });
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  ask(
    port,
    `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  expect(await outcome(gone)).toBe('closed');
});

test('a client that reads a little now and then does not keep a large body in memory', async () => {
  const { port, gone } = await open(handlers['a body in one piece'] as RequestListener);
  const socket = ask(port);
  const timer = setInterval(() => socket.read(100), 50);
  expect(await outcome(gone)).toBe('closed');
  clearInterval(timer);
});

test('a client that reads a stream slowly is not disconnected', async () => {
  // The kernel asks for more in steps of up to a megabyte, so a slow reader seems to pause.
  const { port, gone } = await open(handlers['a stream'] as RequestListener, { stallMs: 1500 });
  const socket = ask(port);
  const timer = setInterval(() => socket.read(), 10);
  expect(await Promise.race([gone, pause(3500, 'held')])).toBe('held');
  clearInterval(timer);
});

test('a handler that takes longer than the stall limit still sends its response', async () => {
  const { port } = await open((_request, response) => setTimeout(() => response.end('late'), stallMs * 2));
  const [answer] = await once(ask(port).resume(), 'data');
  expect(String(answer)).toContain('late');
});

test('the product disconnects a client that pipelines requests and reads no response', async () => {
  const { handle } = await stack.serve();
  const { port, gone } = await open(handle);
  const [authority = ''] = market.installation.hosts;
  ask(port, `GET /api/v1/openapi.json HTTP/1.1\r\nHost: ${authority}\r\n\r\n`.repeat(40));
  expect(await outcome(gone)).toBe('closed');
});
