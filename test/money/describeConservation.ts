import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { collection } from '../authorization/world/collection.ts';
import { seed } from '../support/seed.ts';
import { stripeProduct } from '../support/stripeProduct.ts';
import { acts, answered, chargedBack, mortal, sentBack, usual } from './acts.ts';
import { assertConserved } from './assertConserved.ts';
import { beginRun, type MoneyPlace, type MoneyRun } from './MoneyRun.ts';
import { perform, runJobs, setAccount } from './perform.ts';
import { watch } from './watch.ts';

/** Completes all pending operations, without faults of the provider. */
export async function drain(run: MoneyRun): Promise<void> {
  run.stripe.faults = [];
  await setAccount(run, 'active');
  for (let round = 0; round < 5; round += 1) {
    for (const one of run.stripe.objects.values())
      if (one.object === 'payout' && one.status !== 'failed') run.stripe.setPayout(one.id, 'paid');
    await runJobs(run);
  }
  await watch(run);
}

/** Number of random sequences, and the time that they may take together. */
interface Extent {
  /** The test fails if the time ends before this number of sequences. */
  readonly leastRuns: number;
  readonly mostRuns: number;
  readonly limitMs: number;
}

/**
 * Declares the test that random sequences of operations, deaths and provider faults conserve money. It prints its seed;
 * `SEED` repeats the sequences of a seed.
 */
export function describeConservation({ leastRuns, mostRuns, limitMs }: Extent): void {
  const world = stripeProduct();
  const patienceMs = limitMs + 60_000;
  /** An installation whose earnings are available at once, and one where they are after a week. */
  let places: readonly MoneyPlace[];
  beforeAll(async () => {
    const { stack, stripe } = world;
    // Money that banks withdraw after its payout would be missing for the payouts of other dealers.
    const topUp = { id: 'tu_1', object: 'topup', amount: 100_000_000, currency: 'eur' };
    stripe.objects.set(topUp.id, topUp);
    const open = async (earningsHeldDays: number): Promise<MoneyPlace> => {
      const market = await seed(stack).installation({ settings: { earningsHeldDays } });
      return { stack, stripe, market, finance: await market.staff('finance') };
    };
    places = [await open(0), await open(7)];
  });

  test(
    'random operations, process deaths and provider faults conserve money and keep every state legal',
    async () => {
      let [runs, deaths] = [0, 0];
      const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
      const sequences = fc.array(acts, { minLength: 10, maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(sequences, fc.boolean(), async (sequence, isHeld) => {
          const run = await beginRun(places[isHeld ? 1 : 0] as MoneyPlace);
          for (const act of sequence) {
            await perform(run, act);
            await watch(run);
          }
          await drain(run);
          await assertConserved(run);
          runs += 1;
          deaths += run.deaths;
        }),
        {
          seed,
          numRuns: mostRuns,
          // A machine that is slower than others runs fewer sequences instead of failing.
          interruptAfterTimeLimit: limitMs,
          endOnFailure: true,
          examples: [
            [usual, false],
            [mortal, false],
            [mortal, true],
            [answered, false],
            [sentBack, false],
            [chargedBack, false],
          ],
        },
      );
      process.stdout.write(`SEED=${seed}: ${runs} random sequences, ${deaths} deaths\n`);
      // The runs prove something only if enough operations and deaths occurred.
      expect(runs).toBeGreaterThanOrEqual(leastRuns);
      expect(deaths).toBeGreaterThan(runs);
      for (const [name, state] of [
        ['refunds', 'succeeded'],
        ['payouts', 'paid'],
        ['payouts', 'canceled'],
        ['disputes', 'lost'],
        ['disputes', 'split'],
        ['chargebacks', 'won'],
        ['chargebacks', 'lost'],
      ] as const)
        expect([name, state, await collection(name).countDocuments({ state })]).not.toContain(0);
      const bought = { purpose: 'purchase', state: 'succeeded', depositsDeducted: { $gt: 0 } };
      expect(await collection('payments').countDocuments(bought)).toBeGreaterThan(0);
      for (const { market } of places) await assertReceipts(market.installation.id);
    },
    patienceMs,
  );
}

/** The receipts of an installation have no gaps. */
async function assertReceipts(installationId: string): Promise<void> {
  const ofOne = { installationId, receiptNumber: { $type: 'string' } };
  const paid = await collection('payments').find(ofOne).sort({ receiptNumber: 1 }).toArray();
  expect(paid.length).toBeGreaterThan(0);
  const year = String(paid[0]?.receiptNumber).slice(0, 5);
  expect(paid.map(({ receiptNumber }) => receiptNumber)).toEqual(
    paid.map((_, at) => `${year}${String(at + 1).padStart(6, '0')}`),
  );
}
