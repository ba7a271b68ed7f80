import { collection } from '../../../../test/authorization/world/collection.ts';
import { makeSale } from '../../../../test/crashes/moneyWorld.ts';
import { keepCard } from '../../../../test/money/MoneyRun.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';

const world = stripeProduct();
const { market } = world;
const key = () => ({ idempotencyKey: unique('key') });
let garage: SeededDealer;
let buyer: SeededUser;
let finance: SeededUser;
let listingId: string;
beforeAll(async () => {
  garage = await payableDealer(market);
  finance = await market.staff('finance');
});
beforeEach(async () => {
  buyer = await market.user();
  listingId = (await garage.listing({ published: true, price })).id;
});

const payDeposit = async (payer = buyer) => {
  const paymentMethodId = await keepCard({ ...world, finance }, 'pm_card_visa', payer);
  return payer.createPayment({ purpose: 'DEPOSIT', listingId, paymentMethodId, ...key() });
};
const refund = async (paymentId: string, amount?: number) =>
  garage.owner.createRefund({
    paymentId,
    reason: 'OTHER',
    ...(amount !== undefined && { amount: { amount, currency: 'EUR' } }),
    ...key(),
  });
const listing = () => collection('listings').findOne({ _id: listingId });
const held = (paymentId: string) => ({ state: 'reserved', reservation: { paymentId } });
const free = { state: 'active', reservation: null };

test('a deposit holds its listing until all of it was refunded, and then another payer can reserve the listing', async () => {
  const { id } = (await payDeposit()).payment;
  expect(await listing()).toMatchObject(held(id));
  await refund(id, 1000);
  expect(await listing()).toMatchObject(held(id));
  expect((await refund(id)).refund).toMatchObject({ state: 'SUCCEEDED' });
  expect(await listing()).toMatchObject(free);
  const { payment } = await payDeposit(await market.user());
  expect(await listing()).toMatchObject(held(payment.id));
});

test('two refunds of a deposit that succeed at once release the listing', async () => {
  const { id } = (await payDeposit()).payment;
  for (const amount of [1000, undefined]) {
    world.stripe.faults = ['error'];
    await refund(id, amount);
  }
  await collection('refunds').updateMany({ paymentId: id }, { $set: { dueAt: new Date(0) } });
  await world.stack.runJob('identity.refunds');
  expect(await listing()).toMatchObject(free);
});

test('a deposit whose refund fails holds its listing until finance has settled the refund', async () => {
  const { id } = (await payDeposit()).payment;
  world.stripe.faults = ['error'];
  const { id: refundId } = (await refund(id)).refund;
  const failed = { state: 'failed', givenUpAt: new Date(), dueAt: null };
  await collection('refunds').updateOne({ _id: refundId }, { $set: failed });
  expect(await listing()).toMatchObject(held(id));
  expect(await finance.settleRefund({ refundId, reference: 'T 17' })).not.toBeRefused();
  expect(await listing()).toMatchObject(free);
});

test('a refund of a payment that does not hold its listing leaves the listing as it is', async () => {
  const { payment } = await payDeposit();
  const sale = await makeSale(world, garage);
  await collection('payments').updateOne({ _id: sale.paymentId }, { $set: { listingId } });
  expect((await refund(sale.paymentId)).refund).toMatchObject({ state: 'SUCCEEDED' });
  expect(await listing()).toMatchObject(held(payment.id));
});

test('a second deposit for a listing is refused while the first one stands, and canceled if it was begun before', async () => {
  const begun = await buyer.createPayment({ purpose: 'DEPOSIT', listingId, ...key() });
  const { id } = (await payDeposit()).payment;
  expect(await payDeposit()).toBeRefused(409, 'listing_not_available');
  const stored = await collection('payments').findOne({ _id: begun.payment.id });
  world.stripe.confirm(String(stored?.providerRef), 'pm_card_visa');
  const intent = world.stripe.objects.get(String(stored?.providerRef));
  const { body, signature } = world.stripe.event(intent ?? { id: '', object: '' });
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  await market.visitor.receivePaymentEvent(event);
  await world.stack.runJob('identity.payment-events');
  expect(await buyer.payment({ paymentId: begun.payment.id })).toMatchObject({
    state: 'CANCELED',
    failure: { code: 'listing_not_available' },
  });
  expect(await listing()).toMatchObject(held(id));
});
