import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { openEventStream } from '../../../test/support/openEventStream.ts';
import { EventStreams } from './EventStreams.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Numbers without end, or only those that `give` lets through, sent to whoever asks. */
async function serve(streams: EventStreams, text: (value: number) => string | null, pause?: Promise<void>) {
  const seen = { sent: 0, returned: 0 };
  const server = createServer((_request, response) => {
    let left: () => void = () => undefined;
    const gone = new Promise<void>((leave) => (left = leave));
    let hasLeft = false;
    void streams.send<number>(response, {
      headers: {},
      farewell: 'event: complete\ndata:\n\n',
      toText: text,
      source: {
        async next() {
          if (pause) await Promise.race([pause, gone]);
          seen.sent += 1;
          return hasLeft ? { done: true, value: undefined } : { done: false, value: seen.sent };
        },
        async return() {
          seen.returned += 1;
          hasLeft = true;
          left();
          return { done: true, value: undefined };
        },
      },
    });
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { seen, port: (server.address() as AddressInfo).port };
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((rested) => setTimeout(rested, 20));
};

test('nothing is written that the client does not take, and who takes nothing is let go', async () => {
  const streams = new EventStreams({ mostStalledMs: 300 });
  const { seen, port } = await serve(streams, (value) => `data: ${value}${'x'.repeat(10_000)}\n\n`);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  await until(() => seen.returned > 0 && streams.count === 0);
  // What the machine itself holds for a connection is some megabytes.
  expect(seen.sent).toBeLessThan(2000);
  socket.destroy();
});

test('the source is left when the client leaves, though nothing happens', async () => {
  const streams = new EventStreams();
  const { seen, port } = await serve(streams, String, new Promise(() => undefined));
  const stream = await openEventStream(`http://127.0.0.1:${port}/`);
  await until(() => streams.count === 1);
  stream.close();
  await until(() => streams.count === 0);
  expect(seen.returned).toBeGreaterThan(0);
});

test('when the process ends its streams come to their end, and no new one stays', async () => {
  const streams = new EventStreams();
  const { port } = await serve(streams, String, new Promise(() => undefined));
  const stream = await openEventStream(`http://127.0.0.1:${port}/`);
  streams.end();
  await stream.until('it has ended', ({ hasEnded }) => hasEnded);
  expect(stream.received.map(({ event }) => event)).toEqual(['complete']);
  const late = await openEventStream(`http://127.0.0.1:${port}/`);
  await late.until('it has ended', ({ hasEnded }) => hasEnded);
  expect(streams.count).toBe(0);
});

test('an idle stream is written to, so that a client that is gone is noticed', async () => {
  const streams = new EventStreams({ heartbeatMs: 20 });
  const { port } = await serve(streams, String, new Promise(() => undefined));
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => text.split(':\n\n').length > 4);
  expect(text).toContain('HTTP/1.1 200 OK');
  socket.destroy();
  await until(() => streams.count === 0);
});
