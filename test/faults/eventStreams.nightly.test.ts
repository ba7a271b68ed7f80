import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createInstallation } from '../../subgraphs/identity/createInstallation.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { createSecrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { collection } from '../authorization/world/collection.ts';
import { storeThread } from '../authorization/world/storeThread.ts';
import { createSignIn, type SignedIn } from '../support/people/signIn.ts';
import { type EventStream, openEventStream } from '../support/stack/openEventStream.ts';
import { type HttpAnswer, openHttpClient } from '../support/stack/openHttpClient.ts';
import { openProcesses, type Processes } from '../support/stack/openProcesses.ts';
import type { Program } from '../support/stack/startProgram.ts';

/** The full run has `MESSAGES=10000 USERS=200`. The default takes less than two minutes. */
const messages = Number(process.env.MESSAGES ?? 600);
const users = Number(process.env.USERS ?? 40);
const perThread = messages / (users / 2);
const patienceMs = 100_000 + messages * 100;
const host = 'shop.localhost';

let processes: Processes;
/** Running processes, in order of preference. */
const alive: Program[] = [];
const run = { isOver: false };

beforeAll(async () => {
  processes = await openProcesses();
}, patienceMs);
afterAll(async () => {
  run.isOver = true;
  await processes.close();
}, patienceMs);

async function start(): Promise<Program> {
  const program = await processes.start({}, 'test/faults/fixture/unlimitedProduct.ts');
  alive.push(program);
  return program;
}

/** A message that a user receives, over any of its connections. */
interface Heard {
  seq: number;
  side: string;
  unreadCount: number;
}

/** A client whose broken stream continues after the last id, at any process that responds. */
function listen({ token }: SignedIn, index: number) {
  const heard: Heard[] = [];
  let current: EventStream | undefined;
  let connections = 0;
  const work = async (): Promise<void> => {
    let lastId = '';
    while (!run.isOver) {
      const { port } = new URL(alive[index % alive.length]?.url ?? '');
      try {
        current = await openEventStream(`http://127.0.0.1:${port}/api/v1/me/events`, {
          token,
          headers: { host, ...(lastId && { 'last-event-id': lastId }) },
        });
      } catch {
        await pause(100);
        continue;
      }
      const stream = current;
      connections += 1;
      while (!stream.hasEnded && !run.isOver) await pause(50);
      for (const { event, data } of stream.received) if (event === 'message.created') heard.push(data.data);
      lastId = stream.lastId || lastId;
      stream.close();
    }
  };
  const working = work();
  return {
    get isConnected() {
      return current !== undefined && current.lastId !== '';
    },
    get connections() {
      return connections;
    },
    /** Messages of the closed connections and of the open one. */
    all: (): Heard[] => [
      ...heard,
      ...(current?.hasEnded ? [] : (current?.received ?? []))
        .filter(({ event }) => event === 'message.created')
        .map(({ data }) => data.data as Heard),
    ],
    working,
  };
}

const clients = new Map<number, ReturnType<typeof openHttpClient>>();

async function ask(token: string, method: string, route: string, body?: object): Promise<HttpAnswer> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(200)) {
    const port = Number(new URL(alive[Math.floor(Math.random() * alive.length)]?.url ?? '').port);
    const client = clients.get(port) ?? openHttpClient(port);
    clients.set(port, client);
    const answer = await client.send({ method, path: route, host, token, body }).catch(() => null);
    // A transaction of a killed process locks its conversation until it expires.
    if (answer?.status === 500) throw new Error(answer.text);
    if (answer && answer.status < 500 && answer.status !== 409) return answer;
  }
  throw new Error(`No process answers ${method} ${route}.`);
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(50)) if (holds()) return;
  throw new Error(`Timed out: ${what}.`);
}

async function people(installation: Installation): Promise<SignedIn[]> {
  const secrets = createSecrets(processes.secret);
  const signIn = await createSignIn({ secrets, now: Date.now, installation, issuer: 'http://issuer.test' });
  const everybody = await Promise.all(Array.from({ length: users }, () => signIn()));
  // All users are connected, so none needs a mail.
  const quiet = { notificationPreferences: { message: { email: false, inApp: true } } };
  await collection('users').updateMany({}, { $set: quiet });
  return everybody;
}

test(
  `${messages} messages of ${users} users arrive once, in order and with unread counts, though a process is killed`,
  async () => {
    const installation = await createInstallation(
      { name: 'Shop', hosts: [host], baseUrl: `http://${host}` },
      { now: Date.now },
    );
    const everybody = await people(installation);
    const threads = await Promise.all(
      Array.from({ length: users / 2 }, async (_, index) => {
        const [buyer, seller] = [everybody[index * 2], everybody[index * 2 + 1]] as [SignedIn, SignedIn];
        const parties = { buyerUserId: buyer.id, sellerUserId: seller.id };
        const { conversationId } = await storeThread(installation.id, parties);
        return { sides: [buyer, seller] as const, route: `/api/v1/conversations/${conversationId}` };
      }),
    );
    const [, victim] = [await start(), await start()];
    const listeners = everybody.map(listen);
    await until('all users are connected', () => listeners.every(({ isConnected }) => isConnected));

    let sent = 0;
    const writing = threads.map(async ({ sides, route }, thread) => {
      for (let number = 0; number < perThread; number += 1) {
        const { token } = sides[(number + thread) % 3 === 0 ? 1 : 0];
        const body = { text: `Number ${number}`, clientMessageId: randomUUID() };
        const { status, text } = await ask(token, 'POST', `${route}/messages`, body);
        if (status !== 201 && status !== 200) throw new Error(text);
        sent += 1;
      }
    });
    await until('a third of the messages is sent', () => sent > messages / 3);
    alive.splice(alive.indexOf(victim), 1);
    await victim.kill();
    await until('half of the messages is sent', () => sent > messages / 2);
    await start();
    await Promise.all(writing);

    // The conversation has one more message, with which it was created.
    const last = perThread + 1;
    await until('all users have received all messages', () =>
      listeners.every((one) => one.all().length >= perThread),
    );
    expect(listeners.some(({ connections }) => connections > 1)).toBe(true);
    for (const [index, listener] of listeners.entries()) {
      const own = index % 2 === 0 ? 'buyer' : 'seller';
      const heard = listener.all();
      expect(heard.map(({ seq }) => seq)).toEqual(Array.from({ length: perThread }, (_, at) => at + 2));
      let unread = own === 'buyer' ? 0 : 1;
      const counts = heard.map(({ side }) => (side === own ? unread : (unread += 1)));
      expect(heard.map(({ unreadCount }) => unreadCount)).toEqual(counts);
      const { sides, route } = threads[Math.floor(index / 2)] as (typeof threads)[number];
      const { token } = sides[index % 2 === 0 ? 0 : 1];
      const { json } = await ask(token, 'GET', route);
      expect([json.lastSeq, json.unreadCount]).toEqual([last, unread]);
    }
    run.isOver = true;
    await Promise.all(listeners.map(({ working }) => working));
    for (const client of clients.values()) client.close();
  },
  patienceMs * 2,
);
