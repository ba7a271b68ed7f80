import fc from 'fast-check';
import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { collection } from '../authorization/collection.ts';
import { openStripeServer } from '../support/openStripeServer.ts';
import { openTestStack } from '../support/openTestStack.ts';
import { seed } from '../support/seed.ts';
import { acts, answered, mortal, usual } from './acts.ts';
import { assertConserved } from './assertConserved.ts';
import { beginRun, type MoneyPlace, type MoneyRun } from './MoneyRun.ts';
import { perform, runJobs } from './perform.ts';
import { watch } from './watch.ts';

/** What was earned is available at once, or waits for a week. */
let places: readonly [MoneyPlace, MoneyPlace];

/** Everything that is under way comes to its end: all is well from now on. */
async function drain(run: MoneyRun): Promise<void> {
  run.stripe.faults = [];
  for (let round = 0; round < 4; round += 1) {
    for (const one of run.stripe.objects.values())
      if (one.object === 'payout') run.stripe.objects.set(one.id, { ...one, status: 'paid' });
    await runJobs(run);
  }
  await watch(run);
}

/**
 * Declares the test that random sequences of operations, deaths and provider faults conserve money.
 *
 * @param numRuns number of random sequences
 */
export function describeConservation(numRuns: number): void {
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
    const open = async (earningsHeldDays: number): Promise<MoneyPlace> => {
      const shop = await seed(stack).installation({ settings: { earningsHeldDays } });
      return { stack, stripe, shop, finance: await shop.staff('finance') };
    };
    places = [await open(0), await open(7)];
  }, 60_000);
  afterAll(async () => {
    const [{ stack, stripe }] = places;
    await stack.close();
    await stripe.close();
  });

  test('whatever happens in whichever order, and whoever dies over it, money is conserved and every state is legal', async () => {
    let [runs, deaths] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(acts, { minLength: 10, maxLength: 30 }),
        fc.boolean(),
        async (sequence, isHeld) => {
          const run = await beginRun(places[isHeld ? 1 : 0]);
          for (const act of sequence) {
            await perform(run, act);
            await watch(run);
          }
          await drain(run);
          await assertConserved(run);
          runs += 1;
          deaths += run.deaths;
        },
      ),
      {
        numRuns,
        endOnFailure: true,
        examples: [
          [usual, false],
          [mortal, false],
          [mortal, true],
          [answered, false],
        ],
      },
    );
    expect(runs).toBe(numRuns);
    // Enough has happened for all of this to mean something.
    expect(deaths).toBeGreaterThan(numRuns);
    expect(await collection('refunds').countDocuments({ state: 'succeeded' })).toBeGreaterThan(0);
    expect(await collection('payouts').countDocuments({ state: 'paid' })).toBeGreaterThan(0);
    for (const state of ['lost', 'split'])
      expect([state, await collection('disputes').countDocuments({ state })]).not.toEqual([state, 0]);
  }, 600_000);

  test('receipts have no gap over all of it', async () => {
    for (const { shop } of places) {
      const paid = await collection('payments')
        .find({ installationId: shop.installation.id, receiptNumber: { $type: 'string' } })
        .toArray();
      const numbers = paid.map(({ receiptNumber }) => String(receiptNumber)).sort();
      expect(numbers.length).toBeGreaterThan(0);
      const [first = ''] = numbers;
      expect(numbers).toEqual(
        numbers.map((_, at) => `${first.slice(0, 5)}${String(at + 1).padStart(6, '0')}`),
      );
    }
  }, 60_000);
}
