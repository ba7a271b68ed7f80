import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { payableDealer, listingPrice as price } from '../support/people/payableDealer.ts';
import type { Cut } from './Cut.ts';
import {
  assertProven,
  type Crash,
  collection,
  type Form,
  moneyWorld,
  patienceMs,
  waitFor,
} from './moneyWorld.ts';

const before = (write: string, nth = 1): Cut => ({ write, nth });
const behind = (write: string, nth = 1): Cut => ({ write, nth, isBehind: true });

/** Each point has a separate dealer, because locks of an open transaction outlive a killed process for seconds. */
const points: readonly Omit<Crash, 'order'>[] = [
  { name: 'stored, not ordered', cut: behind('payments.insertOne'), isRepeated: true },
  { name: 'stored, not ordered or repeated', cut: behind('payments.insertOne'), isRepeated: false },
  { name: 'authorized, not recorded', cut: before('listings.updateMany'), isRepeated: true },
  { name: 'recorded, not captured', cut: behind('transaction.commit'), isRepeated: true },
  { name: 'captured, not recorded', cut: before('receipt_counters.findOneAndUpdate'), isRepeated: true },
  {
    name: 'captured, not recorded or repeated',
    cut: before('receipt_counters.findOneAndUpdate'),
    isRepeated: false,
  },
  { name: 'booked, not answered', cut: behind('transaction.commit', 2), isRepeated: false },
  { name: 'done, not answered', cut: before('idempotency_keys.findOneAndUpdate'), isRepeated: true },
  {
    name: 'in the balance, not in the journal',
    cut: before('ledger_transactions.insertOne'),
    isRepeated: true,
  },
];

/**
 * Declares the test of processes that end at a point of a payment.
 *
 * @param isWhole whether to test every point instead of a single one
 */
export function describePaymentCrashes(form: Form, isWhole = true): void {
  const wanted = isWhole ? points : points.slice(4, 5);
  const world = moneyWorld(form);
  const { market } = world;

  /** A deposit with a kept card, and with a separate dealer and payer. */
  async function deposit(point: Omit<Crash, 'order'>) {
    const [garage, buyer] = [await payableDealer(market), await market.user()];
    const { id: listingId } = await garage.listing({ published: true, price });
    const paymentMethodId = newId('paymentMethod');
    await collection('payment_methods').insertOne({
      _id: paymentMethodId,
      installationId: market.installation.id,
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
    return { ...point, garage, buyer, listingId, order: { path: 'payments', by: buyer, body } };
  }

  test(
    'a payment is created and captured once if its process is killed at any point',
    async () => {
      const deposits = await Promise.all(wanted.map(deposit));
      const { ids } = await world.crash(deposits);
      const settled = await waitFor(async () => {
        const all = await collection('payments').find({}).sort({ receiptNumber: 1 }).toArray();
        return all.every(({ state, operation }) => state === 'succeeded' && operation === null) && all;
      });
      expect(settled).toHaveLength(wanted.length);
      for (const { name, garage, buyer, listingId } of deposits) {
        const payment = settled.find((one) => one.listingId === listingId);
        const { _id, providerRef, amount, fee } = payment as (typeof settled)[number];
        expect([name, ids.get(name) ?? _id]).toEqual([name, _id]);
        const intents = [...world.stripe.objects.values()].filter(
          ({ metadata }) => metadata?.paymentId === _id,
        );
        const captured = { id: providerRef, status: 'succeeded', amount_received: amount };
        expect([name, intents]).toMatchObject([name, [captured]]);
        expect([name, world.stripe.charges.get(providerRef)]).toEqual([name, 1]);
        const booked = await collection('ledger_transactions').find({ paymentId: _id }).toArray();
        expect([name, booked.map(({ kind }) => String(kind)).sort()]).toEqual([
          name,
          ['charge', 'fee', 'provider_fee'],
        ]);
        expect(await collection('ledger_balances').findOne({ dealerId: garage.id })).toMatchObject({
          accounts: { pending: amount - fee.amount - fee.taxAmount, available: 0, held: 0, in_payout: 0 },
        });
        expect(await collection('listings').findOne({ _id: listingId })).toMatchObject({
          state: 'reserved',
          reservation: { buyerUserId: buyer.id, paymentId: _id },
        });
      }
      const year = new Date().getUTCFullYear();
      expect(settled.map(({ receiptNumber }) => receiptNumber)).toEqual(
        wanted.map((_, index) => `${year}-${String(index + 1).padStart(6, '0')}`),
      );
      await assertProven(world);
    },
    patienceMs,
  );
}
