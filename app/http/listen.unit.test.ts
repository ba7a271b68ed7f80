import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Listener, listen } from './listen.ts';

const host = '127.0.0.1';
const fixture = (name: string) => path.join(import.meta.dirname, 'fixture', name);
const tls = { key: fixture('key.pem'), cert: fixture('cert.pem') };
const opened: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((listener) => listener.drain({ idleMs: 0, deadlineMs: 0 })));
});

async function open(port = 0): Promise<Listener> {
  const listener = await listen((_request, response) => void response.end('here'), { port, host });
  opened.push(listener);
  return listener;
}

test('refuses a port in use and proposes another one', async () => {
  const { port } = await open();
  await expect(open(port)).rejects.toThrow(
    `Port ${port} is used by another program. Stop it, or choose another port with PORT=${port + 1}.`,
  );
  expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('here');
});

test('a draining server finishes its requests and accepts no connection', async () => {
  const answers: (() => void)[] = [];
  const listener = await listen((_request, response) => void answers.push(() => response.end('done')), {
    port: 0,
    host,
  });
  const asked = Array.from({ length: 80 }, async () => {
    const response = await fetch(`http://${host}:${listener.port}/`);
    return response.text();
  });
  while (answers.length < 80) await pause(5);
  const left = listener.drain({ idleMs: 10 });
  const late = connect(listener.port, host);
  sockets.push(late);
  expect(
    await new Promise((told) => late.once('error', ({ code }: NodeJS.ErrnoException) => told(code))),
  ).toBe('ECONNREFUSED');
  for (const answer of answers) answer();
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']));
  await left;
});

test('a listener with a key and a certificate serves TLS', async () => {
  const listener = await listen((_request, response) => void response.end('here'), { port: 0, host, tls });
  opened.push(listener);
  const text = await new Promise<string>((answered, failed) => {
    const ca = readFileSync(tls.cert);
    request({ host, port: listener.port, ca, servername: 'localhost' }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => answered(`${response.httpVersion} ${body}`));
    })
      .on('error', failed)
      .end();
  });
  expect(text).toBe('1.1 here');
});

test('refuses TLS files that cannot be used and names their variables', async () => {
  const wrong = (key: string, cert: string) =>
    listen((_request, response) => void response.end(), { port: 0, host, tls: { key, cert } });
  await expect(wrong('/nowhere.pem', tls.cert)).rejects.toThrow(/^TLS_KEY cannot be read \(ENOENT\)/);
  await expect(wrong(tls.cert, tls.key)).rejects.toThrow(/^TLS_KEY and TLS_CERT cannot be used/);
});
