import { randomUUID } from 'node:crypto';
import type { Cut } from './Cut.ts';
import {
  collection,
  type Form,
  type MoneyWorld,
  openMoneyWorld,
  paidAmount,
  patienceMs,
  type Sale,
  waitFor,
} from './MoneyWorld.ts';

let world: MoneyWorld;

const amount = 4000;

/** Points of a refund at which its process ends: before which write, and whether anybody asks again. */
const points: readonly { name: string; cut: Cut; isRepeated: boolean }[] = [
  { name: 'written down', cut: { write: 'ledger_balances.findOneAndUpdate' }, isRepeated: true },
  {
    name: 'the same, and nobody asks again',
    cut: { write: 'ledger_balances.findOneAndUpdate' },
    isRepeated: false,
  },
  {
    name: 'in the balance, not in the journal',
    cut: { write: 'ledger_transactions.insertOne' },
    isRepeated: true,
  },
  {
    name: 'in the journal, not known as funded',
    cut: { write: 'refunds.findOneAndUpdate' },
    isRepeated: true,
  },
  {
    name: 'made by the provider, not known',
    cut: { write: 'refunds.findOneAndUpdate', nth: 2 },
    isRepeated: true,
  },
  {
    name: 'the same, and nobody asks again',
    cut: { write: 'refunds.findOneAndUpdate', nth: 2 },
    isRepeated: false,
  },
  { name: 'known, not in the audit', cut: { write: 'audit_events.insertOne' }, isRepeated: true },
  { name: 'done, not answered', cut: { write: 'idempotency_keys.findOneAndUpdate' }, isRepeated: true },
];

const orderOf = ({ paymentId, garage }: Sale, key: string) => ({
  path: `payments/${paymentId}/refunds`,
  token: garage.owner.token,
  key,
  body: { reason: 'other', amount: { amount, currency: 'EUR' } },
});

/**
 * Declares the tests of processes that end at a point of a refund.
 *
 * @param isWhole every point; otherwise one of them
 */
export function describeRefundCrashes(form: Form, isWhole = true): void {
  const wanted = isWhole ? points : points.slice(4, 5);
  beforeAll(async () => {
    world = await openMoneyWorld(form);
  }, patienceMs);
  afterAll(() => world.close(), patienceMs);

  test(
    'a process that is killed at any point of a refund loses nothing and gives nothing back twice',
    async () => {
      const orders = [];
      for (const point of wanted) {
        const sale = await world.sale();
        orders.push({ ...point, sale, order: orderOf(sale, randomUUID()) });
      }
      const victim = await world.startProduct(wanted.map(({ cut }) => cut));
      const client = world.clientOf(victim);
      for (const { order } of orders) await world.sendUntilCut(client, order);
      await victim.kill();

      const second = world.clientOf(await world.startProduct());
      const ids = new Set<string>();
      for (const { name, order, isRepeated } of orders) {
        if (!isRepeated) continue;
        const answer = await world.sendUntilDone(second, order);
        expect([name, answer.status, answer.text]).toEqual([name, 201, expect.anything()]);
        ids.add(answer.json.id);
      }
      expect(ids.size).toBe(wanted.filter(({ isRepeated }) => isRepeated).length);
      const settled = await waitFor(async () => {
        const all = await collection('refunds').find({}).toArray();
        return all.every(({ state, dueAt }) => state === 'succeeded' && dueAt === null) && all;
      });
      expect(settled).toHaveLength(wanted.length);
      for (const { name, sale } of orders) {
        const [refund] = settled.filter(({ paymentId }) => paymentId === sale.paymentId);
        const made = [...world.stripe.objects.values()].filter(
          ({ payment_intent }) => payment_intent === sale.intentId,
        );
        expect([name, made]).toMatchObject([name, [{ id: refund?.ref, amount }]]);
        expect(await collection('payments').findOne({ _id: sale.paymentId })).toMatchObject({
          amountRefunded: amount,
        });
        const booked = await collection('ledger_transactions').find({ paymentId: sale.paymentId }).toArray();
        expect(booked.map(({ kind }) => String(kind)).sort()).toEqual(['charge', 'fee', 'refund']);
        // What is not refunded, less the commission of it.
        const left = paidAmount - amount - 1000 + refund?.feeAmount + refund?.feeTaxAmount;
        expect(await collection('ledger_balances').findOne({ dealerId: sale.garage.id })).toMatchObject({
          accounts: { pending: 0, available: left, held: 0, in_payout: 0 },
        });
      }
      await world.assertProven();
    },
    patienceMs,
  );
}
