import { collection } from '../authorization/world/collection.ts';
import { unique } from '../support/seed.ts';
import { dieWithin } from '../support/stack/mortality.ts';
import { stripeProduct } from '../support/stripeProduct.ts';
import { beginRun, keepCard } from './MoneyRun.ts';
import { jobs } from './perform.ts';

/** Time within which the jobs of other processes complete the operations of a killed process. */
export const promisedMs = 60_000;

/** Declares the test that kills a payment at each of its writes: before and after it, or alternately. */
export function describeDeadPayments(sides: 'before and behind' | 'before or behind'): void {
  const world = stripeProduct();
  const sidesOf = (write: number) => (sides === 'before and behind' ? [false, true] : [write % 2 === 1]);

  test('a payment whose process dies at any write is completed by the jobs within a minute', async () => {
    const { stack, stripe, market } = world;
    const sales = sidesOf(0).length * 20 + 5;
    const run = await beginRun({ stack, stripe, market, finance: await market.staff('finance') }, sales);
    let [isDead, completed] = [true, 0];
    for (let write = 0; isDead; write += 1)
      for (const isBehind of sidesOf(write)) {
        const listingId = run.listings.pop() ?? '';
        // The clock has advanced, so tokens of earlier rounds have expired.
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
        expect([place, payment]).toMatchObject([
          place,
          { state: 'succeeded', operation: null, checkAt: null },
        ]);
        expect([place, stripe.charges.get(String(payment.providerRef))]).toEqual([place, 1]);
        const booked = await collection('ledger_transactions').find({ paymentId: payment._id }).toArray();
        expect([place, booked.map(({ kind }) => String(kind)).sort()]).toEqual([
          place,
          ['charge', 'fee', 'provider_fee'],
        ]);
      }
    // A payment has at least this many writes, so the deaths covered all of it.
    expect(completed).toBeGreaterThan(10 * sidesOf(0).length);
  }, 240_000);
}
