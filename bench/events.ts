import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { Pool } from 'undici';
import { InstallationModel, toInstallation } from '../subgraphs/platform/installation/Installations.ts';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { createSecrets } from '../subgraphs/platform/secrets/deriveSecret.ts';
import { storeThread } from '../test/authorization/world/storeThread.ts';
import { createSignIn, type SignedIn } from '../test/support/people/signIn.ts';
import { type EventStream, openEventStream } from '../test/support/stack/openEventStream.ts';
import type { Program } from '../test/support/stack/startProgram.ts';
import { benchmark } from './harness/benchmark.ts';
import { interleave } from './harness/interleave.ts';
import { describeTimes, report } from './harness/report.ts';
import { jsonLoad, type Load, sendOk } from './harness/send.ts';
import { residentMiB } from './harness/usage.ts';

/**
 * Measures the time from sending a message to its arrival on the other side's stream, with many open streams in one
 * process. Also measures the memory of an open stream, and the cost of an inbox page of a large dealer.
 */

/** Host of the demonstration's installation. */
const host = 'localhost';

export default benchmark({
  measures: "a message until it is on the other side's stream, memory of open streams, a dealer's inbox",
  settings: {
    streams: { usual: 500, quick: 20, means: 'streams that are open on one process' },
    messages: { usual: 300, quick: 5, means: 'messages, one at a time' },
    conversations: { usual: 100_000, quick: 1000, means: 'conversations of the dealer' },
    restMs: { usual: 3000, quick: 200, means: 'pause before memory is read' },
  },
  async measure({ streams, messages, conversations, restMs }, { openMarketplace }) {
    const { shared, product, installationId } = await openMarketplace();
    const connection = await connectMongo({ uri: shared.MONGODB_URI, timeoutMs: 120_000 });
    try {
      const stored = await InstallationModel.findById(installationId).lean().exec();
      if (!stored) throw new Error(`There is no installation "${installationId}".`);
      const signIn = await createSignIn({
        secrets: createSecrets(shared.TRIGATE_SECRET),
        now: Date.now,
        installation: toInstallation(stored),
        issuer: shared.ISSUER,
      });
      const people = await inTurn(streams, () => signIn());
      // Mails are not measured.
      await mongoose.connection
        .collection('users')
        .updateMany(
          { _id: { $in: people.map(({ id }) => id) as never[] } },
          { $set: { notificationPreferences: { message: { email: false, inApp: true } } } },
        );
      const open = await reportMemory(product, people, restMs);
      const pool = new Pool(product.url, { connections: 4 });
      await reportDelivery(pool, { installationId, people, open, messages });
      for (const stream of open) stream.close();
      const dealerId = `dlr_${'D'.padStart(26, '0')}`;
      await fillInbox(installationId, dealerId, conversations);
      // Filling takes longer than a token is valid.
      const owner = await signIn({ dealers: [{ dealerId, role: 'owner' }] });
      await reportInbox(pool, owner, { dealerId, conversations });
      await pool.close();
    } finally {
      await connection.close();
    }
  },
});

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

async function reportMemory(
  product: Program,
  people: readonly SignedIn[],
  restMs: number,
): Promise<EventStream[]> {
  // The first clients warm the process up; the cost of a stream is what the others add.
  const warmUp = Math.min(100, Math.floor(people.length / 5));
  const open: EventStream[] = [];
  const grow = async (to: number): Promise<number> => {
    while (open.length < to) {
      const next = people.slice(open.length, Math.min(to, open.length + 10));
      open.push(...(await Promise.all(next.map((one) => connect(product, one)))));
    }
    await pause(restMs);
    return residentMiB(product.pid);
  };
  const before = await grow(warmUp);
  const after = await grow(people.length);
  const further = people.length - warmUp;
  const each = ((after - before) * 1024) / further;
  report(
    `${people.length} open streams`,
    `${after.toFixed(0)} MiB resident, ${each.toFixed(1)} KiB for each of the last ${further}  (goal: at most 50)`,
  );
  return open;
}

interface Delivery {
  installationId: string;
  people: readonly SignedIn[];
  open: readonly EventStream[];
  messages: number;
}

/** Sends one message at a time, each to another recipient, so that the delivery is measured without a queue. */
async function reportDelivery(
  pool: Pool,
  { installationId, people, open, messages }: Delivery,
): Promise<void> {
  const warmUp = Math.min(20, messages);
  const times: number[] = [];
  const answers: number[] = [];
  for (let number = -warmUp; number < messages; number += 1) {
    const at = ((number + warmUp) * 2) % (people.length - 1);
    const [buyer, seller] = [people[at], people[at + 1]] as [SignedIn, SignedIn];
    const { conversationId } = await storeThread(installationId, {
      buyerUserId: buyer.id,
      sellerUserId: seller.id,
    });
    const stream = open[at + 1];
    const heard = stream?.received.length ?? 0;
    const begun = performance.now();
    const message = { text: 'Is it still there?', clientMessageId: randomUUID() };
    const sending = jsonLoad('POST', `/api/v1/conversations/${conversationId}/messages`, message);
    const sent = sendOk(pool, as(buyer, sending), 201).then(({ ms }) => {
      if (number >= 0) answers.push(ms);
    });
    await stream?.until('the message', ({ received }) => received.length > heard);
    if (number >= 0) times.push(performance.now() - begun);
    await sent;
  }
  report('sendMessage, answered', describeTimes(answers));
  report("sendMessage to the other's stream", `${describeTimes(times)}  (goal: p95 at most 50 ms)`);
}

/** Returns the request with a token that was signed without a sign-in, for the installation of this benchmark. */
function as({ token }: SignedIn, load: Load): Load {
  return { ...load, headers: { ...load.headers, host, authorization: `Bearer ${token}` } };
}

async function fillInbox(installationId: string, dealerId: string, conversations: number): Promise<void> {
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

async function reportInbox(
  pool: Pool,
  owner: SignedIn,
  { dealerId, conversations }: { dealerId: string; conversations: number },
): Promise<void> {
  const warmUp = 10;
  const ask = (query: string) => async (): Promise<number> => {
    const path = `/api/v1/conversations${query}`;
    return (await sendOk(pool, as(owner, { method: 'GET', path }))).ms;
  };
  const times = await interleave(warmUp + Math.min(100, conversations / 100), {
    'of the dealer': ask(`?dealerId=${dealerId}`),
    'of the dealer, unread': ask(`?dealerId=${dealerId}&unread=true`),
    'without an assignee': ask('?assignee=none'),
  });
  for (const [name, each] of Object.entries(times))
    report(`inbox of ${conversations}, ${name}`, describeTimes(each.slice(warmUp)));
}
