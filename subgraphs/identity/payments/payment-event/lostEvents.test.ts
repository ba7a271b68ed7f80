import { collection } from '../../../../test/authorization/world/collection.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';

// What a payer does in Stripe's form is known without any event.
const world = stripeProduct();
const { market } = world;
let garage: SeededDealer;
let buyer: SeededUser;
beforeAll(async () => {
  garage = await payableDealer(market);
});
beforeEach(async () => {
  buyer = await market.user();
});

/** A deposit that the payer pays in Stripe's form; no event reports it. */
async function payAtStripe(): Promise<string> {
  const { id: listingId } = await garage.listing({ published: true, price });
  const order = { purpose: 'DEPOSIT', listingId, idempotencyKey: unique('key') } as const;
  const { id } = (await buyer.createPayment(order)).payment;
  const stored = await collection('payments').findOne({ _id: id });
  world.stripe.confirm(String(stored?.providerRef), 'pm_card_visa');
  return id;
}
const stored = (_id: string) => collection('payments').findOne({ _id });
const later = async (times: { checkAt?: Date; endsAt?: Date }, paymentId: string) => {
  await collection('payments').updateOne({ _id: paymentId }, { $set: times });
};
const pause = new Date(Date.now() + 3_600_000);

test('a payment whose event is lost is completed by the job', async () => {
  const id = await payAtStripe();
  world.stack.advance(61_000);
  await world.stack.runJob('identity.payment-checks');
  world.stack.resetClock();
  expect(await stored(id)).toMatchObject({ state: 'succeeded', operation: null, checkAt: null });
});

test('a payment whose event is lost is completed when its payer reads it', async () => {
  const id = await payAtStripe();
  await later({ checkAt: new Date(0) }, id);
  expect(await buyer.payment({ paymentId: id })).toMatchObject({ state: 'SUCCEEDED', pending: false });
});

test('a payment that was paid in its last moments is completed and not canceled', async () => {
  const id = await payAtStripe();
  await later({ checkAt: pause, endsAt: new Date(0) }, id);
  await world.stack.runJob('identity.payment-ends');
  expect(await stored(id)).toMatchObject({ state: 'succeeded', operation: null });
});

test('a payment that its payer leaves is read ever less often and canceled after a day', async () => {
  const { id: listingId } = await garage.listing({ published: true, price });
  const order = { purpose: 'DEPOSIT', listingId, idempotencyKey: unique('key') } as const;
  const { id } = (await buyer.createPayment(order)).payment;
  for (let check = 1; check <= 3; check += 1) {
    await later({ checkAt: new Date(0) }, id);
    await world.stack.runJob('identity.payment-checks');
    expect(await stored(id)).toMatchObject({ state: 'requires_payment_method', checks: check });
  }
  await later({ endsAt: new Date(0) }, id);
  await world.stack.runJob('identity.payment-ends');
  expect(await stored(id)).toMatchObject({ state: 'canceled', checkAt: null });
});

test('a payment that cannot be worked on does not keep other payments waiting', async () => {
  const [bad, good] = [await payAtStripe(), await payAtStripe()];
  await collection('payments').updateOne(
    { _id: bad },
    { $set: { provider: 'unknown', checkAt: new Date(0) } },
  );
  await later({ checkAt: new Date(1) }, good);
  await world.stack.runJob('identity.payment-checks');
  expect(await stored(good)).toMatchObject({ state: 'succeeded' });
  await collection('payments').updateOne({ _id: bad }, { $set: { provider: 'stripe' } });
});
