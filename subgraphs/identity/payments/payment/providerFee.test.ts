import { collection } from '../../../../test/authorization/world/collection.ts';
import { loggedErrors } from '../../../../test/support/loggedErrors.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { feeOf } from '../../../../test/support/servers/stripeMoney.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { proveLedger } from '../ledger/proveLedger.ts';

const world = stripeProduct();
const { market } = world;
const dayMs = 24 * 3_600_000;
let garage: SeededDealer;
let buyer: SeededUser;
beforeAll(async () => {
  [garage, buyer] = [await payableDealer(market), await market.user()];
});
afterEach(async () => {
  world.stripe.hidesFees = false;
  world.stack.resetClock();
  const { mismatches } = await proveLedger(market.installation.id);
  expect(mismatches).toEqual([]);
});

/** A purchase with a card, captured automatically. */
async function buy() {
  const { id: listingId } = await garage.listing({ published: true, price });
  const order = { purpose: 'PURCHASE', listingId, idempotencyKey: unique('key') } as const;
  const { id } = (await buyer.createPayment(order)).payment;
  world.stripe.confirm(String((await stored(id))?.providerRef), 'pm_card_visa');
  await collection('payments').updateOne({ _id: id }, { $set: { checkAt: new Date(0) } });
  await check();
  expect(await stored(id)).toMatchObject({ state: 'succeeded' });
  return id;
}
const stored = (_id: string) => collection('payments').findOne({ _id });
const check = () => world.stack.runJob('identity.payment-checks');
const feesOf = (paymentId: string) =>
  collection('ledger_transactions').find({ paymentId, kind: 'provider_fee' }).toArray();
const fee = { amount: feeOf(price.amount), currency: 'EUR' };
const postings = [
  { account: 'provider_fees', currency: 'EUR', amount: -fee.amount },
  { account: 'psp_clearing', currency: 'EUR', amount: fee.amount },
];
async function assertSameMoney(): Promise<void> {
  const { house } = await proveLedger(market.installation.id);
  const cleared = house.find(({ account }) => account === 'psp_clearing');
  expect(-(cleared?.amount ?? 0)).toBe(world.stripe.balance(null, 'eur'));
}

test('the fee of a capture is booked with it, and no refund returns it', async () => {
  const paymentId = await buy();
  expect(await stored(paymentId)).toMatchObject({ providerFee: fee });
  expect(await feesOf(paymentId)).toMatchObject([{ dealerId: null, postings }]);
  await assertSameMoney();
  const refund = { paymentId, reason: 'OTHER', idempotencyKey: unique('key') } as const;
  expect(await garage.owner.createRefund(refund)).not.toBeRefused();
  await world.stack.runJob('identity.refunds');
  expect(await feesOf(paymentId)).toHaveLength(1);
  await assertSameMoney();
});

test('a fee that the provider states later is booked once it is known', async () => {
  world.stripe.hidesFees = true;
  const paymentId = await buy();
  for (let hour = 0; hour < 3; hour += 1) {
    world.stack.advance(3_600_000);
    await check();
    expect(await feesOf(paymentId)).toEqual([]);
  }
  world.stripe.hidesFees = false;
  world.stack.advance(3_600_000);
  await check();
  expect(await stored(paymentId)).toMatchObject({ providerFee: fee, checkAt: null });
  await check();
  expect(await feesOf(paymentId)).toMatchObject([{ postings }]);
  await assertSameMoney();
});

test('a fee that the provider does not state within a week is given up and reported in the log', async () => {
  world.stripe.hidesFees = true;
  const paymentId = await buy();
  const errors = await loggedErrors(world.stack, async () => {
    world.stack.advance(8 * dayMs);
    await check();
    await check();
  });
  expect(await stored(paymentId)).toMatchObject({ providerFee: null, checkAt: null });
  expect(errors).toEqual([[{ paymentId }, expect.stringContaining('fee')]]);
  world.stripe.hidesFees = false;
});

test('a capture at the provider of a payment that ended here books no fee and is reported in the log', async () => {
  const { id: listingId } = await garage.listing({ published: true, price });
  const order = { purpose: 'PURCHASE', listingId, idempotencyKey: unique('key') } as const;
  const { id: paymentId } = (await buyer.createPayment(order)).payment;
  await buyer.cancelPayment({ paymentId });
  const canceled = await stored(paymentId);
  expect(canceled).toMatchObject({ state: 'canceled' });
  const captured = world.stripe.objects.get(String((await stored(await buy()))?.providerRef));
  const ended = world.stripe.objects.get(String(canceled?.providerRef));
  if (!captured || !ended) throw new Error('a payment intent is missing');
  const intent = { ...captured, id: ended.id, metadata: ended.metadata };
  world.stripe.objects.set(ended.id, intent);
  const { body, signature } = world.stripe.event(intent, { type: 'payment_intent.succeeded' });
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  const errors = await loggedErrors(world.stack, async () => {
    await market.visitor.receivePaymentEvent(event);
    await world.stack.runJob('identity.payment-events');
  });
  expect(await feesOf(paymentId)).toEqual([]);
  expect(await stored(paymentId)).toMatchObject({ state: 'canceled', providerFee: null });
  const said = expect.stringContaining('captured at the provider');
  expect(errors).toEqual([[{ paymentId, state: 'canceled' }, said]]);
});
