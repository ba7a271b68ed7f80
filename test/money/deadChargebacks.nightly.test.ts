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

const pay = { do: 'pay', listing: 0, manual: false, card: 'pm_card_visa' } as const;
const jobs = { do: 'jobs' } as const;
const chargeBack = { do: 'chargeback', payment: 0, part: 70, isInquiry: false } as const;
const win = { do: 'judge', chargeback: 0, isWon: true } as const;
const dispute = { do: 'dispute', payment: 0, part: 80 } as const;
const refund = { do: 'refund', payment: 0, part: 30 } as const;
const fail = { do: 'fault', faults: ['error', 'error'] } satisfies Doing;

/** Operations before the jobs die, and the resulting ledger transactions of the payment besides its capture. */
const table: readonly { name: string; before: readonly Doing[]; booked: readonly string[] }[] = [
  { name: 'withdraws money', before: [pay, chargeBack], booked: ['chargeback', 'chargeback_fee'] },
  {
    name: 'ends a dispute',
    before: [pay, dispute, chargeBack],
    booked: ['chargeback', 'chargeback_fee', 'dispute_hold', 'dispute_release'],
  },
  {
    name: 'returns money',
    before: [pay, chargeBack, jobs, win],
    booked: ['chargeback', 'chargeback_fee', 'chargeback_won'],
  },
  {
    name: 'precedes a refund that was not sent',
    before: [pay, fail, refund, chargeBack],
    booked: ['chargeback', 'chargeback_fee', 'refund', 'refund_failure'],
  },
];

test.each(table)(
  'ledger and Stripe balances are equal if a process dies at any write while a chargeback $name',
  async ({ before, booked }) => {
    let [isDead, write] = [true, 0];
    for (; isDead; write += 1) {
      for (const isBehind of [false, true]) {
        const run = await beginRun(place, 1);
        for (const doing of before) await perform(run, { ...doing, death: null });
        await perform(run, { ...jobs, death: { write, isBehind } });
        isDead = run.deaths > 0;
        await drain(run);
        await assertConserved(run);
        const dealerId = run.garage.id;
        expect(await collection('chargebacks').countDocuments({ dealerId })).toBe(1);
        const { _id: paymentId } = (await collection('payments').findOne({ 'payee.id': dealerId })) ?? {};
        const kinds = await collection('ledger_transactions').find({ paymentId }).toArray();
        const expected = [...booked, 'charge', 'fee', 'provider_fee'].sort();
        expect([write, kinds.map(({ kind }) => String(kind)).sort()]).toEqual([write, expected]);
      }
    }
    // A chargeback has more writes than this.
    expect(write).toBeGreaterThan(2);
  },
  180_000,
);
