import { collection } from '../../../../test/authorization/world/collection.ts';
import { loggedErrors } from '../../../../test/support/loggedErrors.ts';
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

type Order = Pick<Parameters<SeededUser['createPayment']>[0], 'purpose' | 'promotion' | 'captureMethod'>;

async function order(wanted: Order, payer = buyer): Promise<string> {
  const { payment } = await payer.createPayment({ ...wanted, listingId, idempotencyKey: unique('key') });
  return payment.id;
}

/** Completes a payment at the provider, as its payer does. */
async function complete(paymentId: string): Promise<void> {
  await collection('provider_objects').updateOne({ ownId: paymentId }, { $set: { status: 'authorized' } });
  await collection('payments').updateOne({ _id: paymentId }, { $set: { checkAt: new Date(0) } });
  await world.stack.runJob('identity.payment-checks');
}

async function authorize(purpose: 'DEPOSIT' | 'PURCHASE' = 'PURCHASE'): Promise<string> {
  const paymentId = await order({ purpose, captureMethod: 'MANUAL' });
  await complete(paymentId);
  return paymentId;
}

/** Starts a payment, and completes it after the listing was withdrawn. Returns it, and what the provider has of it. */
async function payAfter(withdraw: () => Promise<unknown>, wanted: Order, payer = buyer) {
  const paymentId = await order(wanted, payer);
  expect(await withdraw()).not.toBeRefused();
  await complete(paymentId);
  return [
    await collection('payments').findOne({ _id: paymentId }),
    await collection('provider_objects').findOne({ ownId: paymentId }),
  ];
}

const notCaptured = [
  { state: 'canceled', failure: { code: 'listing_withdrawn' }, amountCaptured: 0 },
  { status: 'canceled', amountCaptured: 0 },
];

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'a %s that is authorized after its dealer was closed is not captured, because no payout would follow',
  async (purpose) => {
    const close = () => garage.owner.closeDealer({ dealerId: garage.id });
    expect(await payAfter(close, { purpose })).toMatchObject(notCaptured);
    await world.stack.runJob('identity.dealer-closings');
    expect(await collection('dealers').findOne({ _id: garage.id })).toMatchObject({ state: 'closed' });
  },
);

test('a purchase that is authorized after its dealer was suspended is not captured', async () => {
  const moderator = await market.staff('moderator');
  const suspend = () => moderator.suspendDealer({ dealerId: garage.id, reason: 'Complaints' });
  expect(await payAfter(suspend, { purpose: 'PURCHASE' })).toMatchObject(notCaptured);
});

test('a suspended dealer captures no payment that was authorized before, and captures it once reinstated', async () => {
  const moderator = await market.staff('moderator');
  const paymentId = await authorize();
  await moderator.suspendDealer({ dealerId: garage.id, reason: 'Complaints' });
  const capture = () => garage.owner.capturePayment({ paymentId, idempotencyKey: unique('key') });
  expect(await capture()).toBeRefused(403, 'dealer_not_active');
  expect(await collection('provider_objects').findOne({ ownId: paymentId })).toMatchObject({
    status: 'authorized',
  });
  await moderator.reinstateDealer({ dealerId: garage.id });
  expect((await capture()).payment).toMatchObject({ state: 'SUCCEEDED' });
});

test('a promotion that is authorized after its listing was archived is not captured', async () => {
  const archive = () => garage.owner.archiveListing({ listingId });
  const wanted = { purpose: 'PROMOTION', promotion: 'TOP' } as const;
  expect(await payAfter(archive, wanted, garage.owner)).toMatchObject(notCaptured);
});

test('a dealer is closed only if a payment that is authorized concurrently is canceled', async () => {
  const paymentId = await order({ purpose: 'DEPOSIT', captureMethod: 'MANUAL' });
  const [, closed] = await Promise.all([
    complete(paymentId),
    garage.owner.closeDealer({ dealerId: garage.id }),
  ]);
  expect(await collection('payments').findOne({ _id: paymentId })).toMatchObject({
    state: isRefused(closed) ? 'authorized' : 'canceled',
  });
});

const reject = async () => {
  const moderator = await market.staff('moderator');
  return moderator.rejectListing({ listingId, revision: 1, reasonCodes: ['FRAUD'] });
};

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'a %s that was authorized before its listing was rejected can be canceled and not captured',
  async (purpose) => {
    const paymentId = await authorize(purpose);
    expect(await reject()).not.toBeRefused();
    const request = { paymentId, idempotencyKey: unique('key') };
    expect(await garage.owner.capturePayment(request)).toBeRefused(409, 'listing_not_available');
    expect((await garage.owner.cancelPayment({ paymentId })).payment).toMatchObject({ state: 'CANCELED' });
  },
);

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'a %s whose listing is rejected while it is captured is in the log, because it has no effect',
  async (purpose) => {
    const paymentId = await authorize(purpose);
    const operation = { kind: 'capture', amount: 1000 };
    await collection('payments').updateOne({ _id: paymentId }, { $set: { operation, checkAt: new Date(0) } });
    expect(await reject()).not.toBeRefused();
    const errors = await loggedErrors(world.stack, () => world.stack.runJob('identity.payment-checks'));
    expect(errors).toEqual([
      [
        { paymentId, listingId, listingState: 'rejected' },
        expect.stringContaining('no effect on its listing'),
      ],
    ]);
  },
);

test('a deposit for a listing that was sold since can be captured, because its payer may have bought the listing', async () => {
  const paymentId = await authorize('DEPOSIT');
  expect(await garage.owner.markListingSold({ listingId, buyerUserId: null })).not.toBeRefused();
  const request = { paymentId, idempotencyKey: unique('key') };
  const errors = await loggedErrors(world.stack, async () => {
    expect((await garage.owner.capturePayment(request)).payment).toMatchObject({ state: 'SUCCEEDED' });
  });
  expect(errors).toEqual([]);
});

test('a deposit for a listing that was sold to another buyer is not captured, and to its payer it is', async () => {
  const paymentId = await authorize('DEPOSIT');
  const capture = () => garage.owner.capturePayment({ paymentId, idempotencyKey: unique('key') });
  const other = await market.user();
  expect(await garage.owner.markListingSold({ listingId, buyerUserId: other.id })).not.toBeRefused();
  expect(await capture()).toBeRefused(409, 'listing_not_available');
  await collection('listings').updateOne({ _id: listingId }, { $set: { 'sale.buyerUserId': buyer.id } });
  expect((await capture()).payment).toMatchObject({ state: 'SUCCEEDED' });
});

test('a sold listing is not published again while a payment for it is authorized, because two payers could pay', async () => {
  const paymentId = await authorize('DEPOSIT');
  expect(await garage.owner.markListingSold({ listingId })).not.toBeRefused();
  const publish = () => garage.owner.publishListing({ listingId });
  expect(await publish()).toBeRefused(409, 'invalid_transition');
  await garage.owner.cancelPayment({ paymentId });
  expect(await publish()).not.toBeRefused();
});

test('a listing whose purchase is authorized is not sold to another buyer until the purchase is canceled', async () => {
  const paymentId = await authorize();
  const sell = () => garage.owner.markListingSold({ listingId });
  expect(await sell()).toBeRefused(409, 'reserved_with_payment');
  await garage.owner.cancelPayment({ paymentId });
  expect(await sell()).not.toBeRefused();
});

test('a dealer is not closed while it keeps a deposit for a listing that was rejected', async () => {
  const paymentId = await authorize('DEPOSIT');
  await garage.owner.capturePayment({ paymentId, idempotencyKey: unique('key') });
  expect(await reject()).not.toBeRefused();
  // As after the deposit was paid out.
  const payOut = () => collection('ledger_balances').deleteMany({ dealerId: garage.id });
  await payOut();
  const close = () => garage.owner.closeDealer({ dealerId: garage.id });
  expect(await close()).toBeRefused(409, 'open_obligations', { obligations: ['deposits'] });
  const refund = { paymentId, amount: null, reason: 'OTHER', idempotencyKey: unique('key') } as const;
  expect(await garage.owner.createRefund(refund)).not.toBeRefused();
  await payOut();
  expect(await close()).not.toBeRefused();
});

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'a listing that is shown again after its rejection can be paid by nobody but the payer of its %s',
  async (purpose) => {
    const paymentId = await authorize(purpose);
    expect(await reject()).not.toBeRefused();
    const moderator = await market.staff('moderator');
    expect(await moderator.approveListing({ listingId, revision: 1 })).not.toBeRefused();
    const other = await market.user();
    const pay = (payer: SeededUser, wanted: 'DEPOSIT' | 'PURCHASE') =>
      payer.createPayment({ purpose: wanted, listingId, idempotencyKey: unique('key') });
    expect(await pay(other, 'DEPOSIT')).toBeRefused(409, 'listing_not_available');
    expect(await pay(other, 'PURCHASE')).toBeRefused(409, 'listing_not_available');
    expect(await pay(buyer, 'DEPOSIT')).toBeRefused(409, 'listing_not_available');
    const completion = await pay(buyer, 'PURCHASE');
    if (purpose === 'PURCHASE') expect(completion).toBeRefused(409, 'listing_not_available');
    else expect(completion).not.toBeRefused();
    expect((await garage.owner.cancelPayment({ paymentId })).payment).toMatchObject({ state: 'CANCELED' });
    expect(await pay(other, 'PURCHASE')).not.toBeRefused();
  },
);
