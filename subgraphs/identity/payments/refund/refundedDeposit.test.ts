import { collection } from '../../../../test/authorization/world/collection.ts';
import { makeSale } from '../../../../test/crashes/moneyWorld.ts';
import { keepCard } from '../../../../test/money/MoneyRun.ts';
import { loggedErrors } from '../../../../test/support/loggedErrors.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import type { StripeObject } from '../../../../test/support/servers/openStripeStore.ts';
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

const pay = async (purpose: 'DEPOSIT' | 'PURCHASE', payer = buyer) => {
  const paymentMethodId = await keepCard({ ...world, finance }, 'pm_card_visa', payer);
  return payer.createPayment({ purpose, listingId, paymentMethodId, ...key() });
};
const payDeposit = (payer = buyer) => pay('DEPOSIT', payer);
const refund = async (paymentId: string, amount?: number) =>
  garage.owner.createRefund({
    paymentId,
    reason: 'OTHER',
    ...(amount !== undefined && { amount: { amount, currency: 'EUR' } }),
    ...key(),
  });
/** Sends an event of Stripe about an object, and processes it. */
const tell = async (object: StripeObject) => {
  const { body, signature } = world.stripe.event(object);
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  await market.visitor.receivePaymentEvent(event);
  for (const job of ['payment-events', 'chargebacks']) await world.stack.runJob(`identity.${job}`);
};
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
  await tell(intent ?? { id: '', object: '' });
  expect(await buyer.payment({ paymentId: begun.payment.id })).toMatchObject({
    state: 'CANCELED',
    failure: { code: 'listing_not_available' },
  });
  expect(await listing()).toMatchObject(held(id));
});

/** Leaves a deposit with the dealer, after a purchase that did not subtract it. */
const changesOfMind: Record<string, (paymentId: string) => Promise<() => Promise<unknown>>> = {
  async 'a refund that Stripe refuses'(paymentId) {
    world.stripe.faults = ['error'];
    expect((await refund(paymentId)).refund).toMatchObject({ state: 'PENDING' });
    return async () => {
      world.stripe.faults = ['refuse'];
      await collection('refunds').updateMany({ paymentId }, { $set: { dueAt: new Date(0) } });
      await world.stack.runJob('identity.refunds');
    };
  },
  async 'a chargeback that the bank decides for the dealer'(paymentId) {
    const stored = await collection('payments').findOne({ _id: paymentId });
    const dispute = world.stripe.dispute(String(stored?.providerRef));
    await tell(dispute);
    return () => tell(world.stripe.setDispute(dispute.id, 'won'));
  },
};

test.each(Object.keys(changesOfMind))(
  'a deposit that a purchase did not subtract is in the log if it stays with the dealer after %s',
  async (cause) => {
    const { id: paymentId, amount: deposit } = (await payDeposit()).payment;
    const decide = await changesOfMind[cause]?.(paymentId);
    const { payment: purchase } = await pay('PURCHASE');
    expect(purchase).toMatchObject({ state: 'SUCCEEDED', amount: price });
    const errors = await loggedErrors(world.stack, async () => decide?.());
    const subject = { paymentId, purchaseId: purchase.id, ...deposit };
    expect(errors).toEqual([[subject, expect.stringContaining('pays more than the price')]]);
  },
);
