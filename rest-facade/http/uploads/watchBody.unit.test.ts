import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenLocally } from '../../../test/support/servers/listenLocally.ts';
import { perFile } from '../../../test/support/stack/lazily.ts';
import { assertPresent, watchBody } from '../request/watchBody.ts';

const most = 1000;
const timeoutMs = 150;
let told: (outcome: string) => void;

const server = createServer((request, response) => {
  const stop = watchBody(
    request,
    most,
    (error) => finish(error.name, (error as { code?: string }).code),
    timeoutMs,
  );
  const finish = (name: string, code = '') => {
    stop();
    told(`${name} ${code}`.trim());
    response.end();
  };
  request.on('end', () => finish('whole'));
});

const local = perFile(() => listenLocally(server));
afterAll(() => local.close());

/** What the watch says of a body whose sender does something after its head. */
function outcomeOf(length: number, act: (socket: Socket) => void): Promise<string> {
  const socket = connect(local.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const outcome = new Promise<string>((resolve) => (told = resolve));
  socket.write(`PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`, () => act(socket));
  return outcome.finally(() => socket.destroy());
}

test('a body that arrives completely is no failure', async () => {
  expect(await outcomeOf(10, (socket) => socket.write('x'.repeat(10)))).toBe('whole');
});

test('a sender that stalls causes a timeout', async () => {
  expect(await outcomeOf(10, (socket) => socket.write('x'))).toBe('Refusal request_timeout');
  expect(await outcomeOf(10, () => undefined)).toBe('Refusal request_timeout');
});

test('a body larger than its limit is refused', async () => {
  expect(await outcomeOf(5000, (socket) => socket.write('x'.repeat(1001)))).toBe('Refusal payload_too_large');
});

test('a client that disconnects gets no response, also if it disconnected before', async () => {
  expect(await outcomeOf(10, (socket) => socket.destroy())).toBe('ClientGone');
  const gone = { destroyed: true, complete: false } as IncomingMessage;
  expect(() => assertPresent(gone)).toThrow('the client closed the connection');
});
