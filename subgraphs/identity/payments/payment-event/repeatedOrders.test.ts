import { collection } from '../../../../test/authorization/world/collection.ts';
import { keepCard } from '../../../../test/money/MoneyRun.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import type { StripeFault } from '../../../../test/support/servers/openStripeServer.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';

// Orders whose answer was lost, or was an error: Stripe repeats the answer under the same key for a day.
const world = stripeProduct({ timeoutMs: 300 });
const { market } = world;
let garage: SeededDealer;
let buyer: SeededUser;
beforeAll(async () => {
  garage = await payableDealer(market);
});
beforeEach(async () => {
  buyer = await market.user();
});

/** A payment whose order meets a fault, with a kept card if one is stated. */
async function payMeeting(fault: StripeFault, card: string | null) {
  const finance = buyer;
  const paymentMethodId = card && (await keepCard({ ...world, finance }, card, buyer));
  const { id: listingId } = await garage.listing({ published: true, price });
  const order = { purpose: 'DEPOSIT', listingId, paymentMethodId } as const;
  world.stripe.faults = [fault];
  const { payment } = await buyer.createPayment({ ...order, idempotencyKey: unique('key') });
  expect(payment).toMatchObject({ state: 'REQUIRES_PAYMENT_METHOD', pending: true });
  return { id: payment.id, listingId };
}
const read = (paymentId: string) => buyer.payment({ paymentId });
const checkPayments = async (times = 1) => {
  for (let time = 0; time < times; time += 1) {
    const isDue = { checkAt: { $type: 'date' } } as const;
    await collection('payments').updateMany(isDue, { $set: { checkAt: new Date(0) } });
    await world.stack.runJob('identity.payment-checks');
  }
};
/** Intents of a payment that hold or have taken money of the payer. */
const heldBy = (paymentId: string) =>
  [...world.stripe.objects.values()].filter(
    ({ metadata, status }) =>
      metadata?.paymentId === paymentId && (status === 'requires_capture' || status === 'succeeded'),
  );

test.each(['storedError', 'lateError'] as const)(
  'an order with a kept card that meets an error which Stripe keeps (%s) is paid within minutes, once',
  async (fault) => {
    const { id } = await payMeeting(fault, 'pm_card_visa');
    await checkPayments();
    expect(await read(id)).toMatchObject({ state: 'SUCCEEDED', pending: false });
    expect(heldBy(id)).toMatchObject([{ status: 'succeeded' }]);
  },
);

test.each(['storedError', 'lateError'] as const)(
  'an order without a card that meets an error which Stripe keeps (%s) can be paid within minutes',
  async (fault) => {
    const { id } = await payMeeting(fault, null);
    await checkPayments();
    expect(await read(id)).toMatchObject({ state: 'REQUIRES_PAYMENT_METHOD', pending: false });
    const stored = await collection('payments').findOne({ _id: id });
    const intent = world.stripe.objects.get(String(stored?.providerRef));
    expect((await read(id)).clientSecret).toBe(intent?.client_secret);
  },
);

test.each(['silent', 'error'] as const)(
  'an order whose answer is lost (%s) is completed although the title of the listing has changed since',
  async (fault) => {
    const { id, listingId } = await payMeeting(fault, 'pm_card_visa');
    const title = 'Volvo 145, one owner';
    await collection('listings').updateOne({ _id: listingId }, { $set: { title, 'published.title': title } });
    await checkPayments();
    expect(await read(id)).toMatchObject({ state: 'SUCCEEDED', pending: false });
    expect(heldBy(id)).toMatchObject([{ status: 'succeeded' }]);
  },
);

test('an order without a card can be paid although the title of the listing has changed since', async () => {
  const { id, listingId } = await payMeeting('silent', null);
  const title = 'Volvo 145, one owner';
  await collection('listings').updateOne({ _id: listingId }, { $set: { title, 'published.title': title } });
  await checkPayments(2);
  expect(await read(id)).toMatchObject({ state: 'REQUIRES_PAYMENT_METHOD', pending: false });
});

test('an order that Stripe refuses over a revoked key is completed once the key is replaced', async () => {
  const { id } = await payMeeting('revokedKey', 'pm_card_visa');
  await checkPayments();
  expect(await read(id)).toMatchObject({ state: 'SUCCEEDED', pending: false });
});

test('a payment whose card is deleted before its lost order is repeated ends, and the money that the order blocked is released', async () => {
  const { id } = await payMeeting('silent', 'pm_card_visa');
  // A deletion that was checked before the payment was stored.
  await collection('payment_methods').deleteOne({ userId: buyer.id });
  await checkPayments(2);
  expect(await read(id)).toMatchObject({ state: 'CANCELED', pending: false });
  const [intent, ...others] = heldBy(id);
  expect(others).toEqual([]);
  if (!intent) throw new Error('The first order has blocked nothing.');
  const { body, signature } = world.stripe.event(intent);
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  await market.visitor.receivePaymentEvent(event);
  await world.stack.runJob('identity.payment-events');
  expect(heldBy(id)).toEqual([]);
  expect(world.stripe.objects.get(intent.id)).toMatchObject({ status: 'canceled' });
});
