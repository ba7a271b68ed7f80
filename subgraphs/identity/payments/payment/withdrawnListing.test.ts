import { collection } from '../../../../test/authorization/world/collection.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;
let buyer: SeededUser;
let listingId: string;
beforeEach(async () => {
  garage = await payableDealer(market);
  listingId = (await garage.listing({ published: true, price })).id;
  buyer = await market.user();
});

type Order = Pick<Parameters<SeededUser['createPayment']>[0], 'purpose' | 'promotion'>;

/** Starts a payment, and completes it at the provider after the listing was withdrawn. */
async function payAfter(withdraw: () => Promise<unknown>, order: Order, payer = buyer) {
  const { payment } = await payer.createPayment({ ...order, listingId, idempotencyKey: unique('key') });
  expect(await withdraw()).not.toBeRefused();
  await collection('provider_objects').updateOne({ ownId: payment.id }, { $set: { status: 'authorized' } });
  await collection('payments').updateOne({ _id: payment.id }, { $set: { checkAt: new Date(0) } });
  await world.stack.runJob('identity.payment-checks');
  expect(await collection('payments').findOne({ _id: payment.id })).toMatchObject({
    state: 'canceled',
    failure: { code: 'listing_withdrawn' },
    amountCaptured: 0,
  });
  expect(await collection('provider_objects').findOne({ ownId: payment.id })).toMatchObject({
    status: 'canceled',
    amountCaptured: 0,
  });
}

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'a %s that is authorized after its dealer was closed is not captured, because no payout would follow',
  async (purpose) => {
    await payAfter(() => garage.owner.closeDealer({ dealerId: garage.id }), { purpose });
    await world.stack.runJob('identity.dealer-closings');
    expect(await collection('dealers').findOne({ _id: garage.id })).toMatchObject({ state: 'closed' });
  },
);

test('a purchase that is authorized after its dealer was suspended is not captured', async () => {
  const moderator = await market.staff('moderator');
  const suspend = () => moderator.suspendDealer({ dealerId: garage.id, reason: 'Complaints' });
  await payAfter(suspend, { purpose: 'PURCHASE' });
});

test('a promotion that is authorized after its listing was archived is not captured', async () => {
  const archive = () => garage.owner.archiveListing({ listingId });
  await payAfter(archive, { purpose: 'PROMOTION', promotion: 'TOP' }, garage.owner);
});

test('a dealer is closed only if a payment that is authorized concurrently is canceled', async () => {
  const order = { purpose: 'DEPOSIT', captureMethod: 'MANUAL', listingId } as const;
  const { payment } = await buyer.createPayment({ ...order, idempotencyKey: unique('key') });
  await collection('provider_objects').updateOne({ ownId: payment.id }, { $set: { status: 'authorized' } });
  await collection('payments').updateOne({ _id: payment.id }, { $set: { checkAt: new Date(0) } });
  const [, closed] = await Promise.all([
    world.stack.runJob('identity.payment-checks'),
    garage.owner.closeDealer({ dealerId: garage.id }),
  ]);
  expect(await collection('payments').findOne({ _id: payment.id })).toMatchObject({
    state: isRefused(closed) ? 'authorized' : 'canceled',
  });
});
