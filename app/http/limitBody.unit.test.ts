import { createServer } from 'node:http';
import { connect } from 'node:net';
import { listenLocally } from '../../test/support/servers/listenLocally.ts';
import { perFile } from '../../test/support/stack/lazily.ts';
import { limitBody } from './limitBody.ts';

const limitMs = 200;
const server = createServer((request, response) => {
  limitBody(request, limitMs);
  request.resume().on('end', () => response.end('whole'));
  request.on('error', () => undefined);
});

const local = perFile(() => listenLocally(server));
afterAll(() => local.close());

/** Sends a body of ten bytes, one at a time; answers what came back before the connection ended. */
function dribble(path: string, everyMs: number): Promise<string> {
  const socket = connect(local.port, '127.0.0.1');
  socket.write(`PUT ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 10\r\n\r\n`);
  let left = 10;
  const timer = setInterval(() => {
    if (left > 0) socket.write('x');
    left -= 1;
  }, everyMs);
  return new Promise((ended) => {
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      ended(text);
    });
  });
}

test('a request whose body arrives within the time limit succeeds', async () => {
  expect(await dribble('/graphql', 1)).toContain('whole');
});

test('a request whose body exceeds the time limit has its connection closed', async () => {
  expect(await dribble('/graphql', limitMs / 4)).toBe('');
});

test('an upload may exceed the time limit while its bytes keep arriving', async () => {
  expect(await dribble('/api/v1/uploads/token', limitMs / 4)).toContain('whole');
  expect(await dribble('/api/v1/uploads/token', limitMs * 3)).toBe('');
});
