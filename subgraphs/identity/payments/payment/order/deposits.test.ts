import { collection } from '../../../../../test/authorization/world/collection.ts';
import { keepCard } from '../../../../../test/support/people/keepCard.ts';
import { payableDealer, listingPrice as price } from '../../../../../test/support/people/payableDealer.ts';
import { product } from '../../../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../../test/support/seed.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { SandboxCard } from '../../payment-provider/kept/model.ts';
import { PaymentModel } from '../record/model.ts';

// What a payer pays for a listing by deposits and purchases is never more than its price.
const world = product();
const { market } = world;
/** 10 % of the price. */
const deposit = 123_457;
let garage: SeededDealer;
let buyer: SeededUser;
let listingId: string;
beforeAll(async () => {
  garage = await payableDealer(market);
});
beforeEach(async () => {
  buyer = await market.user();
  listingId = (await garage.listing({ published: true, price })).id;
});

type Input = Partial<Parameters<SeededUser['createPayment']>[0]>;

const order = (changes: Input) =>
  buyer.createPayment({ purpose: 'DEPOSIT', listingId, idempotencyKey: unique('key'), ...changes });
/** Pays with a card that the payer keeps. */
const pay = async (changes: Input, card: SandboxCard = 'succeeds') =>
  order({ ...changes, paymentMethodId: await keepCard(world.stack, market.installation, buyer, card) });
const authorize = async (purpose: 'DEPOSIT' | 'PURCHASE') =>
  (await pay({ purpose, captureMethod: 'MANUAL' })).payment.id;
const capture = (paymentId: string) =>
  garage.owner.capturePayment({ paymentId, idempotencyKey: unique('key') });
const stored = (_id: string) => scoped(PaymentModel, market.installation.id).findOne({ _id });
const runChecks = async () => {
  await collection('payments').updateMany(
    { listingId, checkAt: { $type: 'date' } },
    { $set: { checkAt: new Date(0) } },
  );
  await world.stack.runJob('identity.payment-checks');
};
/** What the provider has taken for the listing. */
const takenFrom = async () => {
  const payments = await scoped(PaymentModel, market.installation.id).find({ listingId });
  const objects = await collection('provider_objects')
    .find({ ownId: { $in: payments.map(({ _id }) => _id) } })
    .toArray();
  return objects.reduce((sum, { amountCaptured }) => sum + Number(amountCaptured), 0);
};
/** The payer goes on at the provider with a payment that waits for a card. */
const confirm = async (paymentId: string) => {
  await collection('provider_objects').updateOne({ ownId: paymentId }, { $set: { status: 'authorized' } });
  await collection('payments').updateOne({ _id: paymentId }, { $set: { checkAt: new Date(0) } });
  await world.stack.runJob('identity.payment-checks');
};

test.each(['AUTOMATIC', 'MANUAL'] as const)(
  'a purchase (%s) costs the whole price and cancels an authorized deposit of its payer',
  async (captureMethod) => {
    const first = await authorize('DEPOSIT');
    const { payment } = await pay({ purpose: 'PURCHASE', captureMethod });
    expect(payment.amount).toEqual(price);
    expect(await capture(first)).toBeRefused(409);
    await runChecks();
    expect(await capture(first)).toBeRefused(409, 'invalid_transition');
    expect(await stored(first)).toMatchObject({
      state: 'canceled',
      failure: { code: 'replaced_by_purchase' },
      amountCaptured: 0,
    });
    if (captureMethod === 'MANUAL') await capture(payment.id);
    expect(await stored(payment.id)).toMatchObject({ state: 'succeeded', amountCaptured: price.amount });
    expect(await takenFrom()).toBe(price.amount);
    expect(await collection('listings').findOne({ _id: listingId })).toMatchObject({ state: 'sold' });
  },
);

test('a deposit that a purchase replaces is never captured, although the provider refuses to cancel it at first', async () => {
  const first = await authorize('DEPOSIT');
  const atProvider = (status: string, settlesAt: Date | null) =>
    collection('provider_objects').updateOne({ ownId: first }, { $set: { status, settlesAt } });
  await atProvider('processing', new Date(Date.now() + 3_600_000));
  await pay({ purpose: 'PURCHASE' });
  await runChecks();
  await atProvider('authorized', null);
  expect(await capture(first)).toBeRefused(409);
  await runChecks();
  expect(await stored(first)).toMatchObject({ state: 'canceled', failure: { code: 'replaced_by_purchase' } });
  expect(await takenFrom()).toBe(price.amount);
});

test('a captured deposit is left out of the price of a purchase', async () => {
  await pay({});
  const { payment } = await pay({ purpose: 'PURCHASE' });
  expect(payment).toMatchObject({ state: 'SUCCEEDED', amount: { amount: price.amount - deposit } });
  expect(await takenFrom()).toBe(price.amount);
});

test('a dealer owes the fixed commission once for a sale that is paid with a deposit and a purchase', async () => {
  await pay({});
  const { id } = (await pay({ purpose: 'PURCHASE' })).payment;
  const fees = (await scoped(PaymentModel, market.installation.id).find({ listingId })).map(({ fee }) => fee);
  expect(fees.reduce((sum, fee) => sum + (fee?.fixed ?? 0), 0)).toBe(99);
  // 2.5 % of 12,345.67 EUR, of which each payment rounds its part.
  expect(fees.reduce((sum, fee) => sum + (fee?.amount ?? 0), 0)).toBe(30_864 + 99);
  expect((await stored(id))?.fee).toMatchObject({ fixed: 0, amount: 27_778 });
});

test('a purchase after a refunded deposit owes the fixed commission', async () => {
  const { id: paymentId } = (await pay({})).payment;
  await garage.owner.createRefund({ paymentId, reason: 'OTHER', idempotencyKey: unique('key') });
  const { id } = (await pay({ purpose: 'PURCHASE' })).payment;
  expect((await stored(id))?.fee).toMatchObject({ fixed: 99 });
});

test('a purchase is canceled at the provider when a deposit was captured after its price was stated', async () => {
  const first = await authorize('DEPOSIT');
  const { id } = (await order({ purpose: 'PURCHASE' })).payment;
  await capture(first);
  await confirm(id);
  expect(await stored(id)).toMatchObject({ state: 'canceled', failure: { code: 'amount_changed' } });
  expect(await takenFrom()).toBe(deposit);
  expect(await collection('listings').findOne({ _id: listingId })).toMatchObject({
    state: 'reserved',
    reservation: { paymentId: first },
  });
  expect((await pay({ purpose: 'PURCHASE' })).payment.amount.amount).toBe(price.amount - deposit);
});

test.each([
  ['price', { 'price.amount': price.amount - 100_000 }],
  ['currency', { 'price.currency': 'CHF' }],
])(
  'a purchase is canceled at the provider when the %s of the listing changed before it was confirmed',
  async (_, $set) => {
    const { id } = (await order({ purpose: 'PURCHASE' })).payment;
    await collection('listings').updateOne({ _id: listingId }, { $set });
    await confirm(id);
    expect(await stored(id)).toMatchObject({ state: 'canceled', failure: { code: 'amount_changed' } });
    expect(await takenFrom()).toBe(0);
    expect(await collection('listings').findOne({ _id: listingId })).toMatchObject({ state: 'active' });
  },
);

test('a purchase waits for a deposit whose capture the provider has not confirmed', async () => {
  const first = await authorize('DEPOSIT');
  const { id } = (await order({ purpose: 'PURCHASE' })).payment;
  await collection('payments').updateOne(
    { _id: first },
    { $set: { operation: { kind: 'capture', amount: deposit }, checkAt: new Date(Date.now() + 60_000) } },
  );
  expect(await order({ purpose: 'PURCHASE' })).toBeRefused(409, 'concurrent_update');
  await confirm(id);
  expect(await stored(id)).toMatchObject({ state: 'canceled', failure: { code: 'amount_changed' } });
  await runChecks();
  expect(await takenFrom()).toBe(deposit);
});

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'while a purchase is authorized, another %s of its payer is refused, and one that was begun before is canceled',
  async (purpose) => {
    const { id } = (await order({ purpose })).payment;
    const bought = await authorize('PURCHASE');
    expect(await order({ purpose })).toBeRefused(409, 'listing_not_available');
    await confirm(id);
    expect(await stored(id)).toMatchObject({ state: 'canceled', failure: { code: 'listing_not_available' } });
    await capture(bought);
    expect(await takenFrom()).toBe(price.amount);
  },
);

test('a canceled purchase releases the listing although its payer had authorized a deposit', async () => {
  const first = await authorize('DEPOSIT');
  const bought = await authorize('PURCHASE');
  await garage.owner.cancelPayment({ paymentId: bought });
  await runChecks();
  expect(await stored(first)).toMatchObject({ state: 'canceled' });
  expect(await collection('listings').findOne({ _id: listingId })).toMatchObject({
    state: 'active',
    reservation: null,
  });
});

test('a purchase is refused while a deposit in another currency than the price is paid and not refunded', async () => {
  const { id: paymentId } = (await pay({})).payment;
  const setPrice = (currency: string) =>
    collection('listings').updateOne({ _id: listingId }, { $set: { 'price.currency': currency } });
  const { id } = (await order({ purpose: 'PURCHASE' })).payment;
  await setPrice('CHF');
  expect(await order({ purpose: 'PURCHASE' })).toBeRefused(422, 'validation_failed', {
    errors: [{ pointer: '#/listingId', detail: expect.stringContaining('deposit') }],
  });
  await setPrice('EUR');
  await collection('payments').updateOne({ _id: paymentId }, { $set: { currency: 'CHF' } });
  await confirm(id);
  expect(await stored(id)).toMatchObject({ state: 'canceled', failure: { code: 'amount_changed' } });
  await collection('payments').updateOne({ _id: paymentId }, { $set: { currency: 'EUR' } });
  await setPrice('CHF');
  const refund = { paymentId, reason: 'OTHER', idempotencyKey: unique('key') } as const;
  await garage.owner.createRefund(refund);
  expect((await order({ purpose: 'PURCHASE' })).payment.amount).toEqual({ ...price, currency: 'CHF' });
});
