import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { Pool } from 'undici';
import { createInstallation } from '../subgraphs/identity/installation/createInstallation.ts';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { createSecrets } from '../subgraphs/platform/secrets/deriveSecret.ts';
import { storeThread } from '../test/authorization/storeThread.ts';
import { type EventStream, openEventStream } from '../test/support/openEventStream.ts';
import { createSignIn, type SignedIn } from '../test/support/signIn.ts';
import type { Program } from '../test/support/startProgram.ts';
import { describeTimes } from './catalogue/times.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:events [-- --streams 500 --messages 300 --conversations 100000]`: how long a message takes from the
 * moment in which it is sent to the stream of the other side, with many streams open on one process; what an open stream
 * costs in memory; and what a page of the inbox of a large dealer costs.
 */

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '500' },
    messages: { type: 'string', default: '300' },
    conversations: { type: 'string', default: '100000' },
  },
});
const [streams, messages, conversations] = [values.streams, values.messages, values.conversations].map(
  Number,
) as [number, number, number];
const host = 'shop.localhost';
const issuer = 'http://issuer.test';
/** Those who connect first warm the process up; what the others add is what a stream costs. */
const warmUp = Math.min(100, Math.floor(streams / 5));

await withPrograms('events', run);

async function run(start: StartProgram): Promise<void> {
  const database = await start('database', 'start/database.ts');
  const uri = database.ready.replace('MONGODB_URI=', '').replace('/?', '/trigate?');
  const secret = randomBytes(32).toString('base64url');
  const connection = await connectMongo({ uri, database: 'trigate', timeoutMs: 120_000 });
  try {
    const installation = await createInstallation(
      { name: 'Shop', hosts: [host], baseUrl: `http://${host}` },
      { now: Date.now },
    );
    const secrets = createSecrets(secret);
    const signIn = await createSignIn({ secrets, now: Date.now, installation, issuer });
    const product = await start('product', 'test/faults/fixture/unlimitedProduct.ts', {
      MONGODB_URI: uri,
      TRIGATE_SECRET: secret,
      DEMO: 'off',
      PORT: '0',
      ISSUER: issuer,
    });
    const people = await inTurn(streams, () => signIn());
    // Mails are somebody else's work.
    await mongoose.connection
      .collection('users')
      .updateMany({}, { $set: { notificationPreferences: { message: { email: false, inApp: true } } } });
    const open = await reportMemory(product, people);
    const pool = new Pool(product.url, { connections: 4 });
    try {
      await reportDelivery(pool, { installationId: installation.id, people, open });
      const dealerId = `dlr_${'D'.padStart(26, '0')}`;
      const owner = await signIn({ dealers: [{ dealerId, role: 'owner' }] });
      await fillInbox(installation.id, dealerId);
      await reportInbox(pool, owner, dealerId);
    } finally {
      for (const stream of open) stream.close();
      await pool.close();
    }
  } finally {
    await connection.close();
  }
}

async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(...(await Promise.all(Array.from({ length: 10 }, make))));
  return made.slice(0, count);
}

async function connect({ url }: Program, { token }: SignedIn): Promise<EventStream> {
  const { port } = new URL(url);
  const stream = await openEventStream(`http://127.0.0.1:${port}/api/v1/me/events`, {
    token,
    headers: { host },
  });
  await stream.until('connected', ({ lastId }) => lastId !== '');
  return stream;
}

async function reportMemory(product: Program, people: readonly SignedIn[]): Promise<EventStream[]> {
  const open: EventStream[] = [];
  const grow = async (to: number): Promise<number> => {
    while (open.length < to) {
      const next = people.slice(open.length, Math.min(to, open.length + 10));
      open.push(...(await Promise.all(next.map((one) => connect(product, one)))));
    }
    await pause(3000);
    return residentKiB(product.pid);
  };
  const before = await grow(warmUp);
  const after = await grow(streams);
  const each = (after - before) / (streams - warmUp);
  console.log(
    `${streams} open streams: ${(after / 1024).toFixed(0)} MiB resident, ${each.toFixed(1)} KiB for each of the last ${streams - warmUp}  (goal: at most 50)`,
  );
  return open;
}

function residentKiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

interface Delivery {
  installationId: string;
  people: readonly SignedIn[];
  open: readonly EventStream[];
}

/** One message at a time, to somebody else each time: what is measured is the way, not a queue. */
async function reportDelivery(pool: Pool, { installationId, people, open }: Delivery): Promise<void> {
  const times: number[] = [];
  const answers: number[] = [];
  for (let number = -20; number < messages; number += 1) {
    const at = ((number + 20) * 2) % (people.length - 1);
    const [buyer, seller] = [people[at], people[at + 1]] as [SignedIn, SignedIn];
    const { conversationId } = await storeThread(installationId, {
      buyerUserId: buyer.id,
      sellerUserId: seller.id,
    });
    const stream = open[at + 1];
    const heard = stream?.received.length ?? 0;
    const begun = performance.now();
    const sent = post(pool, `/api/v1/conversations/${conversationId}/messages`, buyer).then(() => {
      if (number >= 0) answers.push(performance.now() - begun);
    });
    await stream?.until('the message', ({ received }) => received.length > heard);
    if (number >= 0) times.push(performance.now() - begun);
    await sent;
  }
  console.log(`sendMessage, answered:               ${describeTimes(answers)}`);
  console.log(`sendMessage to the other's stream:   ${describeTimes(times)}  (goal: p95 at most 50 ms)`);
}

async function post(pool: Pool, path: string, { token }: SignedIn): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path,
    headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Is it still there?', clientMessageId: randomUUID() }),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(text);
}

async function fillInbox(installationId: string, dealerId: string): Promise<void> {
  const { conversationId } = await storeThread(installationId, { buyerUserId: buyerId(0), dealerId });
  const collection = mongoose.connection.collection<{ _id: string }>('conversations');
  const model = await collection.findOne({ _id: conversationId });
  for (let filled = 1; filled < conversations; filled += 2000) {
    const batch = Array.from({ length: Math.min(2000, conversations - filled) }, (_, index) => {
      const number = String(filled + index).padStart(26, '0');
      const lastMessageAt = new Date(Date.now() - (filled + index) * 1000);
      const own = { _id: `cnv_${number}`, topicId: `lst_${number}`, buyerUserId: buyerId(filled + index) };
      return { ...model, ...own, lastMessageAt };
    });
    await collection.insertMany(batch);
  }
  await mongoose.connection.db?.command({ analyze: 'conversations' }).catch(() => undefined);
}

function buyerId(number: number): string {
  return `usr_${String(number).padStart(26, '0')}`;
}

async function reportInbox(pool: Pool, { token }: SignedIn, dealerId: string): Promise<void> {
  for (const query of [`?dealerId=${dealerId}`, `?dealerId=${dealerId}&unread=true`, '?assignee=none']) {
    const times: number[] = [];
    for (let round = -10; round < 100; round += 1) {
      const begun = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `/api/v1/conversations${query}`,
        headers: { host, authorization: `Bearer ${token}` },
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(text);
      if (round >= 0) times.push(performance.now() - begun);
    }
    const name = query.replace(dealerId, 'dlr_…');
    console.log(`inbox of ${conversations} ${name.padEnd(28)} ${describeTimes(times)}`);
  }
}
