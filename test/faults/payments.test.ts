import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { openHttpClient } from '../support/openHttpClient.ts';
import { openStripeServer, type StripeFault, type StripeServer } from '../support/openStripeServer.ts';
import { openTestStack, type TestStack } from '../support/openTestStack.ts';
import { payableDealer, listingPrice as price } from '../support/payableDealer.ts';
import { seed } from '../support/seed.ts';
import { type Program, startProgram } from '../support/startProgram.ts';

const patienceMs = 300_000;
/** Of the test's own stack, so that its tokens are good in the product. */
const secret = '\u0007'.repeat(32);
const host = 'demo.localhost';

let stack: TestStack;
let dataDir: string;
let stripe: StripeServer;
const programs: Program[] = [];

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  stripe = await openStripeServer();
  dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-fault-'));
}, patienceMs);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await stripe.close();
  await stack.close();
  await rm(dataDir, { recursive: true, force: true });
}, patienceMs);

async function start(): Promise<Program> {
  const uri = new URL(process.env.MONGODB_URI ?? '');
  uri.pathname = `/${mongoose.connection.name}`;
  const program = await startProgram('product', 'start/main.ts', {
    MONGODB_URI: uri.href,
    DATA_DIR: dataDir,
    TRIGATE_SECRET: secret,
    DEMO: 'off',
    PORT: '0',
    ISSUER: 'http://issuer.test',
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRETS: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.baseUrl,
  });
  programs.push(program);
  return program;
}

const collection = (name: string) =>
  mongoose.connection.collection<{ _id: string; [member: string]: any }>(name);

async function waitFor<T>(find: () => Promise<T | null | undefined | false> | T | false): Promise<T> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await pause(50)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error('It did not happen.');
}

/** Points of a payment at which the process ends: what its orders meet, and where it waits then. */
const points: readonly { name: string; faults: StripeFault[]; isRepeated: boolean }[] = [
  { name: 'before the order is carried out', faults: ['hold'], isRepeated: true },
  { name: 'after it, before its answer', faults: ['silent'], isRepeated: true },
  { name: 'before the money is taken', faults: ['none', 'hold'], isRepeated: true },
  { name: 'after it, before anything is written', faults: ['none', 'silent'], isRepeated: true },
  { name: 'the same, and nobody asks again', faults: ['none', 'silent'], isRepeated: false },
  { name: 'after everything', faults: ['none', 'none'], isRepeated: true },
];

test(
  'a process that is killed at any point of a payment loses nothing and takes nothing twice',
  async () => {
    const shop = await seed(stack).in(stack.demo);
    const garage = await payableDealer(shop);
    const { id: userId, token } = await shop.user();
    const listingIds: string[] = [];
    for (const _ of points) listingIds.push((await garage.listing({ published: true, price })).id);
    const paymentMethodId = newId('paymentMethod');
    await collection('payment_methods').insertOne({
      _id: paymentMethodId,
      installationId: stack.demo.id,
      userId,
      provider: 'stripe',
      customerRef: 'cus_1',
      methodRef: 'pm_card_visa',
      state: 'active',
      type: 'card',
      createdAt: new Date(),
      updatedAt: new Date(),
    });
    const victim = await start();
    const client = (program: Program) => openHttpClient(Number(new URL(program.url).port));
    const first = client(victim);
    const orders = points.map((point, index) => ({
      ...point,
      key: randomUUID(),
      listingId: listingIds[index],
    }));
    const ask = (by: typeof first, { key, listingId }: (typeof orders)[number]) =>
      by.send({
        method: 'POST',
        path: '/api/v1/payments',
        host,
        token,
        headers: [['idempotency-key', key]],
        body: { purpose: 'deposit', listingId, paymentMethodId },
      });
    for (const order of orders) {
      const before = stripe.calls.length;
      stripe.faults = [...order.faults];
      ask(first, order).catch(() => undefined);
      await waitFor(() => stripe.calls.length >= before + order.faults.length);
    }
    await victim.kill();
    first.close();
    stripe.faults = [];

    const second = client(await start());
    const ids = new Set<string>();
    for (const order of orders.filter(({ isRepeated }) => isRepeated)) {
      // The first request may seem to be running until its time is over, and a loaded machine may ask for patience.
      const answer = await waitFor(async () => {
        const asked = await ask(second, order);
        const isAnswered = asked.status !== 409 && asked.status !== 429 && asked.status < 502;
        if (!isAnswered) await pause(2000);
        return isAnswered && asked;
      });
      expect([order.name, answer.status]).toEqual([order.name, 201]);
      ids.add(answer.json.id);
    }
    const settled = await waitFor(async () => {
      const all = await collection('payments').find({}).sort({ _id: 1 }).toArray();
      return all.every(({ state, operation }) => state === 'succeeded' && operation === null) && all;
    });
    second.close();
    expect(settled).toHaveLength(points.length);
    for (const id of ids) expect(settled.map(({ _id }) => _id)).toContain(id);
    for (const { _id, providerRef, amount } of settled) {
      const intents = [...stripe.objects.values()].filter(({ metadata }) => metadata?.paymentId === _id);
      expect(intents).toMatchObject([{ id: providerRef, status: 'succeeded', amount_received: amount }]);
      expect(stripe.charges.get(providerRef)).toBe(1);
      expect(await collection('ledger_transactions').countDocuments({ paymentId: _id, kind: 'charge' })).toBe(
        1,
      );
    }
    const year = new Date().getUTCFullYear();
    const receipts = settled.map(({ receiptNumber }) => receiptNumber).toSorted((a, b) => (a < b ? -1 : 1));
    expect(receipts).toEqual(points.map((_, index) => `${year}-${String(index + 1).padStart(6, '0')}`));
    for (const listingId of listingIds) {
      const listing = await collection('listings').findOne({ _id: listingId });
      expect(listing).toMatchObject({ state: 'reserved', reservation: { buyerUserId: userId } });
    }
  },
  patienceMs,
);
