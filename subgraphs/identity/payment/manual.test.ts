import { randomUUID } from 'node:crypto';
import { collection } from '../../../test/authorization/collection.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { payableDealer, listingPrice as price } from '../../../test/support/payableDealer.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
} from '../../../test/support/seed.ts';
import { signatureHeader } from '../payment-provider/verifySignature.ts';
import { buildIdentity } from '../server.ts';

// Transfers from bank to bank: nobody but the bank, or somebody who reads the account, knows that money has come.

const secret = 'a-secret-of-the-bank-of-the-tests';
/** 10 % of the price. */
const deposit = { amount: 123_457, currency: 'EUR' };

let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;
let buyer: SeededUser;
let finance: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity], { payments: { provider: 'manual', manualSecrets: [secret] } });
  shop = await seed(rest.stack).in(rest.stack.demo);
  garage = await payableDealer(shop);
  buyer = await shop.user();
  finance = await shop.staff('finance');
});
afterAll(() => rest.close());

async function begin(): Promise<{ id: string; listingId: string }> {
  const { id: listingId } = await garage.listing({ published: true, price });
  const { status, body } = await rest.call('POST', '/api/v1/payments', {
    token: buyer.token,
    body: { purpose: 'deposit', listingId },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect([status, body.state, body.nextAction.type]).toEqual([201, 'requires_action', 'bank_transfer']);
  return { id: body.id, listingId };
}

const book = (paymentId: string, changes: object = {}, as: SeededUser = finance) =>
  rest.stack.execute(
    `mutation ($input: BookPaymentInput!) {
      bookPayment(input: $input) { payment { id state amountCaptured { amount } receiptNumber } }
    }`,
    { input: { paymentId, amount: deposit, ...changes } },
    { as },
  );
const stored = (_id: string) => collection('payments').findOne({ _id });
const kindsOf = async (paymentId: string) =>
  (await collection('ledger_transactions').find({ paymentId }).toArray())
    .map(({ kind }) => String(kind))
    .sort();

/** What the bank's program sends. */
function tell(event: object, { secretOf = secret, at = Date.now() } = {}) {
  const text = JSON.stringify(event);
  return rest.call('POST', '/api/v1/webhooks/payments/manual', {
    text,
    headers: {
      'content-type': 'application/json',
      'payment-signature': signatureHeader(secretOf, at, Buffer.from(text)),
    },
  });
}

const eventOf = (paymentId: string, changes: object = {}) => ({
  id: randomUUID(),
  type: 'payment.booked',
  paymentId,
  ...deposit,
  ...changes,
});

async function assertPaid({ id, listingId }: { id: string; listingId: string }): Promise<void> {
  expect(await stored(id)).toMatchObject({
    state: 'succeeded',
    amountCaptured: deposit.amount,
    operation: null,
    receiptNumber: expect.any(String),
  });
  expect(await kindsOf(id)).toEqual(['charge', 'fee']);
  expect(await collection('listings').findOne({ _id: listingId })).toMatchObject({
    state: 'reserved',
    reservation: { paymentId: id, buyerUserId: buyer.id },
  });
}

test('finance books a transfer: the payment is captured, the listing reserved, the books written, and it is audited', async () => {
  const payment = await begin();
  const { data, errors } = await book(payment.id);
  expect(errors).toBeUndefined();
  expect(data?.bookPayment.payment).toMatchObject({
    id: payment.id,
    state: 'SUCCEEDED',
    amountCaptured: { amount: deposit.amount },
    receiptNumber: expect.stringMatching(/^\d{4}-\d{6}$/),
  });
  await assertPaid(payment);
  const audited = { action: 'bookPayment', 'target.id': payment.id, 'actor.id': finance.id };
  expect(await collection('audit_events').countDocuments(audited)).toBe(1);
});

test('a transfer is booked once, however often it is said, and under one key it is answered again', async () => {
  const payment = await begin();
  const idempotencyKey = randomUUID();
  const [first, again] = [
    await book(payment.id, { idempotencyKey }),
    await book(payment.id, { idempotencyKey }),
  ];
  expect(again.data).toEqual(first.data);
  expect(problemOf(await book(payment.id))).toMatchObject({ code: 'invalid_transition' });
  await assertPaid(payment);
});

test('another amount, another currency, somebody without the permission: nothing is booked', async () => {
  const { id } = await begin();
  for (const amount of [
    { ...deposit, amount: deposit.amount - 1 },
    { ...deposit, currency: 'USD' },
  ])
    expect(problemOf(await book(id, { amount }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/amount' }],
    });
  for (const as of [buyer, garage.owner, await shop.staff('support')])
    expect(problemOf(await book(id, {}, as))).toMatchObject({ code: 'permission_required' });
  expect(problemOf(await book('pay_00000000000000000000000000'))).toMatchObject({ code: 'not_found' });
  expect(await stored(id)).toMatchObject({ state: 'requires_action' });
  expect(await kindsOf(id)).toEqual([]);
});

test('the bank’s program books a transfer by a signed event, which may come twice', async () => {
  const payment = await begin();
  const event = eventOf(payment.id);
  for (const answer of [await tell(event), await tell(event)])
    expect([answer.status, answer.body]).toEqual([200, { received: true }]);
  await rest.stack.runJob('identity.payment-events');
  await assertPaid(payment);
  const late = await tell(eventOf(payment.id));
  expect(late.status).toBe(200);
  await rest.stack.runJob('identity.payment-events');
  await assertPaid(payment);
});

test('what is not signed, signed by somebody else, too old, or about another amount books nothing', async () => {
  const { id } = await begin();
  const answers = [
    await tell(eventOf(id), { secretOf: 'a-secret-of-somebody-else-who-knows' }),
    await tell(eventOf(id), { at: Date.now() - 301_000 }),
  ];
  for (const { status, body } of answers) expect([status, body.code]).toEqual([401, 'signature_invalid']);
  expect((await tell(eventOf(id, { amount: 1 }))).status).toBe(200);
  expect((await tell(eventOf(id, { paymentId: 7 }))).body.code).toBe('malformed_request');
  await rest.stack.runJob('identity.payment-events');
  expect(await stored(id)).toMatchObject({ state: 'requires_action', amountCaptured: 0 });
  expect(await kindsOf(id)).toEqual([]);
});

test('of two transfers for one listing the second is not taken: its payment is canceled', async () => {
  const { id: listingId } = await garage.listing({ published: true, price });
  const payers = [buyer, await shop.user()];
  const ids: string[] = [];
  for (const { token } of payers) {
    const body = { purpose: 'deposit', listingId };
    const headers = { 'idempotency-key': randomUUID() };
    ids.push((await rest.call('POST', '/api/v1/payments', { token, body, headers })).body.id);
  }
  for (const id of ids) await book(id);
  expect(await stored(ids[0] as string)).toMatchObject({ state: 'succeeded' });
  expect(await stored(ids[1] as string)).toMatchObject({
    state: 'canceled',
    failure: { code: 'listing_not_available' },
  });
  expect(await kindsOf(ids[1] as string)).toEqual([]);
});
