import { randomUUID } from 'node:crypto';
import { takeUpMs } from '../../subgraphs/identity/money/times.ts';
import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { collection } from '../authorization/collection.ts';
import { dieWithin } from '../support/mortality.ts';
import { openStripeServer } from '../support/openStripeServer.ts';
import { openTestStack } from '../support/openTestStack.ts';
import { seed } from '../support/seed.ts';
import { beginRun, keepCard, type MoneyPlace } from './MoneyRun.ts';
import { jobs } from './perform.ts';

const promisedMs = 60_000;
/** Nobody looks for a lease that is over, or rests between two runs, longer than a little more than what is said. */
const [searchPart, jitter] = [0.3, 1.1];

let place: MoneyPlace;
beforeAll(async () => {
  const stripe = await openStripeServer();
  const account = {
    secretKey: stripe.secretKey,
    webhookSecrets: [stripe.webhookSecret],
    apiBase: stripe.baseUrl,
  };
  const stack = await openTestStack({
    subgraphs: [buildIdentity],
    payments: { provider: 'stripe', stripe: account },
  });
  const shop = await seed(stack).installation();
  place = { stack, stripe, shop, finance: await shop.staff('finance') };
}, 60_000);
afterAll(async () => {
  await place.stack.close();
  await place.stripe.close();
});

test('the job of a process that was killed is another one’s, and has run, within a minute', () => {
  const all = buildIdentity().jobs;
  for (const name of jobs) {
    const job = all.find((one) => one.name === `identity.${name}`);
    const leaseMs = job?.leaseMs ?? promisedMs;
    const takenMs = leaseMs + leaseMs * searchPart * jitter;
    const ranMs = Math.max(takenMs, takeUpMs) + (job?.everyMs ?? promisedMs) * jitter;
    expect([name, ranMs <= promisedMs]).toEqual([name, true]);
  }
});

const source = `mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { payment { id } } }`;

test('whatever write a process dies over, a minute later one look has brought its payment to an end', async () => {
  const { stack, stripe, shop } = place;
  const run = await beginRun(place);
  const listings: string[] = [];
  for (let count = 0; count < 40; count += 1)
    listings.push((await run.garage.listing({ published: true })).id);
  let [isDead, ended] = [true, 0];
  for (let write = 0; isDead; write += 1)
    for (const isBehind of [false, true]) {
      const listingId = listings.pop();
      // The clock has moved on: tokens of before are old.
      const payer = await shop.user();
      const paymentMethodId = await keepCard(run, 'pm_card_visa', payer);
      const input = { purpose: 'DEPOSIT', listingId, paymentMethodId, idempotencyKey: randomUUID() };
      const silence = () => void (stripe.faults = Array.from({ length: 20 }, () => 'error'));
      const pay = () => stack.execute(source, { input }, { ...shop, as: payer });
      isDead = await dieWithin({ write, isBehind }, pay, silence);
      stripe.faults = [];
      stack.advance(promisedMs);
      for (const job of jobs) await stack.runJob(`identity.${job}`);
      const payment = await collection('payments').findOne({ listingId: String(listingId) });
      if (!payment) continue;
      ended += 1;
      const place = `write ${write}, ${isBehind ? 'behind' : 'before'} it`;
      expect([place, payment]).toMatchObject([place, { state: 'succeeded', operation: null, checkAt: null }]);
      expect([place, stripe.charges.get(String(payment.providerRef))]).toEqual([place, 1]);
      const booked = await collection('ledger_transactions').find({ paymentId: payment._id }).toArray();
      expect([place, booked.map(({ kind }) => String(kind)).sort()]).toEqual([place, ['charge', 'fee']]);
    }
  // A payment writes so often, at least: the deaths were spread over all of it.
  expect(ended).toBeGreaterThan(20);
}, 240_000);
