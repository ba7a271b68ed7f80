import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { Connection, type ConnectionLimits } from './Connection.ts';

const servers: WebSocketServer[] = [];
const clients: WebSocket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.terminate();
  for (const server of servers.splice(0)) server.close();
});

/** Opens a connection whose messages are in progress until the test ends them. */
async function open(limits: ConnectionLimits = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  const accepted = new Promise<Connection>((done) =>
    server.once('connection', (socket) => done(new Connection(socket, limits))),
  );
  await new Promise((listening) => server.once('listening', listening));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  clients.push(client);
  const closed = new Promise<[number, string]>((done) =>
    client.once('close', (code, reason) => done([code, String(reason)])),
  );
  const connection = await accepted;
  const messages: { text: string; end: PromiseWithResolvers<void> }[] = [];
  const failures: unknown[] = [];
  const protocol = connection.toProtocol((error) => failures.push(error));
  protocol.onMessage((text) => {
    const end = Promise.withResolvers<void>();
    messages.push({ text, end });
    return end.promise;
  });
  if (client.readyState !== client.OPEN) await new Promise((opened) => client.once('open', opened));
  const send = async (text: string) => {
    const before = messages.length;
    client.send(text);
    while (messages.length === before) await pause(5);
  };
  return { client, connection, protocol, messages, failures, closed, send };
}

const still = (closed: Promise<unknown>, ms = 150) => Promise.race([closed, pause(ms, 'open')]);

test('closes a connection without an operation after a time', async () => {
  const { closed } = await open({ idleMs: 30 });
  expect(await closed).toEqual([1000, 'Idle']);
});

test('keeps a connection open while an operation is in progress', async () => {
  const { closed, messages, send } = await open({ idleMs: 60 });
  await send('one');
  expect(await still(closed)).toBe('open');
  messages[0]?.end.resolve();
  expect(await closed).toEqual([1000, 'Idle']);
});

test('closes a connection with more than 20 operations in progress', async () => {
  const { client, closed, messages, send } = await open();
  for (let index = 0; index < 20; index += 1) await send(String(index));
  expect(await still(closed, 50)).toBe('open');
  client.send('one more');
  expect(await closed).toEqual([4429, 'At most 20 operations can be in progress.']);
  expect(messages).toHaveLength(20);
});

test('closes a connection whose message cannot be handled, and reports the error', async () => {
  const { closed, messages, failures, send } = await open();
  await send('one');
  const error = new Error('broken');
  messages[0]?.end.reject(error);
  expect(await closed).toEqual([4500, 'Internal error']);
  expect(failures).toEqual([error]);
});

test('ends a connection whose client answers no heartbeat', async () => {
  const { client, connection, closed } = await open();
  connection.beat();
  await new Promise((pinged) => client.once('ping', pinged));
  await pause(50);
  connection.beat();
  expect(await still(closed, 50)).toBe('open');
  client.pause();
  await pause(50);
  connection.beat();
  connection.beat();
  client.resume();
  expect((await closed)[0]).toBe(1006);
});

describe('a connection whose process stops', () => {
  test('is closed at once if it has only subscriptions', async () => {
    const { connection, closed, send } = await open();
    await send('subscription');
    connection.beginStream();
    connection.leave();
    expect(await closed).toEqual([1001, 'Going away']);
  });

  test('is closed when its queries have ended, and starts no further ones', async () => {
    const { client, connection, closed, messages, send } = await open();
    await send('query');
    connection.leave();
    client.send('later');
    expect(await still(closed, 100)).toBe('open');
    messages[0]?.end.resolve();
    expect(await closed).toEqual([1001, 'Going away']);
    expect(messages).toHaveLength(1);
  });

  test('is cut if its queries take too long', async () => {
    const { connection, closed, send } = await open({ leaveMs: 50 });
    await send('query');
    connection.leave();
    expect((await closed)[0]).toBe(1006);
  });
});

test('aborts operations in progress when the client disconnects', async () => {
  const { client, connection } = await open();
  const [running, ended] = [connection.begin(), connection.begin()];
  ended.end();
  client.terminate();
  await new Promise((aborted) => running.signal.addEventListener('abort', aborted));
  expect(ended.signal.aborted).toBe(false);
});
