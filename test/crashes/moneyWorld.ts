import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { proveLedger } from '../../subgraphs/identity/payments/ledger/proveLedger.ts';
import { payoutAccountId } from '../../subgraphs/identity/payments/payout-account/record/model.ts';
import { payableDealer } from '../support/people/payableDealer.ts';
import { sellThrough } from '../support/people/sellThrough.ts';
import { type SeededDealer, type SeededUser, unique } from '../support/seed.ts';
import type { HttpAnswer } from '../support/stack/openHttpClient.ts';
import { type StripeProduct, stripeProduct } from '../support/stripeProduct.ts';
import type { Cut } from './Cut.ts';
import { holdProcesses, killProcesses, type Process, type Processes } from './processForms.ts';

/**
 * How processes of a world end. `held` processes are stacks in this process whose writes are blocked from the cut on.
 * `killed` processes are programs that receive SIGKILL.
 */
export type Form = 'held' | 'killed';

/** Limit of a test in which programs start on a busy machine. */
export const patienceMs = 300_000;
/** Amount of a sale: 123.00 EUR, of which 10.00 are commission and its tax. */
export const paidAmount = 12_300;

/** A payment of a buyer to a dealer. Each sale has a separate buyer and dealer. */
export interface Sale {
  paymentId: string;
  intentId: string;
  buyer: SeededUser;
  garage: SeededDealer;
}

/** A request, and the write at which its process ends. A repeated request is sent to the successor again. */
export interface Crash {
  readonly name: string;
  readonly cut: Cut;
  readonly isRepeated: boolean;
  readonly order: { readonly path: string; readonly by: SeededUser; readonly body: object };
}

/** The product of this file, with Stripe. */
type Shop = Pick<StripeProduct, 'market' | 'stripe' | 'stack'>;

/** The product of this file, and processes of it that are killed. */
export interface MoneyWorld extends Shop {
  /**
   * Sends each order to a process that ends at its cut, kills the process, and sends repeated orders to its successor.
   * Returns the ids that the successor returned, by the name of the order, and the successor.
   */
  crash(crashes: readonly Crash[]): Promise<{ ids: Map<string, string>; successor: Process }>;
  /** Runs jobs in a process that ends at the cut, after `begin` has created their work. */
  crashWorker(jobs: readonly string[], cut: Cut, begin: () => Promise<unknown>): Promise<void>;
  startWorker(jobs: readonly string[]): Promise<Process>;
}

export const collection = (name: string) =>
  mongoose.connection.collection<{ _id: string; [member: string]: any }>(name);

/** Polls until `find` returns a value. */
export async function waitFor<T>(find: () => Promise<T | null | undefined | false> | T | false): Promise<T> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await pause(20)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error('It did not happen.');
}

/** Opens the product and its processes for this file. */
export function moneyWorld(form: Form): MoneyWorld {
  let processes: Processes | undefined;
  // Declared before the stack, so that the processes end before it.
  afterAll(() => processes?.close(), patienceMs);
  const world = stripeProduct();
  beforeAll(async () => {
    processes = form === 'held' ? holdProcesses(world) : await killProcesses(world);
  }, patienceMs);
  const started = () => {
    if (!processes) throw new Error('The world is not open yet.');
    return processes;
  };

  const send = ({ client }: Process, { order: { path, by, body } }: Crash, key: string) =>
    client.send({
      method: 'POST',
      path: `/api/v1/${path}`,
      host: world.market.installation.hosts[0] ?? '',
      token: by.token,
      headers: [['idempotency-key', key]],
      body,
    });
  /** Waits until the process is blocked at its next cut. */
  async function sendUntilCut(process: Process, crash: Crash, key: string): Promise<void> {
    const before = await started().cuts();
    let early: HttpAnswer | undefined;
    // The connection breaks when the process is killed. An answer before that means that no cut was reached.
    send(process, crash, key).then(
      (answer) => (early = answer),
      () => undefined,
    );
    await waitFor(async () => {
      if ((await started().cuts()) > before) return true;
      if (early && early.status < 500) throw new Error(`No cut was reached: ${early.status} ${early.text}`);
      return false;
    });
  }
  /** Repeats an order, as a client does, while it is in progress or refused temporarily. */
  const sendUntilDone = (process: Process, crash: Crash, key: string) =>
    waitFor(async () => {
      const answer = await send(process, crash, key);
      const passing = ['idempotency_in_progress', 'concurrent_update', 'rate_limited'];
      if (answer.status < 502 && !passing.includes(answer.json?.code)) return answer;
      await pause(started().retryMs);
      return false;
    });

  return {
    get stack() {
      return world.stack;
    },
    get stripe() {
      return world.stripe;
    },
    market: world.market,
    async crash(crashes) {
      const keys = new Map(crashes.map((crash) => [crash, unique('key')]));
      const victim = await started().startProduct(crashes.map(({ cut }) => cut));
      for (const [crash, key] of keys) await sendUntilCut(victim, crash, key);
      await victim.kill();
      // The lease of a killed process lasts 15 seconds.
      const over = { $set: { leaseUntil: new Date(0) } };
      await collection('idempotency_keys').updateMany({ state: 'running' }, over);
      const successor = await started().startProduct();
      const ids = new Map<string, string>();
      for (const [crash, key] of keys) {
        if (!crash.isRepeated) continue;
        const { status, text, json } = await sendUntilDone(successor, crash, key);
        expect([crash.name, status < 300, text]).toEqual([crash.name, true, expect.anything()]);
        ids.set(crash.name, json.id);
      }
      return { ids, successor };
    },
    async crashWorker(jobs, cut, begin) {
      const before = await started().cuts();
      const victim = await started().startWorker(jobs, [cut]);
      await begin();
      await waitFor(async () => (await started().cuts()) > before);
      await victim.kill();
    },
    startWorker: (jobs) => started().startWorker(jobs),
  };
}

/** Creates a captured payment to a dealer, whose earnings are available at once. */
export async function makeSale({ market, stack, stripe }: Shop, dealer?: SeededDealer): Promise<Sale> {
  const [garage, buyer] = [dealer ?? (await payableDealer(market)), await market.user()];
  const intentId = `pi_of_${garage.id}_${buyer.id}`;
  const paymentId = await sellThrough(stack, market.installation, {
    payerId: buyer.id,
    dealerId: garage.id,
    heldDays: 0,
    changes: { provider: 'stripe', providerRef: intentId },
  });
  stripe.objects.set(intentId, {
    id: intentId,
    object: 'payment_intent',
    status: 'succeeded',
    amount: paidAmount,
    amount_received: paidAmount,
    amount_capturable: 0,
    currency: 'eur',
    metadata: { paymentId },
  });
  return { paymentId, intentId, buyer, garage };
}

/** Id of a dealer's account at Stripe. */
export const accountIdOf = (dealerId: string) => `acct_${dealerId}`;

/** Gives a dealer an account at Stripe. */
export async function openAccount({ market, stripe }: Shop, dealerId: string): Promise<void> {
  const id = accountIdOf(dealerId);
  const facts = { payouts_enabled: true, capabilities: { transfers: 'active' }, requirements: {} };
  stripe.objects.set(id, { id, object: 'account', ...facts });
  await collection('payout_accounts').insertOne({
    _id: payoutAccountId(dealerId, 'stripe'),
    installationId: market.installation.id,
    dealerId,
    provider: 'stripe',
    ref: id,
    createdAt: new Date(),
  });
}

/** Proves that each balance is the sum of its journal. */
export async function assertProven({ market }: Shop): Promise<void> {
  expect(await collection('ledger_balances').countDocuments()).toBeGreaterThan(0);
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
}
