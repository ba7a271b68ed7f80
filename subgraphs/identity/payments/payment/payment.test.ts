import { collection } from '../../../../test/authorization/world/collection.ts';
import { keepCard } from '../../../../test/support/people/keepCard.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { forgetPayer } from '../payment-method/forgetPayer.ts';
import type { SandboxCard } from '../payment-provider/kept/model.ts';
import { PaymentModel } from './record/model.ts';

const world = product();
const { market } = world;
/** 10 % of the price. */
const deposit = 123_457;
let garage: SeededDealer;
let buyer: SeededUser;
beforeAll(async () => {
  garage = await payableDealer(market);
  buyer = await market.user();
});

type Input = Partial<Parameters<SeededUser['createPayment']>[0]>;

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const create = (listingId: string, changes: Input = {}, by = buyer) =>
  by.createPayment({ purpose: 'DEPOSIT', listingId, idempotencyKey: unique('key'), ...changes });
const card = (by = buyer, name: SandboxCard = 'succeeds') =>
  keepCard(world.stack, market.installation, by, name);
/** Pays with a card that the payer keeps. */
const pay = async (listingId: string, changes: Input = {}, by = buyer) =>
  create(listingId, { paymentMethodId: await card(by), ...changes }, by);
const capture = (paymentId: string, changes: { amount?: ReturnType<typeof eur> } = {}, by = garage.owner) =>
  by.capturePayment({ paymentId, idempotencyKey: unique('key'), ...changes });
const listing = async (by = garage) => (await by.listing({ published: true, price })).id;
const stored = (_id: string) => scoped(PaymentModel, market.installation.id).findOne({ _id });
const listed = (_id: string) => scoped(ListingModel, market.installation.id).findOne({ _id });
const provided = (ownId: string) => collection('provider_objects').findOne({ ownId });
const booked = async (paymentId: string) =>
  (await scoped(LedgerTransactionModel, market.installation.id).find({ paymentId }))
    .map(({ kind }) => kind)
    .sort();
/** Sums of the ledger for a payment: at the provider, commission, its tax, and the share of the dealer. */
const splitOf = async (paymentId: string) => {
  const found = await scoped(LedgerTransactionModel, market.installation.id).find({ paymentId });
  const lines = found.flatMap(({ postings }) => postings);
  const sum = (wanted: string) =>
    lines.reduce((all, { account, amount }) => all + (account === wanted ? amount : 0), 0);
  const dealer = sum(`dealer:${garage.id}:pending`);
  return { clearing: sum('psp_clearing'), fees: sum('fees'), tax: sum('fee_tax'), dealer };
};

test('a deposit with a kept card is captured at once, reserves the listing and is booked', async () => {
  const listingId = await listing();
  const { payment } = await pay(listingId);
  expect(payment).toMatchObject({
    state: 'SUCCEEDED',
    pending: false,
    amount: eur(deposit),
    amountCaptured: eur(deposit),
    fee: null,
    clientSecret: null,
    nextAction: null,
    receiptNumber: expect.stringMatching(/^\d{4}-\d{6}$/),
  });
  // 2.5 % and 99 cents; 19 % tax on those.
  expect(await stored(payment.id)).toMatchObject({ fee: { amount: 3185, taxAmount: 605 }, operation: null });
  expect(await splitOf(payment.id)).toEqual({ clearing: -123_457, fees: 3185, tax: 605, dealer: 119_667 });
  expect(await listed(listingId)).toMatchObject({
    state: 'reserved',
    reservation: { buyerUserId: buyer.id, paymentId: payment.id },
  });
  expect(await booked(payment.id)).toEqual(['charge', 'fee']);
});

test('a payment without a method shows its client secret and next action to the payer alone', async () => {
  const { payment } = await create(await listing());
  const { id: paymentId, clientSecret } = payment;
  expect(payment).toMatchObject({
    state: 'REQUIRES_PAYMENT_METHOD',
    clientSecret: expect.stringMatching(/_secret_/),
    nextAction: { type: 'REDIRECT', url: expect.stringContaining('/sandbox/pay#secret=') },
  });
  const read = (by: SeededUser) =>
    by.payment({ paymentId }, 'clientSecret nextAction { url } fee { rateBps }');
  expect(await read(buyer)).toMatchObject({ clientSecret, fee: null });
  expect(await read(garage.owner)).toEqual({ clientSecret: null, nextAction: null, fee: { rateBps: 250 } });
  expect(JSON.stringify(await stored(paymentId))).not.toContain(clientSecret);
});

test('a declined card leaves the payment without a method and the listing active', async () => {
  const listingId = await listing();
  const { payment } = await pay(listingId, { paymentMethodId: await card(buyer, 'declined') });
  expect(payment).toMatchObject({
    state: 'REQUIRES_PAYMENT_METHOD',
    failure: { code: 'card_declined' },
  });
  expect(await listed(listingId)).toMatchObject({ state: 'active' });
});

test('a purchase is authorized until the dealer captures it, in whole or in part, and sells the listing', async () => {
  const listingId = await listing();
  const { payment } = await pay(listingId, { purpose: 'PURCHASE', captureMethod: 'MANUAL' });
  expect(payment).toMatchObject({ state: 'AUTHORIZED', amountCapturable: price });
  expect(await capture(payment.id, {}, buyer)).toBeRefused(403, 'ownership_required');
  expect((await capture(payment.id, { amount: eur(1_000_000) })).payment).toMatchObject({
    state: 'SUCCEEDED',
    amountCaptured: eur(1_000_000),
    amountCapturable: eur(0),
    fee: { amount: eur(25_099), taxAmount: eur(4769) },
  });
  const split = { clearing: -1_000_000, fees: 25_099, tax: 4769, dealer: 970_132 };
  expect(await splitOf(payment.id)).toEqual(split);
  expect(await listed(listingId)).toMatchObject({ state: 'sold', sale: { buyerUserId: buyer.id } });
  expect(await capture(payment.id)).toBeRefused(409, 'invalid_transition');
  expect(await garage.owner.publishListing({ listingId })).toBeRefused(409, 'invalid_transition');
});

test('a buyer pays value added tax that the price excludes, and deposits are a share of the price with the tax', async () => {
  const offer = (rateBps: number | null) =>
    garage.listing({ published: true, price, tax: { mode: 'VAT_EXCLUDED', rateBps } });
  const payer = await market.user();
  const paymentMethodId = await card(payer);
  const buy = (listingId: string, changes: Input = {}) =>
    create(listingId, { purpose: 'PURCHASE', paymentMethodId, ...changes }, payer);
  const { id: listingId } = await offer(1900);
  // 12,345.67 EUR and 19 % of it.
  const total = 1_469_135;
  expect((await buy(listingId, { purpose: 'DEPOSIT' })).payment).toMatchObject({
    state: 'SUCCEEDED',
    amount: eur(146_914),
  });
  const due = eur(total - 146_914);
  const withoutTax = { amount: eur(1_234_567 - 123_457) };
  expect(await buy(listingId, withoutTax)).toBeRefused(409, 'amount_changed', { amount: due });
  const { payment } = await buy(listingId);
  expect(payment).toMatchObject({ state: 'SUCCEEDED', amountCaptured: due });
  expect(await listed(listingId)).toMatchObject({ state: 'sold' });

  const { id: unknown } = await offer(null);
  const errors = [{ pointer: '#/listingId', detail: expect.stringContaining('does not state its rate') }];
  expect(await buy(unknown)).toBeRefused(422, 'validation_failed', { errors });
  expect((await buy(unknown, { purpose: 'DEPOSIT' })).payment).toMatchObject({ amount: eur(deposit) });
});

test('of two payers the first gets the listing, and nothing is captured from the second', async () => {
  const listingId = await listing();
  const second = await market.user();
  const [, begun] = await Promise.all([create(listingId), create(listingId, {}, second)]);
  const { id } = begun.payment;
  expect((await pay(listingId)).payment.state).toBe('SUCCEEDED');
  expect(await pay(listingId, {}, second)).toBeRefused(409, 'listing_not_available');
  // The second payer goes on at the provider with the payment that was begun before.
  await collection('provider_objects').updateOne({ ownId: id }, { $set: { status: 'authorized' } });
  await collection('payments').updateOne({ _id: id }, { $set: { checkAt: new Date() } });
  await world.stack.runJob('identity.payment-checks');
  const canceled = { state: 'canceled', failure: { code: 'listing_not_available' } };
  expect(await stored(id)).toMatchObject(canceled);
  expect(await provided(id)).toMatchObject({ status: 'canceled', amountCaptured: 0 });
});

test('a canceled payment releases the listing, and a captured payment cannot be canceled', async () => {
  const listingId = await listing();
  const { id } = (await pay(listingId, { captureMethod: 'MANUAL' })).payment;
  expect(await buyer.cancelPayment({ paymentId: id })).toBeRefused(403, 'ownership_required');
  expect((await garage.owner.cancelPayment({ paymentId: id })).payment.state).toBe('CANCELED');
  expect(await listed(listingId)).toMatchObject({ state: 'active', reservation: null });
  const paid = (await pay(listingId)).payment.id;
  for (const paymentId of [id, paid])
    expect(await garage.owner.cancelPayment({ paymentId })).toBeRefused(409, 'invalid_transition');
});

test('a seller pays a promotion of its own listing to the installation', async () => {
  const seller = await market.user();
  const { id } = await seller.listing({ published: true });
  const promotion = { purpose: 'PROMOTION', promotion: 'FEATURED' } as const;
  expect((await pay(id, promotion, seller)).payment).toMatchObject({ state: 'SUCCEEDED', amount: eur(990) });
  expect(await listed(id)).toMatchObject({ state: 'active', promotion: { kind: 'featured' } });
  expect(await create(id, promotion)).toBeRefused(403, 'ownership_required');
});

test('each kind of promotion has its own price, and one of another kind replaces the running one', async () => {
  const seller = await market.user();
  const { id } = await seller.listing({ published: true });
  for (const [kind, amount] of [
    ['FEATURED', 990],
    ['TOP', 1990],
  ] as const) {
    const { payment } = await pay(id, { purpose: 'PROMOTION', promotion: kind }, seller);
    expect(payment).toMatchObject({ state: 'SUCCEEDED', amount: eur(amount) });
    expect(await listed(id)).toMatchObject({ promotion: { kind: kind.toLowerCase() } });
  }
});

/** Seconds until a new payment is checked, as its earliest and latest possible value; null if it is not checked. */
async function secondsUntilCheck(order: () => Promise<{ payment: { id: string } }>) {
  const before = world.stack.platform.now();
  const { payment } = await order();
  const after = world.stack.platform.now();
  const { checkAt } = (await stored(payment.id)) ?? {};
  return checkAt ? [checkAt.getTime() - after, checkAt.getTime() - before].map((ms) => ms / 1000) : null;
}

test.each([
  ['its bank', 5, 'slow'],
  ['its payer', 60, 'challenge'],
] as const)('a payment that waits for %s is checked after %i seconds', async (_, seconds, name) => {
  const [payer, listingId] = [await market.user(), await listing()];
  const paymentMethodId = await card(payer, name);
  const [least = Infinity, most = 0] =
    (await secondsUntilCheck(() => create(listingId, { paymentMethodId }, payer))) ?? [];
  expect(least).toBeLessThanOrEqual(seconds);
  expect(most).toBeGreaterThanOrEqual(seconds);
});

test('a payment that waits for its capture is not checked', async () => {
  const [payer, listingId] = [await market.user(), await listing()];
  const order = () => pay(listingId, { purpose: 'PURCHASE', captureMethod: 'MANUAL' }, payer);
  expect(await secondsUntilCheck(order)).toBeNull();
});

test('a payment is refused for an own or draft listing, an unpayable seller, another amount and an unconfirmed address', async () => {
  const listingId = await listing();
  expect(await create(listingId, {}, garage.owner)).toBeRefused(403, 'own_listing');
  for (const seller of [await market.dealer(), await market.user()]) {
    const { id } = await seller.listing({ published: true, price });
    expect(await create(id)).toBeRefused(403, 'payee_not_payable');
  }
  const unconfirmed = await market.user({ emailVerified: false });
  expect(await create(listingId, {}, unconfirmed)).toBeRefused(403, 'email_unverified');
  expect(await create(listingId, { amount: eur(1) })).toBeRefused(409, 'amount_changed', {
    amount: eur(deposit),
  });
  const draft = await garage.listing({ price });
  expect(await create(draft.id)).toBeRefused(422, 'validation_failed');
});

test('fifty concurrent captures take the money once', async () => {
  const { id } = (await pay(await listing(), { captureMethod: 'MANUAL' })).payment;
  const answers = await Promise.all(Array.from({ length: 50 }, () => capture(id)));
  expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
  for (const answer of answers.filter(isRefused)) expect(answer).toBeRefused(409);
  expect(await booked(id)).toEqual(['charge', 'fee']);
  expect(await provided(id)).toMatchObject({ amountCaptured: deposit });
});

test('an authorized payment prevents the payer from leaving and the dealer from closing', async () => {
  const [payer, seller] = [await market.user(), await payableDealer(market)];
  const { payment } = await pay(await listing(seller), { captureMethod: 'MANUAL' }, payer);
  expect(await payer.requestAccountDeletion({})).toBeRefused(409, 'open_obligations', {
    obligations: [{ kind: 'open_payment', id: payment.id }],
  });
  const closing = await seller.owner.closeDealer({ dealerId: seller.id });
  expect(closing).toBeRefused(409, 'open_obligations', { obligations: ['payments'] });
});

test('the erasure of a payer keeps amounts and decisions, and deletes words, names and payment methods', async () => {
  const [payer, finance] = [await market.user(), await market.staff('finance')];
  const idempotencyKey = 'once';
  const metadata = [{ key: 'order', value: 'my own words' }];
  const { id: paymentId } = (await pay(await listing(), { metadata }, payer)).payment;
  const refund = { paymentId, amount: eur(1000), reason: 'OTHER', idempotencyKey } as const;
  await garage.owner.createRefund(refund);
  const complaint = { reason: 'NOT_AS_DESCRIBED', text: 'I am Anna and it hurt me.' } as const;
  const { dispute } = await payer.openDispute({ paymentId, ...complaint, amount: eur(5000) });
  const disputeId = dispute.id;
  await payer.submitDisputeEvidence({ disputeId, text: 'I live at the sea.' });
  await garage.owner.submitDisputeEvidence({ disputeId, text: 'All was well.' });
  const split = { outcome: 'SPLIT', refundAmount: eur(2000), statement: 'Half.', idempotencyKey } as const;
  await finance.resolveDispute({ disputeId, ...split });
  await world.stack.runJob('identity.refunds');
  const kept = async () => ({
    books: await booked(paymentId),
    refunds: await collection('refunds').find({ paymentId }).project({ amount: 1, state: 1 }).toArray(),
  });
  const before = await kept();
  expect(before).toMatchObject({ refunds: [{ state: 'succeeded' }, { state: 'succeeded' }] });
  const { platform } = world.stack;
  // A step of an erasure may be repeated.
  for (let time = 0; time < 2; time += 1)
    await forgetPayer({ platform, installationId: market.installation.id, userId: payer.id });
  expect(await kept()).toEqual(before);
  const sums = { state: 'succeeded', amountCaptured: deposit, amountRefunded: 3000 };
  const gone = { metadata: {}, paymentMethodId: null, clientSecret: null };
  expect(await stored(paymentId)).toMatchObject({ ...sums, ...gone });
  const left = await collection('disputes').findOne({ paymentId });
  expect(left).toMatchObject({ state: 'split', amount: 5000, outcome: { refunded: 2000 } });
  expect(JSON.stringify(left)).not.toMatch(/Anna|at the sea/);
  expect(JSON.stringify(left)).toContain('All was well.');
  for (const name of ['payment_methods', 'payment_customers'])
    expect(await collection(name).countDocuments({ userId: payer.id })).toBe(0);
});

test('a payment is canceled when it is not paid for a day or not captured for a week', async () => {
  const [one, two] = [await listing(), await listing()];
  const waiting = (await create(one)).payment.id;
  const held = (await pay(two, { captureMethod: 'MANUAL' })).payment.id;
  world.stack.advance(24 * 3600_000 + 1000);
  await world.stack.runJob('identity.payment-ends');
  expect(await stored(waiting)).toMatchObject({ state: 'canceled' });
  expect(await stored(held)).toMatchObject({ state: 'authorized' });
  world.stack.advance(6 * 24 * 3600_000);
  await world.stack.runJob('identity.payment-ends');
  expect(await stored(held)).toMatchObject({ state: 'canceled' });
  expect(await listed(two)).toMatchObject({ state: 'active' });
});
