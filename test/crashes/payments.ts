import { randomUUID } from 'node:crypto';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { payableDealer, listingPrice as price } from '../support/payableDealer.ts';
import type { SeededDealer, SeededUser } from '../support/seed.ts';
import type { Cut } from './Cut.ts';
import {
  collection,
  type Form,
  type MoneyWorld,
  type Order,
  openMoneyWorld,
  patienceMs,
  waitFor,
} from './MoneyWorld.ts';

let world: MoneyWorld;

/**
 * Points of a payment at which its process ends, and whether anybody asks again. None stands behind a write of a transaction
 * that is open: its locks would outlive the process, and nothing of it be there.
 */
const points: readonly { name: string; cut: Cut; isRepeated: boolean }[] = [
  {
    name: 'written down, nothing ordered',
    cut: { write: 'payments.insertOne', isBehind: true },
    isRepeated: true,
  },
  {
    name: 'the same, and nobody asks again',
    cut: { write: 'payments.insertOne', isBehind: true },
    isRepeated: false,
  },
  { name: 'authorized, not known', cut: { write: 'listings.updateMany' }, isRepeated: true },
  { name: 'known, not captured', cut: { write: 'transaction.commit', isBehind: true }, isRepeated: true },
  { name: 'captured, not known', cut: { write: 'receipt_counters.findOneAndUpdate' }, isRepeated: true },
  {
    name: 'the same, and nobody asks again',
    cut: { write: 'receipt_counters.findOneAndUpdate' },
    isRepeated: false,
  },
  { name: 'known, not in the books', cut: { write: 'ledger_balances.findOneAndUpdate' }, isRepeated: false },
  {
    name: 'in the balance, not in the journal',
    cut: { write: 'ledger_transactions.insertOne' },
    isRepeated: true,
  },
  {
    name: 'without its commission',
    cut: { write: 'ledger_balances.findOneAndUpdate', nth: 3 },
    isRepeated: false,
  },
  { name: 'in the books, not known', cut: { write: 'payments.findOneAndUpdate', nth: 3 }, isRepeated: true },
  { name: 'done, not answered', cut: { write: 'idempotency_keys.findOneAndUpdate' }, isRepeated: true },
];

interface Made {
  order: Order;
  garage: SeededDealer;
  buyer: SeededUser;
  listingId: string;
}

/** A deposit with a card that is kept; dealer and payer are nobody else's. */
async function deposit(): Promise<Made> {
  const [garage, buyer] = [await payableDealer(world.shop), await world.shop.user()];
  const { id: listingId } = await garage.listing({ published: true, price });
  const paymentMethodId = newId('paymentMethod');
  await collection('payment_methods').insertOne({
    _id: paymentMethodId,
    installationId: world.shop.installation.id,
    userId: buyer.id,
    provider: 'stripe',
    customerRef: 'cus_1',
    methodRef: 'pm_card_visa',
    state: 'active',
    type: 'card',
    createdAt: new Date(),
    updatedAt: new Date(),
  });
  const body = { purpose: 'deposit', listingId, paymentMethodId };
  return {
    garage,
    buyer,
    listingId,
    order: { path: 'payments', token: buyer.token, key: randomUUID(), body },
  };
}

/**
 * Declares the tests of processes that end at a point of a payment.
 *
 * @param isWhole every point; otherwise one of them
 */
export function describePaymentCrashes(form: Form, isWhole = true): void {
  const wanted = isWhole ? points : points.slice(4, 5);
  beforeAll(async () => {
    world = await openMoneyWorld(form);
  }, patienceMs);
  afterAll(() => world.close(), patienceMs);

  test(
    'a process that is killed at any point of a payment loses nothing and takes nothing twice',
    async () => {
      const made: Made[] = [];
      for (const _ of wanted) made.push(await deposit());
      const victim = await world.startProduct(wanted.map(({ cut }) => cut));
      const client = world.clientOf(victim);
      for (const { order } of made) await world.sendUntilCut(client, order);
      await victim.kill();

      const second = world.clientOf(await world.startProduct());
      const ids = new Map<string, string>();
      for (const [index, { name, isRepeated }] of wanted.entries()) {
        const { order, listingId } = made[index] as Made;
        if (!isRepeated) continue;
        const answer = await world.sendUntilDone(second, order);
        expect([name, answer.status, answer.text]).toEqual([name, 201, expect.anything()]);
        ids.set(listingId, answer.json.id);
      }
      const settled = await waitFor(async () => {
        const all = await collection('payments').find({}).sort({ _id: 1 }).toArray();
        return all.every(({ state, operation }) => state === 'succeeded' && operation === null) && all;
      });
      expect(settled).toHaveLength(wanted.length);
      for (const [index, { name }] of wanted.entries()) {
        const { garage, buyer, listingId } = made[index] as Made;
        const payment = settled.find((one) => one.listingId === listingId);
        const { _id, providerRef, amount, fee } = payment as (typeof settled)[number];
        expect([name, ids.get(listingId) ?? _id]).toEqual([name, _id]);
        const intents = [...world.stripe.objects.values()].filter(
          ({ metadata }) => metadata?.paymentId === _id,
        );
        expect([name, intents]).toMatchObject([
          name,
          [{ id: providerRef, status: 'succeeded', amount_received: amount }],
        ]);
        expect([name, world.stripe.charges.get(providerRef)]).toEqual([name, 1]);
        const booked = await collection('ledger_transactions').find({ paymentId: _id }).toArray();
        expect([name, booked.map(({ kind }) => String(kind)).sort()]).toEqual([name, ['charge', 'fee']]);
        expect(await collection('ledger_balances').findOne({ dealerId: garage.id })).toMatchObject({
          accounts: { pending: amount - fee.amount - fee.taxAmount, available: 0, held: 0, in_payout: 0 },
        });
        expect(await collection('listings').findOne({ _id: listingId })).toMatchObject({
          state: 'reserved',
          reservation: { buyerUserId: buyer.id, paymentId: _id },
        });
      }
      const year = new Date().getUTCFullYear();
      const receipts = settled.map(({ receiptNumber }) => receiptNumber).toSorted((a, b) => (a < b ? -1 : 1));
      expect(receipts).toEqual(wanted.map((_, index) => `${year}-${String(index + 1).padStart(6, '0')}`));
      await world.assertProven();
    },
    patienceMs,
  );
}
