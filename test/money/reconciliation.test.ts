import { takeUpMs } from '../../subgraphs/identity/kernel/money/times.ts';
import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { usualLeaseMs } from '../../subgraphs/platform/jobs/startJobs.ts';
import { collection } from '../authorization/collection.ts';
import { dieWithin } from '../support/mortality.ts';
import { unique } from '../support/seed.ts';
import { stripeProduct } from '../support/stripeProduct.ts';
import { beginRun, keepCard } from './MoneyRun.ts';
import { jobs } from './perform.ts';

const world = stripeProduct();
const promisedMs = 60_000;
/** Part of a lease after which its end is noticed, and what is added to it and to the interval of a job at random. */
const [searchPart, jitter] = [0.3, 1.1];

test.each(jobs)('the job %s of a killed process has run in another one within a minute', (name) => {
  const job = buildIdentity().jobs.find((one) => one.name === `identity.${name}`);
  const takenMs = usualLeaseMs + usualLeaseMs * searchPart * jitter;
  const ranMs = Math.max(takenMs, takeUpMs) + (job?.everyMs ?? promisedMs) * jitter;
  expect(ranMs).toBeLessThanOrEqual(promisedMs);
});

test('a payment whose process dies at any write is completed by the jobs within a minute', async () => {
  const { stack, stripe, market } = world;
  const run = await beginRun({ stack, stripe, market, finance: await market.staff('finance') }, 40);
  let [isDead, completed] = [true, 0];
  for (let write = 0; isDead; write += 1)
    for (const isBehind of [false, true]) {
      const listingId = run.listings.pop() ?? '';
      // The clock has moved on, and tokens of earlier rounds have expired.
      const payer = await market.user();
      const paymentMethodId = await keepCard(run, 'pm_card_visa', payer);
      const order = {
        purpose: 'DEPOSIT',
        listingId,
        paymentMethodId,
        idempotencyKey: unique('key'),
      } as const;
      const silence = () => void (stripe.faults = Array.from({ length: 20 }, () => 'error'));
      isDead = await dieWithin({ write, isBehind }, () => payer.createPayment(order), silence);
      stripe.faults = [];
      stack.advance(promisedMs);
      for (const job of jobs) await stack.runJob(`identity.${job}`);
      const payment = await collection('payments').findOne({ listingId });
      if (!payment) continue;
      completed += 1;
      const place = `${isBehind ? 'behind' : 'before'} write ${write}`;
      expect([place, payment]).toMatchObject([place, { state: 'succeeded', operation: null, checkAt: null }]);
      expect([place, stripe.charges.get(String(payment.providerRef))]).toEqual([place, 1]);
      const booked = await collection('ledger_transactions').find({ paymentId: payment._id }).toArray();
      expect([place, booked.map(({ kind }) => String(kind)).sort()]).toEqual([place, ['charge', 'fee']]);
    }
  // A payment writes so often at least, so the deaths were spread over all of it.
  expect(completed).toBeGreaterThan(20);
}, 240_000);
