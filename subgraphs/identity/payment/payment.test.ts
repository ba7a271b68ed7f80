import { randomUUID } from 'node:crypto';
import { collection } from '../../../test/authorization/collection.ts';
import { keepCard } from '../../../test/support/keepCard.ts';
import { payableDealer, listingPrice as price } from '../../../test/support/payableDealer.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { ListingModel } from '../listing/model.ts';
import { forgetPayer } from '../payment-method/forgetPayer.ts';
import type { SandboxCard } from '../payment-provider/kept/model.ts';
import { PaymentModel } from './model.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;
let buyer: SeededUser;

beforeAll(async () => {
  garage = await payableDealer(market);
  buyer = await market.user();
});

const shown = `payment { id state pending amount { amount currency } amountCapturable { amount } amountCaptured { amount }
  fee { amount { amount } taxAmount { amount } } clientSecret nextAction { type url } failure { code } receiptNumber
  authorizationExpiresAt }`;
const run = (name: string, input: object, as: { token: string }) => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const source = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} } }`;
  return world.stack.execute(
    source,
    { input: { idempotencyKey: randomUUID(), ...input } },
    { ...market, as: as.token },
  );
};
const create = (input: object, as = buyer) => run('createPayment', { purpose: 'DEPOSIT', ...input }, as);
const listing = async () => (await garage.listing({ published: true, price })).id;
const stored = (id: string) => scoped(PaymentModel, market.installation.id).findOne({ _id: id });
const listed = (id: string) => scoped(ListingModel, market.installation.id).findOne({ _id: id });
const booked = (id: string) =>
  scoped(LedgerTransactionModel, market.installation.id).find({ paymentId: id }, { sort: { _id: 1 } });

/** A card that the buyer keeps. */
const card = (name: SandboxCard, as = buyer) => keepCard(world.stack, market.installation, as, name);

test('a deposit with a kept card is captured at once, reserves the listing and stands in the books', async () => {
  const listingId = await listing();
  const { data } = await create({ listingId, paymentMethodId: await card('succeeds') });
  const payment = data?.createPayment.payment;
  // 10 % of 1,234,567 is 123,456.7; 2.5 % of that and 99 cents; 19 % tax on those.
  expect(payment).toMatchObject({
    state: 'SUCCEEDED',
    pending: false,
    amount: { amount: 123_457, currency: 'EUR' },
    amountCaptured: { amount: 123_457 },
    fee: null,
    clientSecret: null,
    nextAction: null,
    receiptNumber: expect.stringMatching(/^\d{4}-\d{6}$/),
  });
  expect(await stored(payment.id)).toMatchObject({ fee: { amount: 3185, taxAmount: 605 }, operation: null });
  expect(await listed(listingId)).toMatchObject({
    state: 'reserved',
    reservation: { buyerUserId: buyer.id, paymentId: payment.id },
  });
  expect((await booked(payment.id)).map(({ kind }) => kind).sort()).toEqual(['charge', 'fee']);
});

test('without a method the payer gets what he goes on with, and nobody else does', async () => {
  const listingId = await listing();
  const { data } = await create({ listingId });
  const payment = data?.createPayment.payment;
  expect(payment).toMatchObject({
    state: 'REQUIRES_PAYMENT_METHOD',
    clientSecret: expect.stringMatching(/_secret_/),
    nextAction: { type: 'REDIRECT', url: expect.stringContaining('/sandbox/pay#secret=') },
  });
  const source = `query ($id: ID!) { payment(paymentId: $id) { clientSecret nextAction { url } fee { rateBps } } }`;
  const ask = async (as: SeededUser) =>
    (await world.stack.execute(source, { id: payment.id }, { ...market, as: as.token })).data?.payment;
  expect(await ask(buyer)).toMatchObject({ clientSecret: payment.clientSecret, fee: null });
  expect(await ask(garage.owner)).toEqual({ clientSecret: null, nextAction: null, fee: { rateBps: 250 } });
  expect(JSON.stringify(await stored(payment.id))).not.toContain(payment.clientSecret);
});

test('a declined card leaves the payment waiting, and the listing free', async () => {
  const listingId = await listing();
  const { data } = await create({ listingId, paymentMethodId: await card('declined') });
  expect(data?.createPayment.payment).toMatchObject({
    state: 'REQUIRES_PAYMENT_METHOD',
    failure: { code: 'card_declined' },
  });
  expect(await listed(listingId)).toMatchObject({ state: 'active' });
});

test('a purchase is held until the dealer captures it, in whole or in part, and then the listing is sold', async () => {
  const listingId = await listing();
  const manual = { listingId, purpose: 'PURCHASE', captureMethod: 'MANUAL' };
  const { data } = await create({ ...manual, paymentMethodId: await card('succeeds') });
  const payment = data?.createPayment.payment;
  expect(payment).toMatchObject({ state: 'AUTHORIZED', amountCapturable: { amount: price.amount } });
  expect(problemOf(await run('capturePayment', { paymentId: payment.id }, buyer))).toMatchObject({
    code: 'ownership_required',
  });
  const part = { paymentId: payment.id, amount: { amount: 1_000_000, currency: 'EUR' } };
  const captured = await run('capturePayment', part, garage.owner);
  expect(captured.data?.capturePayment.payment).toMatchObject({
    state: 'SUCCEEDED',
    amountCaptured: { amount: 1_000_000 },
    amountCapturable: { amount: 0 },
    fee: { amount: { amount: 25_099 }, taxAmount: { amount: 4769 } },
  });
  expect(await listed(listingId)).toMatchObject({ state: 'sold', sale: { buyerUserId: buyer.id } });
  expect(problemOf(await run('capturePayment', part, garage.owner))).toMatchObject({
    code: 'invalid_transition',
  });
});

test('of two payers the first one gets the listing, and nothing is taken from the other', async () => {
  const listingId = await listing();
  const second = await market.user();
  const pay = async (as: SeededUser) =>
    create({ listingId, paymentMethodId: await card('succeeds', as) }, as);
  const answers = [create({ listingId }), create({ listingId }, second)];
  const ids = (await Promise.all(answers)).map(({ data }) => data?.createPayment.payment.id);
  expect((await pay(buyer)).data?.createPayment.payment.state).toBe('SUCCEEDED');
  expect(problemOf(await pay(second))).toMatchObject({ code: 'listing_not_available' });
  // Both had begun before; the second one pays at the provider only now.
  await collection('provider_objects').updateOne({ ownId: ids[1] }, { $set: { status: 'authorized' } });
  await collection('payments').updateOne({ _id: ids[1] }, { $set: { checkAt: new Date() } });
  await world.stack.runJob('identity.payment-checks');
  expect(await stored(ids[1])).toMatchObject({
    state: 'canceled',
    failure: { code: 'listing_not_available' },
  });
  expect(await collection('provider_objects').findOne({ ownId: ids[1] })).toMatchObject({
    status: 'canceled',
    amountCaptured: 0,
  });
});

test('a canceled payment gives the listing back; what is captured is not canceled any more', async () => {
  const listingId = await listing();
  const { data } = await create({
    listingId,
    captureMethod: 'MANUAL',
    paymentMethodId: await card('succeeds'),
  });
  const id = data?.createPayment.payment.id;
  expect(problemOf(await run('cancelPayment', { paymentId: id }, buyer))).toMatchObject({
    code: 'ownership_required',
  });
  const canceled = await run('cancelPayment', { paymentId: id }, garage.owner);
  expect(canceled.data?.cancelPayment.payment.state).toBe('CANCELED');
  expect(await listed(listingId)).toMatchObject({ state: 'active', reservation: null });
  const paid = (await create({ listingId, paymentMethodId: await card('succeeds') })).data?.createPayment
    .payment;
  for (const paymentId of [id, paid.id])
    expect(problemOf(await run('cancelPayment', { paymentId }, garage.owner))).toMatchObject({
      code: 'invalid_transition',
    });
});

test('a promotion of one’s own listing is paid to the installation', async () => {
  const seller = await market.user();
  const { id: listingId } = await seller.listing({ published: true });
  const promotion = { purpose: 'PROMOTION', promotion: 'FEATURED', listingId };
  const paid = await create({ ...promotion, paymentMethodId: await card('succeeds', seller) }, seller);
  expect(paid.data?.createPayment.payment).toMatchObject({ state: 'SUCCEEDED', amount: { amount: 990 } });
  expect(await listed(listingId)).toMatchObject({ state: 'active', promotion: { kind: 'featured' } });
  expect(problemOf(await create(promotion))).toMatchObject({ code: 'ownership_required' });
});

test('is refused for one’s own listing, a seller who cannot be paid, another amount, and an address not confirmed', async () => {
  const listingId = await listing();
  const other = await market.dealer();
  const unpayable = (await other.listing({ published: true, price })).id;
  const privately = (await (await market.user()).listing({ published: true, price })).id;
  const unconfirmed = await market.user({ emailVerified: false });
  const codeOf = async (input: object, as = buyer) => problemOf(await create(input, as))?.code;
  expect(await codeOf({ listingId }, garage.owner)).toBe('own_listing');
  expect(await codeOf({ listingId: unpayable })).toBe('payee_not_payable');
  expect(await codeOf({ listingId: privately })).toBe('payee_not_payable');
  expect(await codeOf({ listingId }, unconfirmed)).toBe('email_unverified');
  expect(problemOf(await create({ listingId, amount: { amount: 1, currency: 'EUR' } }))).toMatchObject({
    code: 'amount_changed',
    amount: { amount: 123_457, currency: 'EUR' },
  });
  const draft = (await garage.listing({ price })).id;
  expect(await codeOf({ listingId: draft })).toBe('validation_failed');
});

test('fifty at once under one key are one payment, and fifty captures take the money once', async () => {
  const listingId = await listing();
  const paymentMethodId = await card('succeeds');
  const idempotencyKey = randomUUID();
  const many = Array.from({ length: 50 });
  const input = { listingId, captureMethod: 'MANUAL', paymentMethodId, idempotencyKey };
  const created = await Promise.all(many.map(() => create(input)));
  const ids = new Set(created.flatMap(({ data }) => data?.createPayment.payment.id ?? []));
  expect(ids.size).toBe(1);
  const [paymentId = ''] = ids;
  expect(await scoped(PaymentModel, market.installation.id).count({ listingId })).toBe(1);
  const captured = await Promise.all(many.map(() => run('capturePayment', { paymentId }, garage.owner)));
  expect(captured.filter(({ errors }) => !errors)).toHaveLength(1);
  const codes = new Set(captured.filter(({ errors }) => errors).map((answer) => problemOf(answer)?.code));
  expect(
    [...codes].filter((code) => !['invalid_transition', 'concurrent_update'].includes(code ?? '')),
  ).toEqual([]);
  expect((await booked(paymentId)).filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  expect(await collection('provider_objects').findOne({ ownId: paymentId })).toMatchObject({
    amountCaptured: 123_457,
  });
});

test('money that is put aside keeps payer and dealer, and what was paid for stays sold', async () => {
  const payer = await market.user();
  const seller = await payableDealer(market);
  const made = await seller.listing({ published: true, price });
  const method = await card('succeeds', payer);
  const manual = {
    purpose: 'PURCHASE',
    captureMethod: 'MANUAL',
    listingId: made.id,
    paymentMethodId: method,
  };
  const paymentId = (await create(manual, payer)).data?.createPayment.payment.id;
  const ask = (source: string, input: object, { token }: SeededUser) =>
    world.stack.execute(source, { input }, { ...market, as: token });
  const leave =
    'mutation ($input: RequestAccountDeletionInput!) { requestAccountDeletion(input: $input) { __typename } }';
  expect(problemOf(await ask(leave, {}, payer))).toMatchObject({
    code: 'open_obligations',
    obligations: [{ kind: 'open_payment', id: paymentId }],
  });
  const close = 'mutation ($input: CloseDealerInput!) { closeDealer(input: $input) { __typename } }';
  expect(problemOf(await ask(close, { dealerId: seller.id }, seller.owner))).toMatchObject({
    code: 'open_obligations',
    obligations: ['payments'],
  });
  await run('capturePayment', { paymentId }, seller.owner);
  const publish =
    'mutation ($input: PublishListingInput!) { publishListing(input: $input) { listing { state } } }';
  expect(problemOf(await ask(publish, { listingId: made.id }, seller.owner))).toMatchObject({
    code: 'invalid_transition',
  });
});

test('an erased payer leaves the payment, and nothing that names him or could be paid with', async () => {
  const payer = await market.user();
  const listingId = await listing();
  const metadata = [{ key: 'order', value: 'my own words' }];
  const paid = { listingId, metadata, paymentMethodId: await card('succeeds', payer) };
  const id = (await create(paid, payer)).data?.createPayment.payment.id;
  await forgetPayer({
    platform: world.stack.platform,
    installationId: market.installation.id,
    userId: payer.id,
  });
  expect(await stored(id)).toMatchObject({
    state: 'succeeded',
    amountCaptured: 123_457,
    metadata: {},
    paymentMethodId: null,
    clientSecret: null,
  });
  for (const name of ['payment_methods', 'payment_customers'])
    expect(await collection(name).countDocuments({ userId: payer.id })).toBe(0);
});

test('of an erased payer’s refunds and disputes amounts and decisions stay, and none of his words', async () => {
  const payer = await market.user();
  const seller = await payableDealer(market);
  const finance = await market.staff('finance');
  const { id: listingId } = await seller.listing({ published: true, price });
  const paid = { listingId, paymentMethodId: await card('succeeds', payer) };
  const paymentId = (await create(paid, payer)).data?.createPayment.payment.id;
  const ask = async (name: string, input: object, { token }: SeededUser) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const source = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`;
    const sent = { idempotencyKey: randomUUID(), ...input };
    expect(
      (await world.stack.execute(source, { input: sent }, { ...market, as: token })).errors,
    ).toBeUndefined();
  };
  const eur = (amount: number) => ({ amount, currency: 'EUR' });
  await ask('createRefund', { paymentId, amount: eur(1000), reason: 'OTHER' }, seller.owner);
  const complaint = { reason: 'NOT_AS_DESCRIBED', text: 'I am Anna and it hurt me.', amount: eur(5000) };
  await ask('openDispute', { paymentId, ...complaint }, payer);
  const disputeId = (await stored(paymentId))?.disputeId;
  await ask('submitDisputeEvidence', { disputeId, text: 'I live at the sea.' }, payer);
  await ask('submitDisputeEvidence', { disputeId, text: 'All was well.' }, seller.owner);
  const split = { disputeId, outcome: 'SPLIT', refundAmount: eur(2000), statement: 'Half.' };
  await ask('resolveDispute', split, finance);
  await world.stack.runJob('identity.refunds');
  const kept = async () => ({
    payment: (await stored(paymentId))?.amountRefunded,
    books: (await booked(paymentId)).length,
    refunds: await collection('refunds').find({ paymentId }).project({ amount: 1, state: 1 }).toArray(),
  });
  const before = await kept();
  expect(before).toMatchObject({ payment: 3000, refunds: [{ state: 'succeeded' }, { state: 'succeeded' }] });
  // A step of an erasure may be repeated.
  for (let time = 0; time < 2; time += 1)
    await forgetPayer({
      platform: world.stack.platform,
      installationId: market.installation.id,
      userId: payer.id,
    });
  expect(await kept()).toEqual(before);
  const dispute = await collection('disputes').findOne({ paymentId });
  expect(dispute).toMatchObject({ state: 'split', amount: 5000, outcome: { refunded: 2000 } });
  expect(JSON.stringify(dispute)).not.toMatch(/Anna|at the sea/);
  expect(JSON.stringify(dispute)).toContain('All was well.');
});

test('receipts of a year have no gap and no double', async () => {
  const paid = await scoped(PaymentModel, market.installation.id).find({ receiptNumber: { $ne: null } });
  const numbers = paid.map(({ receiptNumber }) => Number(receiptNumber?.slice(5))).sort((a, b) => a - b);
  const year = new Set(paid.map(({ receiptNumber }) => receiptNumber?.slice(0, 4)));
  if (year.size === 1) expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(new Set(paid.map(({ receiptNumber }) => receiptNumber)).size).toBe(paid.length);
});

test('what nobody paid for a day, and what nobody captured for a week, ends', async () => {
  const [one, two] = [await listing(), await listing()];
  const waiting = (await create({ listingId: one })).data?.createPayment.payment;
  const held = (
    await create({ listingId: two, captureMethod: 'MANUAL', paymentMethodId: await card('succeeds') })
  ).data?.createPayment.payment;
  world.stack.advance(24 * 3600_000 + 1000);
  await world.stack.runJob('identity.payment-ends');
  expect(await stored(waiting.id)).toMatchObject({ state: 'canceled' });
  expect(await stored(held.id)).toMatchObject({ state: 'authorized' });
  world.stack.advance(6 * 24 * 3600_000);
  await world.stack.runJob('identity.payment-ends');
  expect(await stored(held.id)).toMatchObject({ state: 'canceled' });
  expect(await listed(two)).toMatchObject({ state: 'active' });
});
