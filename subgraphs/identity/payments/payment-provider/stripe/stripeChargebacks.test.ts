import { openStripeServer, type StripeServer } from '../../../../../test/support/servers/openStripeServer.ts';
import type { ProviderChargebacks } from '../ProviderChargebacks.ts';
import { openStripe } from './openStripe.ts';
import { stripeChargebacks } from './stripeChargebacks.ts';

const clock = { aheadMs: 0 };
const dayMs = 24 * 3_600_000;
let server: StripeServer;
let chargebacks: ProviderChargebacks;
beforeAll(async () => {
  server = await openStripeServer(() => Date.now() + clock.aheadMs);
  chargebacks = stripeChargebacks(openStripe({ secretKey: server.secretKey, apiBase: server.baseUrl }));
});
afterAll(() => server.close());

let last = 0;
/** A captured charge; answers the id of its payment intent. */
function charge(amount: number, currency = 'eur'): string {
  const id = `pi_${(last += 1)}`;
  const facts = { status: 'succeeded', amount, amount_received: amount, currency, metadata: {} };
  server.objects.set(id, { id, object: 'payment_intent', ...facts });
  return id;
}
const eur = (amount: number) => ({ amount, currency: 'EUR' });

test('a dispute is read with what it took and returned, and its fee', async () => {
  const intent = charge(10_000);
  const { id } = server.dispute(intent, { amount: 4000 });
  const taken = { ref: expect.stringMatching(/^txn_/), amount: -4000, fee: eur(1500) };
  expect(await chargebacks.read(id)).toEqual({
    ref: id,
    paymentRef: intent,
    state: 'open',
    ...eur(4000),
    reason: 'fraudulent',
    respondBy: expect.any(Date),
    movements: [taken],
  });
  server.setDispute(id, 'won');
  const returned = { ref: expect.stringMatching(/^txn_/), amount: 4000, fee: eur(0) };
  expect(await chargebacks.read(id)).toMatchObject({ state: 'won', movements: [taken, returned] });
});

test.each([
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
  ['warning_closed', 'closed'],
  ['prevented', 'closed'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['invented_tomorrow', 'open'],
])('a dispute that is %s at Stripe is %s here', async (status, state) => {
  const dispute = server.dispute(charge(100), { isInquiry: true });
  server.objects.set(dispute.id, { ...dispute, status });
  expect(await chargebacks.read(dispute.id)).toMatchObject({ state, movements: [] });
});

test('what a converting account takes counts in the currency of the payment, and the fee in that of the account', async () => {
  const dispute = server.dispute(charge(500_000, 'isk'), { amount: 300_000, isInquiry: true });
  const moved = { object: 'balance_transaction', currency: 'eur', exchange_rate: 0.0067 };
  const balance_transactions = [
    { ...moved, id: 'txn_a', amount: -2010, fee: 1500, net: -3510 },
    { ...moved, id: 'txn_b', amount: 1990, fee: -1500, net: 3490 },
  ];
  server.objects.set(dispute.id, { ...dispute, status: 'won', balance_transactions });
  expect(await chargebacks.read(dispute.id)).toMatchObject({
    amount: 3000,
    currency: 'ISK',
    movements: [
      { ref: 'txn_a', amount: -3000, fee: eur(1500) },
      { ref: 'txn_b', amount: 3000, fee: eur(-1500) },
    ],
  });
});

test('disputes since a time are listed, those without a payment intent and without a deadline too', async () => {
  server.dispute(charge(100));
  clock.aheadMs += 2 * dayMs;
  const since = new Date(Date.now() + clock.aheadMs - dayMs);
  const dispute = server.dispute(charge(100));
  const bare = { payment_intent: null, evidence_details: { due_by: null } };
  server.objects.set('dp_bare', { ...dispute, id: 'dp_bare', ...bare });
  expect(await chargebacks.list(since)).toMatchObject([
    { ref: 'dp_bare', paymentRef: null, respondBy: null },
    { ref: dispute.id, paymentRef: dispute.payment_intent },
  ]);
});

test('a dispute that Stripe does not know is missing', async () => {
  await expect(chargebacks.read('dp_none')).rejects.toMatchObject({ kind: 'missing' });
});
