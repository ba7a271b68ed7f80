import { collection } from '../authorization/world/collection.ts';
import { seed } from '../support/seed.ts';
import { stripeProduct } from '../support/stripeProduct.ts';
import type { Doing } from './acts.ts';
import { assertConserved } from './assertConserved.ts';
import { drain } from './describeConservation.ts';
import { beginRun, type MoneyPlace } from './MoneyRun.ts';
import { perform } from './perform.ts';

const world = stripeProduct();
let place: MoneyPlace;
beforeAll(async () => {
  const market = await seed(world.stack).installation({ settings: { earningsHeldDays: 0 } });
  place = { stack: world.stack, stripe: world.stripe, market, finance: await market.staff('finance') };
});

const [pay, payout, jobs] = [
  { do: 'pay', listing: 0, manual: false, card: 'pm_card_visa' },
  { do: 'payout', part: 100 },
  { do: 'jobs' },
] as const;
const bank = (status: 'paid' | 'failed') => ({ do: 'bank', payout: 0, status }) as const;

/** Operations before the jobs die, and a final state of the payouts. */
const table: readonly { name: string; before: readonly Doing[]; state: string }[] = [
  { name: 'is sent', before: [pay, payout], state: 'paid' },
  { name: 'is returned by the bank', before: [pay, payout, jobs, bank('failed')], state: 'paid' },
  { name: 'is canceled', before: [pay, payout, jobs, bank('failed'), jobs], state: 'canceled' },
  {
    name: 'is returned after it was paid',
    before: [pay, payout, jobs, bank('paid'), jobs, bank('failed')],
    state: 'paid',
  },
];

test.each(table)(
  'ledger and Stripe balances are equal if a process dies at any write while a payout $name',
  async ({ before, state }) => {
    const states = new Set<unknown>();
    let [isDead, write] = [true, 0];
    for (; isDead; write += 1) {
      for (const isBehind of [false, true]) {
        const run = await beginRun(place, 1);
        for (const doing of before) await perform(run, { ...doing, death: null });
        await perform(run, { ...jobs, death: { write, isBehind } });
        isDead = run.deaths > 0;
        await drain(run);
        await assertConserved(run);
        const payouts = await collection('payouts').find({ dealerId: run.garage.id }).toArray();
        expect(payouts).toHaveLength(1);
        states.add(payouts[0]?.state);
      }
    }
    expect([...states]).toContain(state);
    // A payout has more writes than this.
    expect(write).toBeGreaterThan(2);
  },
  60_000,
);
