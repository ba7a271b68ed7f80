import type { Cut } from './Cut.ts';
import {
  assertProven,
  type Crash,
  collection,
  type Form,
  makeSale,
  moneyWorld,
  paidAmount,
  patienceMs,
  waitFor,
} from './moneyWorld.ts';

const amount = 4000;
const before = (write: string): Cut => ({ write });

const points: readonly Omit<Crash, 'order'>[] = [
  { name: 'not counted', cut: before('payments.findOneAndUpdate'), isRepeated: true },
  { name: 'stored, not in the balance', cut: before('ledger_balances.findOneAndUpdate'), isRepeated: true },
  {
    name: 'in the balance, not in the journal',
    cut: before('ledger_transactions.insertOne'),
    isRepeated: true,
  },
  { name: 'not committed', cut: before('transaction.commit'), isRepeated: true },
  { name: 'committed', cut: { write: 'transaction.commit', isBehind: true }, isRepeated: true },
  {
    name: 'committed, not repeated',
    cut: { write: 'transaction.commit', isBehind: true },
    isRepeated: false,
  },
  { name: 'refunded, not recorded', cut: before('refunds.findOneAndUpdate'), isRepeated: true },
  { name: 'refunded, not repeated', cut: before('refunds.findOneAndUpdate'), isRepeated: false },
  { name: 'in the journal, not audited', cut: before('audit_events.insertOne'), isRepeated: true },
  { name: 'done, not answered', cut: before('idempotency_keys.findOneAndUpdate'), isRepeated: true },
];

/** Declares the test of processes that end at every point of a refund. */
export function describeRefundCrashes(form: Form): void {
  const world = moneyWorld(form);

  test(
    'a refund is executed once if its process is killed at any point',
    async () => {
      const body = { reason: 'other', amount: { amount, currency: 'EUR' } };
      const crashes = await Promise.all(
        points.map(async (point) => {
          const sale = await makeSale(world);
          const path = `payments/${sale.paymentId}/refunds`;
          return { ...point, sale, order: { path, by: sale.garage.owner, body } };
        }),
      );
      await world.crash(crashes);
      const settled = await waitFor(async () => {
        const all = await collection('refunds').find({}).toArray();
        return all.every(({ state }) => state === 'succeeded') && all;
      });
      expect(settled).toHaveLength(points.length);
      for (const { name, sale } of crashes) {
        const { paymentId, intentId, garage } = sale;
        const refund = settled.find((one) => one.paymentId === paymentId);
        const made = [...world.stripe.objects.values()].filter((one) => one.payment_intent === intentId);
        expect([name, made]).toMatchObject([name, [{ id: refund?.ref, amount }]]);
        const payment = await collection('payments').findOne({ _id: paymentId });
        expect(payment).toMatchObject({ amountRefunded: amount });
        const booked = await collection('ledger_transactions').find({ paymentId }).toArray();
        expect(booked.map(({ kind }) => String(kind)).sort()).toEqual(['charge', 'fee', 'refund']);
        // The part that is not refunded, minus its commission.
        const available = paidAmount - amount - 1000 + refund?.feeAmount + refund?.feeTaxAmount;
        expect(await collection('ledger_balances').findOne({ dealerId: garage.id })).toMatchObject({
          accounts: { pending: 0, available, held: 0, in_payout: 0 },
        });
      }
      await assertProven(world);
    },
    patienceMs,
  );
}
