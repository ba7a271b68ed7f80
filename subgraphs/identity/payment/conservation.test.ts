import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { collection } from '../../../test/isolation/collection.ts';
import {
  openStripeServer,
  type StripeFault,
  type StripeServer,
} from '../../../test/support/openStripeServer.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { payableDealer, listingPrice as price } from '../../../test/support/payableDealer.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
} from '../../../test/support/seed.ts';
import { payoutAccountId } from '../payout-account/model.ts';
import { buildIdentity } from '../server.ts';
import { isAllowed, type PaymentState } from './states.ts';

let stripe: StripeServer;
let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stripe = await openStripeServer();
  const account = {
    secretKey: stripe.secretKey,
    webhookSecrets: [stripe.webhookSecret],
    apiBase: stripe.baseUrl,
  };
  stack = await openTestStack({
    subgraphs: [buildIdentity],
    payments: { provider: 'stripe', stripe: account },
  });
  shop = await seed(stack).installation({ settings: { earningsHeldDays: 0 } });
});
afterAll(async () => {
  await stack.close();
  await stripe.close();
});

type Act =
  | { do: 'pay'; listing: number; manual: boolean; card: string | null }
  | { do: 'confirm' | 'capture' | 'cancel' | 'refund'; payment: number; part: number }
  | { do: 'payout'; part: number }
  | { do: 'fault'; faults: StripeFault[] }
  | { do: 'tell'; payment: number; times: number }
  | { do: 'jobs' };

const index = fc.nat(7);
const part = fc.integer({ min: 1, max: 100 });
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      listing: fc.nat(2),
      manual: fc.boolean(),
      card: fc.constantFrom(
        'pm_card_visa',
        'pm_card_visa',
        'pm_card_chargeDeclined',
        'pm_card_threeDSecure',
        null,
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('confirm' as const, 'capture' as const, 'cancel' as const, 'refund' as const),
      payment: index,
      part,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('payout' as const), part }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      faults: fc.array(fc.constantFrom<StripeFault>('error', 'lostAnswer', 'refuse', 'none'), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tell' as const), payment: index, times: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'jobs' as const }) },
);

const jobs = ['payment-events', 'payment-checks', 'refunds', 'payouts', 'ledger-recovery'];
/** As time goes by: what is open is looked at again. */
async function runJobs(): Promise<void> {
  const past = new Date(0);
  await collection('payments').updateMany({ checkAt: { $type: 'date' } }, { $set: { checkAt: past } });
  for (const name of ['refunds', 'payouts', 'payment_events'])
    await collection(name).updateMany({ dueAt: { $type: 'date' } }, { $set: { dueAt: past } });
  for (const job of jobs) await stack.runJob(`identity.${job}`);
}

interface Run {
  garage: SeededDealer;
  buyers: SeededUser[];
  listings: string[];
  seen: Map<string, PaymentState>;
}

async function begin(): Promise<Run> {
  const garage = await payableDealer(shop);
  const _id = payoutAccountId(garage.id, 'stripe');
  const account = {
    dealerId: garage.id,
    provider: 'stripe',
    ref: `acct_${garage.id}`,
    createdAt: new Date(),
  };
  await collection('payout_accounts').insertOne({ _id, installationId: shop.installation.id, ...account });
  const buyers = [await shop.user(), await shop.user()];
  const listings: string[] = [];
  for (let count = 0; count < 3; count += 1)
    listings.push((await garage.listing({ published: true, price })).id);
  return { garage, buyers, listings, seen: new Map() };
}

const paymentsOf = ({ garage }: Run) =>
  collection('payments').find({ 'payee.id': garage.id }).sort({ createdAt: 1, _id: 1 }).toArray();

async function call(name: string, input: object, as: SeededUser): Promise<void> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const source = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`;
  const { errors } = await stack.execute(
    source,
    { input: { idempotencyKey: randomUUID(), ...input } },
    { ...shop, as },
  );
  // Refusals are part of the game; faults of our own are not.
  for (const { extensions, message } of errors ?? [])
    if (!extensions?.problem) throw new Error(`${name}: ${message}`);
}

async function act(run: Run, one: Act): Promise<void> {
  const all = await paymentsOf(run);
  const chosen = 'payment' in one && all.length > 0 ? all[one.payment % all.length] : undefined;
  const intent = chosen && stripe.objects.get(String(chosen.providerRef));
  const money = (whole: unknown) => ({
    amount: Math.max(1, Math.floor((Number(whole) * ('part' in one ? one.part : 100)) / 100)),
    currency: 'EUR',
  });
  const owner = run.garage.owner;
  if (one.do === 'fault') stripe.faults = [...one.faults];
  if (one.do === 'jobs') await runJobs();
  if (one.do === 'payout') {
    const balance = await collection('ledger_balances').findOne({ dealerId: run.garage.id });
    const available = (balance?.accounts as Record<string, number> | undefined)?.available ?? 0;
    await call('requestPayout', { dealerId: run.garage.id, amount: money(available) }, owner);
  }
  if (one.do === 'pay') {
    const payer = run.buyers[one.listing % 2] as SeededUser;
    const paymentMethodId = one.card === null ? null : await keep(one.card, payer);
    const captureMethod = one.manual ? 'MANUAL' : 'AUTOMATIC';
    const listingId = run.listings[one.listing];
    await call('createPayment', { purpose: 'DEPOSIT', listingId, captureMethod, paymentMethodId }, payer);
  }
  if (!chosen) return;
  const paymentId = chosen._id;
  if (one.do === 'capture') await call('capturePayment', { paymentId, amount: money(chosen.amount) }, owner);
  if (one.do === 'cancel') await call('cancelPayment', { paymentId }, owner);
  if (one.do === 'refund')
    await call('createRefund', { paymentId, amount: money(chosen.amountCaptured), reason: 'OTHER' }, owner);
  if (one.do === 'confirm' && intent && /^requires_(payment_method|action)$/.test(intent.status))
    stripe.confirm(intent.id, 'pm_card_visa');
  if (one.do !== 'tell' || !intent) return;
  const { body, signature } = stripe.event(intent);
  const input = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature };
  const source =
    'mutation ($input: ReceivePaymentEventInput!) { receivePaymentEvent(input: $input) { received } }';
  for (let time = 0; time < one.times; time += 1) await stack.execute(source, { input }, shop);
}

async function keep(methodRef: string, { id: userId }: SeededUser): Promise<string> {
  const _id = `pmt_${Array.from({ length: 26 }, () => 'ABCDEFGH'[Math.floor(Math.random() * 8)]).join('')}`;
  const [installationId, at] = [shop.installation.id, new Date()];
  const facts = { provider: 'stripe', customerRef: 'cus_x', methodRef, state: 'active', type: 'card' };
  await collection('payment_methods').insertOne({
    _id,
    installationId,
    userId,
    ...facts,
    createdAt: at,
    updatedAt: at,
  });
  return _id;
}

/** Whether a state can be reached from another one by any number of ways. */
function canReach(from: PaymentState, to: PaymentState, past: readonly PaymentState[] = []): boolean {
  if (from === to) return true;
  const states = [
    'requires_payment_method',
    'requires_action',
    'processing',
    'authorized',
    'succeeded',
    'failed',
    'canceled',
  ] as const;
  return states.some(
    (next) => !past.includes(next) && isAllowed(from, next) && canReach(next, to, [...past, from]),
  );
}

async function watch(run: Run): Promise<void> {
  for (const { _id, state } of await paymentsOf(run)) {
    const before = run.seen.get(_id) ?? 'requires_payment_method';
    expect([before, state, canReach(before, state as PaymentState)]).toEqual([before, state, true]);
    run.seen.set(_id, state as PaymentState);
  }
}

/** Everything that is under way comes to its end: all is well from now on. */
async function drain(run: Run): Promise<void> {
  stripe.faults = [];
  for (let round = 0; round < 4; round += 1) {
    for (const one of stripe.objects.values())
      if (one.object === 'payout') stripe.objects.set(one.id, { ...one, status: 'paid' });
    await runJobs();
  }
  await watch(run);
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

async function assertConserved(run: Run): Promise<void> {
  const payments = await paymentsOf(run);
  const objects = [...stripe.objects.values()];
  const paidBack: number[] = [];
  for (const { _id, providerRef, amountCaptured, amountRefunded, state, operation } of payments) {
    const intents = objects.filter(
      ({ object, metadata }) => object === 'payment_intent' && metadata.paymentId === _id,
    );
    const refunded = sum(
      objects.filter(({ payment_intent }) => payment_intent === providerRef).map(({ amount }) => amount),
    );
    paidBack.push(refunded);
    expect(operation).toBeNull();
    expect(intents.length).toBeLessThanOrEqual(1);
    expect(stripe.charges.get(String(providerRef)) ?? 0).toBe(state === 'succeeded' ? 1 : 0);
    expect([_id, sum(intents.map(({ amount_received }) => amount_received))]).toEqual([_id, amountCaptured]);
    expect([_id, refunded]).toEqual([_id, amountRefunded]);
  }
  const transactions = await collection('ledger_transactions').find({ dealerId: run.garage.id }).toArray();
  const lines = transactions.flatMap(({ postings }) => postings as { account: string; amount: number }[]);
  const cleared = sum(lines.filter(({ account }) => account === 'psp_clearing').map(({ amount }) => amount));
  const payouts = await collection('payouts').find({ dealerId: run.garage.id, state: 'paid' }).toArray();
  const paidOut = sum(payouts.map(({ amount }) => Number((amount as { amount?: number }).amount ?? amount)));
  const captured = sum(payments.map(({ amountCaptured }) => Number(amountCaptured)));
  expect(sum(lines.map(({ amount }) => amount))).toBe(0);
  expect(cleared).toBe(-captured + sum(paidBack) + paidOut);
  for (const listingId of run.listings) {
    const listing = await collection('listings').findOne({ _id: listingId });
    const holder = (listing?.reservation as { paymentId?: string } | null)?.paymentId;
    const holding = payments.find(({ _id }) => _id === holder);
    if (holder !== undefined) expect(['authorized', 'succeeded']).toContain(holding?.state);
  }
}

/** Something of everything, so that the random ones never stand alone. */
const usual: Act[] = [
  { do: 'pay', listing: 0, manual: false, card: 'pm_card_visa' },
  { do: 'refund', payment: 0, part: 50 },
  { do: 'payout', part: 50 },
];

test('whatever happens in whichever order, money is conserved and every state is legal', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 10, maxLength: 30 }), async (sequence) => {
      const run = await begin();
      for (const one of sequence) {
        await act(run, one);
        await watch(run);
      }
      await drain(run);
      await assertConserved(run);
      runs += 1;
    }),
    { numRuns: 12, endOnFailure: true, examples: [[usual]] },
  );
  expect(runs).toBe(12);
}, 300_000);

test('receipts have no gap over all of it', async () => {
  const paid = await collection('payments')
    .find({ receiptNumber: { $type: 'string' } })
    .toArray();
  const numbers = paid.map(({ receiptNumber }) => String(receiptNumber)).sort();
  // Enough has happened for all of this to mean something.
  expect(numbers.length).toBeGreaterThan(0);
  expect(await collection('refunds').countDocuments({ state: 'succeeded' })).toBeGreaterThan(0);
  const [first = ''] = numbers;
  expect(numbers).toEqual(numbers.map((_, at) => `${first.slice(0, 5)}${String(at + 1).padStart(6, '0')}`));
}, 60_000);
