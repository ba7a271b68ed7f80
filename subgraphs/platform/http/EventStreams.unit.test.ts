import { createServer } from 'node:http';
import { connect } from 'node:net';
import { type LocalServer, listenLocally } from '../../../test/support/servers/listenLocally.ts';
import { openEventStream } from '../../../test/support/stack/openEventStream.ts';
import { EventStreams } from './EventStreams.ts';

const servers: LocalServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Sends an endless series of numbers, which begins when `pause` ends. */
async function serve(streams: EventStreams, toText: (value: number) => string, pause?: Promise<void>) {
  const seen = { sent: 0, returned: 0 };
  const server = createServer((_request, response) => {
    const left = Promise.withResolvers<void>();
    let hasLeft = false;
    const source = {
      async next() {
        if (pause) await Promise.race([pause, left.promise]);
        seen.sent += 1;
        return hasLeft
          ? { done: true as const, value: undefined }
          : { done: false as const, value: seen.sent };
      },
      async return() {
        seen.returned += 1;
        hasLeft = true;
        left.resolve();
        return { done: true as const, value: undefined };
      },
    };
    const farewell = 'event: complete\ndata:\n\n';
    void streams.send<number>(response, { headers: {}, farewell, toText, source });
  });
  const local = await listenLocally(server);
  servers.push(local);
  return { seen, port: local.port };
}
const silence = new Promise<void>(() => undefined);
/** A client that reads only if the test does. */
function request(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((rested) => setTimeout(rested, 20));
};

test('writing to a client that does not read stops when buffers are full, and its disconnect closes the source', async () => {
  const streams = new EventStreams();
  const { seen, port } = await serve(streams, (value) => `data: ${value}${'x'.repeat(10_000)}\n\n`);
  const socket = request(port).pause();
  let before = -1;
  while (before !== seen.sent) {
    before = seen.sent;
    await new Promise((rested) => setTimeout(rested, 300));
  }
  // The operating system buffers some megabytes for a connection.
  expect(seen.sent).toBeLessThan(2000);
  socket.destroy();
  await until(() => seen.returned > 0 && streams.count === 0);
});

test('the source of an idle stream is closed when its client disconnects', async () => {
  const streams = new EventStreams();
  const { seen, port } = await serve(streams, String, silence);
  const stream = await openEventStream(`http://127.0.0.1:${port}/`);
  await until(() => streams.count === 1);
  stream.close();
  await until(() => streams.count === 0);
  expect(seen.returned).toBeGreaterThan(0);
});

test('ending event streams completes them and admits no new ones', async () => {
  const streams = new EventStreams();
  const { port } = await serve(streams, String, silence);
  const stream = await openEventStream(`http://127.0.0.1:${port}/`);
  streams.end();
  await stream.until('it has ended', ({ hasEnded }) => hasEnded);
  expect(stream.received.map(({ event }) => event)).toEqual(['complete']);
  const late = await openEventStream(`http://127.0.0.1:${port}/`);
  await late.until('it has ended', ({ hasEnded }) => hasEnded);
  expect(streams.count).toBe(0);
});

test('an idle stream sends heartbeats and ends after its client disconnects', async () => {
  const streams = new EventStreams({ heartbeatMs: 20 });
  const { port } = await serve(streams, String, silence);
  const socket = request(port);
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await until(() => text.split(':\n\n').length > 4);
  expect(text).toContain('HTTP/1.1 200 OK');
  socket.destroy();
  await until(() => streams.count === 0);
});
