import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { subgraphBuilders } from '../../start/openProduct.ts';
import { proveLedger } from '../../subgraphs/identity/ledger/proveLedger.ts';
import { payoutAccountId } from '../../subgraphs/identity/payout-account/model.ts';
import { startJobs } from '../../subgraphs/platform/jobs/startJobs.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../support/openHttpClient.ts';
import { openStripeServer, type StripeServer } from '../support/openStripeServer.ts';
import { openTestStack, type TestStack } from '../support/openTestStack.ts';
import { payableDealer } from '../support/payableDealer.ts';
import { type SeededDealer, type SeededInstallation, type SeededUser, seed } from '../support/seed.ts';
import { sellThrough } from '../support/sellThrough.ts';
import { serveStack } from '../support/serveStack.ts';
import { type Program, startProgram } from '../support/startProgram.ts';
import { type Cut, Life, live } from './Cut.ts';

/**
 * How processes of a world end: `held` ones are stacks of this process whose writes are held from the cut on, `killed` ones
 * are programs that get SIGKILL.
 */
export type Form = 'held' | 'killed';

/** Limit of a test in which programs start on a busy machine. */
export const patienceMs = 300_000;
/** Secret of the test's own stack, so that its tokens are valid in the programs. */
const secret = '\u0007'.repeat(32);
const host = 'demo.localhost';
/** Amount of a payment of this world: 123.00 EUR, of which 10.00 are commission and its tax. */
export const paidAmount = 12_300;

/** A payment of a buyer to a dealer; each sale has its own two. */
export interface Sale {
  paymentId: string;
  intentId: string;
  buyer: SeededUser;
  garage: SeededDealer;
}

/** A request that is repeated unchanged. */
export interface Order {
  path: string;
  token: string;
  key: string;
  body: object;
}

/** A process of the product. */
export interface Process {
  readonly url: string;
  /** Ends it without any further write. */
  kill(): Promise<void>;
  stop(): Promise<unknown>;
}

/** A database, a Stripe account, and processes of the product that are killed. */
export interface MoneyWorld {
  readonly stack: TestStack;
  readonly shop: SeededInstallation;
  readonly stripe: StripeServer;
  /** The product. With cuts, its requests stand still at them and it runs no jobs. */
  startProduct(cuts?: readonly Cut[]): Promise<Process>;
  /** Runs jobs alone, until the cut. */
  startWorker(jobs: readonly string[], cuts?: readonly Cut[]): Promise<Process>;
  clientOf(process: Process): HttpClient;
  send(client: HttpClient, order: Order): Promise<HttpAnswer>;
  /** Repeats an order, as a client does, while it is in progress or refused temporarily. */
  sendUntilDone(client: HttpClient, order: Order): Promise<HttpAnswer>;
  /** Sends an order to a process that stands still at its next cut, and waits until it does. */
  sendUntilCut(client: HttpClient, order: Order): Promise<void>;
  /** Number of cuts that were reached. */
  cuts(): Promise<number>;
  /** A payment that was captured; its earnings are available at once. */
  sale(): Promise<Sale>;
  /** Gives the dealer an account at Stripe. */
  openAccount(dealerId: string): Promise<void>;
  /** No balance is half written, and each is the sum of its journal. */
  assertProven(): Promise<void>;
  close(): Promise<void>;
}

export const collection = (name: string) =>
  mongoose.connection.collection<{ _id: string; [member: string]: any }>(name);

/** Polls until `find` answers something. */
export async function waitFor<T>(find: () => Promise<T | null | undefined | false> | T | false): Promise<T> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await pause(20)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error('It did not happen.');
}

/** Opens a world on a database of its own; the caller closes it. */
export async function openMoneyWorld(form: Form): Promise<MoneyWorld> {
  const stripe = await openStripeServer();
  const account = {
    secretKey: stripe.secretKey,
    webhookSecrets: [stripe.webhookSecret],
    apiBase: stripe.baseUrl,
  };
  const stack = await openTestStack({
    subgraphs: Object.values(subgraphBuilders),
    payments: { provider: 'stripe', stripe: account },
  });
  const shop = await seed(stack).in(stack.demo);
  const processes = form === 'held' ? holdProcesses(stack) : await killProcesses(stripe);
  const clients: HttpClient[] = [];
  const send = (client: HttpClient, { path: where, token, key, body }: Order) =>
    client.send({
      method: 'POST',
      path: `/api/v1/${where}`,
      host,
      token,
      headers: [['idempotency-key', key]],
      body,
    });
  const { cuts } = processes;
  return {
    stack,
    shop,
    stripe,
    cuts,
    send,
    startProduct: processes.startProduct,
    startWorker: (jobs, wanted = []) => processes.startWorker(jobs, wanted),
    clientOf({ url }) {
      const client = openHttpClient(Number(new URL(url).port));
      clients.push(client);
      return client;
    },
    sendUntilDone: (client, order) =>
      waitFor(async () => {
        const answer = await send(client, order);
        const passing = ['idempotency_in_progress', 'concurrent_update', 'rate_limited'];
        if (answer.status < 502 && !passing.includes(answer.json?.code)) return answer;
        await pause(processes.retryMs);
        return false;
      }),
    async sendUntilCut(client, order) {
      const before = await cuts();
      let early: HttpAnswer | undefined;
      // The connection breaks when the process is killed; an answer before that means that no cut was reached.
      send(client, order).then(
        (answer) => (early = answer),
        () => undefined,
      );
      await waitFor(async () => {
        if ((await cuts()) > before) return true;
        if (early && early.status < 500) throw new Error(`No cut was reached: ${early.status} ${early.text}`);
        return false;
      });
    },
    async sale() {
      const [garage, buyer] = [await payableDealer(shop), await shop.user()];
      const providerRef = `pi_of_${garage.id}`;
      const changes = { provider: 'stripe', providerRef } as const;
      const paymentId = await sellThrough(stack, shop.installation, {
        payerId: buyer.id,
        dealerId: garage.id,
        heldDays: 0,
        changes,
      });
      stripe.objects.set(providerRef, {
        id: providerRef,
        object: 'payment_intent',
        status: 'succeeded',
        amount: paidAmount,
        amount_received: paidAmount,
        amount_capturable: 0,
        currency: 'eur',
        metadata: { paymentId },
      });
      return { paymentId, intentId: providerRef, buyer, garage };
    },
    async openAccount(dealerId) {
      await collection('payout_accounts').insertOne({
        _id: payoutAccountId(dealerId, 'stripe'),
        installationId: shop.installation.id,
        dealerId,
        provider: 'stripe',
        ref: `acct_${dealerId}`,
        createdAt: new Date(),
      });
    },
    async assertProven() {
      const balances = await waitFor(async () => {
        const all = await collection('ledger_balances').find({}).toArray();
        return all.every(({ operations }) => operations.length === 0) && all;
      });
      expect(balances.length).toBeGreaterThan(0);
      expect((await proveLedger(shop.installation.id)).mismatches).toEqual([]);
    },
    async close() {
      for (const client of clients) client.close();
      await processes.close();
      await stripe.close();
      await stack.close();
    },
  };
}

/** Starts and ends the processes of one form. */
interface Processes {
  /** Pause before an order is sent again. */
  readonly retryMs: number;
  startProduct(cuts?: readonly Cut[]): Promise<Process>;
  startWorker(jobs: readonly string[], cuts: readonly Cut[]): Promise<Process>;
  cuts(): Promise<number>;
  close(): Promise<void>;
}

/** Programs, killed by SIGKILL. */
async function killProcesses(stripe: StripeServer): Promise<Processes> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-fault-'));
  const uri = new URL(process.env.MONGODB_URI ?? '');
  uri.pathname = `/${mongoose.connection.name}`;
  const environment = {
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
    LEASE_MS: '1500',
  };
  const programs: Program[] = [];
  const start = async (script: string, more: Record<string, string>, args: readonly string[] = []) => {
    const program = await startProgram('product', script, { ...environment, ...more }, args);
    programs.push(program);
    return program;
  };
  return {
    retryMs: 2000,
    startProduct: (cuts) =>
      cuts
        ? start('test/crashes/cutProduct.ts', { CUTS: JSON.stringify(cuts), JOBS: 'off' })
        : start('start/main.ts', {}),
    startWorker: (jobs, cuts) => start('test/crashes/cutWorker.ts', { CUTS: JSON.stringify(cuts) }, jobs),
    cuts: () => collection('cuts').countDocuments(),
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Jobs that go on with money. */
const moneyJobs = [
  'identity.payment-checks',
  'identity.payouts',
  'identity.refunds',
  'identity.disputes',
  'identity.ledger-recovery',
];
/** Longer than what a killed process began is left to it, so that its successor goes on at once. */
const laterMs = 60_000;

/** Stacks of this process. Each has its own clock, which is a minute ahead of that of its predecessor. */
function holdProcesses(stack: TestStack): Processes {
  let reached = 0;
  let aheadMs = 0;
  const running = new Set<Process>();
  const begin = async (
    cuts: readonly Cut[],
    start: (successor: TestStack) => Promise<{ url: string; close(): Promise<unknown> }>,
  ): Promise<Process> => {
    const successor = await stack.successor();
    successor.advance(aheadMs);
    aheadMs += laterMs;
    const life = new Life(cuts, () => (reached += 1));
    const { url, close } = await live(life, () => start(successor));
    const stop = async () => {
      if (!running.delete(process)) return;
      await close();
      await successor.close();
    };
    const process = {
      url,
      stop,
      async kill() {
        life.end();
        await stop();
      },
    };
    running.add(process);
    return process;
  };
  const run = ({ subgraphs, platform }: TestStack, names: readonly string[]) => {
    const jobs = subgraphs.flatMap((subgraph) => subgraph.jobs).filter(({ name }) => names.includes(name));
    expect(jobs).toHaveLength(names.length);
    const often = jobs.map((job) => ({ ...job, everyMs: 20 }));
    return startJobs(often, platform, { leaseMs: 300, retryMs: 20, closeMs: 0 });
  };
  return {
    retryMs: 20,
    startProduct: (cuts) =>
      begin(cuts ?? [], async (successor) => {
        const served = await serveStack(successor);
        const jobs = cuts ? undefined : run(successor, moneyJobs);
        return {
          url: `http://127.0.0.1:${served.port}`,
          close: () => Promise.all([jobs?.close(), served.close()]),
        };
      }),
    startWorker: (jobs, cuts) =>
      begin(cuts, async (successor) => {
        const { close } = run(successor, jobs);
        return { url: '', close };
      }),
    cuts: async () => reached,
    async close() {
      for (const process of running) await process.stop();
    },
  };
}
