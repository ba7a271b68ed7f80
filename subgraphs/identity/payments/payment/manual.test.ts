import { randomUUID } from 'node:crypto';
import { collection } from '../../../../test/authorization/world/collection.ts';
import { loggedErrors } from '../../../../test/support/loggedErrors.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { dieWithin } from '../../../../test/support/stack/mortality.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { signatureHeader } from '../payment-provider/verifySignature.ts';

// Bank transfers: only the bank, or a person who reads the account, knows that money has arrived.
const secret = 'a-secret-of-the-bank-of-the-tests';
const world = product({ payments: { provider: 'manual', manualSecrets: [secret] } });
const { market } = world;
/** 10 % of the price. */
const deposit = { amount: 123_457, currency: 'EUR' };

let garage: SeededDealer;
let buyer: SeededUser;
let finance: SeededUser;
beforeAll(async () => {
  [garage, buyer, finance] = [
    await payableDealer(market),
    await market.user(),
    await market.staff('finance'),
  ];
});

const listing = async () => (await garage.listing({ published: true, price })).id;
const begin = async (listingId: string, by = buyer) =>
  (await by.createPayment({ purpose: 'DEPOSIT', listingId, idempotencyKey: unique('key') })).payment;
const book = (paymentId: string, amount = deposit) => finance.bookPayment({ paymentId, amount });
const stored = (_id: string) => collection('payments').findOne({ _id });
const kindsOf = async (paymentId: string) =>
  (await collection('ledger_transactions').find({ paymentId }).toArray()).map(({ kind }) => String(kind));

const eventOf = (paymentId: unknown, changes: object = {}) => ({
  id: randomUUID(),
  type: 'payment.booked',
  paymentId,
  ...deposit,
  ...changes,
});
/** Sends an event as the program of the bank does, and works on it. */
async function send(event: object, { key = secret, at = Date.now() } = {}) {
  const text = JSON.stringify(event);
  const signature = signatureHeader(key, at, Buffer.from(text));
  const answer = await market.visitor.rest('POST', '/api/v1/webhooks/payments/manual', {
    text,
    headers: { 'content-type': 'application/json', 'payment-signature': signature },
  });
  await world.stack.runJob('identity.payment-events');
  return answer;
}

async function assertPaid(paymentId: string): Promise<void> {
  const payment = await stored(paymentId);
  const sums = { amountCaptured: deposit.amount, receiptNumber: expect.stringMatching(/^\d{4}-\d{6}$/) };
  expect(payment).toMatchObject({ state: 'succeeded', operation: null, ...sums });
  expect((await kindsOf(paymentId)).sort()).toEqual(['charge', 'fee']);
  expect(await collection('listings').findOne({ _id: String(payment?.listingId) })).toMatchObject({
    state: 'reserved',
    reservation: { paymentId, buyerUserId: buyer.id },
  });
}

async function assertUnpaid(paymentId: string): Promise<void> {
  expect(await stored(paymentId)).toMatchObject({ state: 'requires_action', amountCaptured: 0 });
  expect(await kindsOf(paymentId)).toEqual([]);
}

test('a transfer that finance books is captured, reserves the listing and is audited, once', async () => {
  const { id, state, nextAction } = await begin(await listing());
  expect([state, nextAction?.type]).toEqual(['REQUIRES_ACTION', 'BANK_TRANSFER']);
  expect((await book(id)).payment).toMatchObject({ state: 'SUCCEEDED', amountCaptured: deposit });
  expect(await book(id)).toBeRefused(409, 'invalid_transition');
  await assertPaid(id);
  const audited = { action: 'bookPayment', 'target.id': id, 'actor.id': finance.id };
  expect(await collection('audit_events').countDocuments(audited)).toBe(1);
});

test.each([
  { ...deposit, amount: deposit.amount - 1 },
  { ...deposit, currency: 'USD' },
])('a transfer of $amount $currency instead of the deposit is not booked', async (amount) => {
  const { id } = await begin(await listing());
  expect(await book(id, amount)).toBeRefused(422, 'validation_failed', { errors: [{ pointer: '#/amount' }] });
  await assertUnpaid(id);
});

test('a signed event of the bank books a transfer once, however often it arrives', async () => {
  const { id } = await begin(await listing());
  const event = eventOf(id);
  for (const sent of [event, event, eventOf(id)]) {
    expect(await send(sent)).toMatchObject({ status: 200, body: { received: true } });
    await assertPaid(id);
  }
});

test('an event that is wrongly signed, too old, malformed or about another amount books nothing', async () => {
  const { id } = await begin(await listing());
  for (const forged of [{ key: 'a-secret-of-another-bank-of-the-tests' }, { at: Date.now() - 301_000 }])
    expect(await send(eventOf(id), forged)).toBeRefused(401, 'signature_invalid');
  expect(await send(eventOf(7))).toBeRefused(400, 'malformed_request');
  expect((await send(eventOf(id, { amount: 1 }))).status).toBe(200);
  await assertUnpaid(id);
});

test('the second transfer for a listing is not taken, and its payment is canceled', async () => {
  const listingId = await listing();
  const first = await begin(listingId);
  const second = await begin(listingId, await market.user());
  for (const { id } of [first, second]) await book(id);
  await assertPaid(first.id);
  const canceled = { state: 'canceled', failure: { code: 'listing_not_available' } };
  expect(await stored(second.id)).toMatchObject(canceled);
  expect(await kindsOf(second.id)).toEqual(['transfer_unreturned']);
});

/** A deposit that the dealer captures or cancels, and whose transfer has arrived. */
async function authorize(): Promise<string> {
  const order = { purpose: 'DEPOSIT', listingId: await listing(), captureMethod: 'MANUAL' } as const;
  const { id } = (await buyer.createPayment({ ...order, idempotencyKey: unique('key') })).payment;
  await book(id);
  expect(await stored(id)).toMatchObject({ state: 'authorized' });
  return id;
}
const cancel = (paymentId: string) => garage.owner.cancelPayment({ paymentId });
const capture = (paymentId: string) => {
  const part = { ...deposit, amount: 100_000 };
  return garage.owner.capturePayment({ paymentId, amount: part, idempotencyKey: unique('key') });
};
const toReturn = async () => (await finance.adminPayments({ toReturn: true, first: 100 })).nodes;
const unreturned = async () => {
  const { house } = await proveLedger(market.installation.id);
  return house.find(({ account }) => account === 'unreturned')?.amount ?? 0;
};

test.each([
  { name: 'a canceled deposit', end: cancel, amount: deposit.amount },
  { name: 'the rest of a deposit that was captured in part', end: capture, amount: deposit.amount - 100_000 },
])('the transfer of $name is owed to the payer until finance has returned it, once', async (row) => {
  const before = await unreturned();
  const id = await authorize();
  expect(await unreturned()).toBe(before);
  await row.end(id);
  expect(await unreturned()).toBe(before + row.amount);
  expect(await buyer.payment({ paymentId: id }, 'amountToReturn { amount }')).toEqual({
    amountToReturn: { amount: row.amount },
  });
  expect((await toReturn()).map((one) => one.id)).toContain(id);
  const give = (reference: string, idempotencyKey = unique('key')) =>
    finance.returnTransfer({ paymentId: id, reference, idempotencyKey });
  expect(await give(' ')).toBeRefused(422, 'validation_failed', { errors: [{ pointer: '#/reference' }] });
  const answers = await Promise.all(Array.from({ length: 5 }, () => give('T 17')));
  expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
  expect(await give('T 18')).toBeRefused(409, 'invalid_transition');
  expect((await toReturn()).map((one) => one.id)).not.toContain(id);
  expect(await unreturned()).toBe(before);
  const audited = { action: 'returnTransfer', 'target.id': id, reason: 'T 17' };
  expect(await collection('audit_events').countDocuments(audited)).toBe(1);
});

test('a canceled deposit whose transfer never arrived has nothing to return', async () => {
  const { id } = await begin(await listing());
  await buyer.cancelPayment({ paymentId: id });
  expect(await stored(id)).toMatchObject({ state: 'canceled' });
  expect(await kindsOf(id)).toEqual([]);
  const give = { paymentId: id, reference: 'T 17' };
  expect(await finance.returnTransfer(give)).toBeRefused(409, 'invalid_transition');
});

test('a payer is asked not to transfer money for a payment that has ended, and not if the transfer had arrived', async () => {
  const mails = async () => {
    await world.stack.runJob('identity.relay');
    await world.stack.runJob('identity.payment-mails');
    return (await world.stack.mailsTo(payer.email)).map(({ subject }) => subject);
  };
  const payer = await market.user();
  const [awaited, arrived] = [await begin(await listing(), payer), await begin(await listing(), payer)];
  await book(arrived.id);
  const received = await mails();
  expect(received).toHaveLength(1);
  await garage.owner.cancelPayment({ paymentId: awaited.id });
  const told = await mails();
  expect(told).toHaveLength(2);
  expect(told).toEqual(
    expect.arrayContaining([...received, expect.stringContaining('do not transfer money')]),
  );
});

test.each(['another buyer', 'the dealer'])(
  'a payer whose transfer arrived is told that it will be returned when %s ends the payment',
  async (by) => {
    const [payer, listingId] = [await market.user(), await listing()];
    const order = { purpose: 'DEPOSIT', listingId, captureMethod: 'MANUAL' } as const;
    const { id } = (await payer.createPayment({ ...order, idempotencyKey: unique('key') })).payment;
    if (by === 'another buyer') await book((await begin(listingId)).id);
    await book(id);
    if (by === 'the dealer') await cancel(id);
    expect(await stored(id)).toMatchObject({ state: 'canceled', amountToReturn: deposit.amount });
    await world.stack.runJob('identity.relay');
    await world.stack.runJob('identity.payment-mails');
    const mails = await world.stack.mailsTo(payer.email);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('will be returned')]);
  },
);

test('a transfer whose process ended before its event was stored is taken when the bank repeats the event', async () => {
  const { id } = await begin(await listing());
  const event = eventOf(id);
  await collection('provider_objects').updateOne(
    { ownId: id },
    { $set: { status: 'authorized', bookedBy: event.id } },
  );
  expect(await send(event)).toMatchObject({ status: 200 });
  await assertPaid(id);
});

test('a refund waits in the list of finance until its transfer is recorded, once', async () => {
  const { id: paymentId } = await begin(await listing());
  await book(paymentId);
  const { refund } = await garage.owner.createRefund({
    paymentId,
    reason: 'OTHER',
    idempotencyKey: unique('key'),
  });
  const { id: refundId } = refund;
  const listed = async () => (await finance.failedRefunds({ first: 100 })).nodes.map(({ id }) => id);
  const seen = async () => (await buyer.payment({ paymentId }, 'refunds { state settledByHandAt }')).refunds;
  expect([refund.state, await listed()]).toEqual(['PENDING', expect.arrayContaining([refundId])]);
  expect(await finance.retryRefund({ refundId })).toBeRefused(409, 'invalid_transition');
  const order = { refundId, reference: 'T 17', idempotencyKey: unique('key') };
  const answers = await Promise.all(Array.from({ length: 5 }, () => finance.settleRefund(order)));
  expect(answers.some((answer) => !isRefused(answer))).toBe(true);
  expect(await finance.settleRefund({ ...order, idempotencyKey: unique('key') })).toBeRefused(
    409,
    'invalid_transition',
  );
  expect(await listed()).not.toContain(refundId);
  expect(await seen()).toEqual([{ state: 'SUCCEEDED', settledByHandAt: expect.anything() }]);
  expect((await kindsOf(paymentId)).sort()).toEqual(['charge', 'fee', 'refund']);
  const audited = { action: 'settleRefund', 'target.id': refundId, reason: 'T 17' };
  expect(await collection('audit_events').countDocuments(audited)).toBe(1);
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});

test.each(['payer', 'member of the dealer'])(
  'a member of finance who is the %s records nothing about the money of a payment',
  async (side) => {
    const insider = await market.staff('finance');
    const dealer = side === 'payer' ? garage : await payableDealer(market, { owner: insider });
    const payer = side === 'payer' ? insider : buyer;
    const order = async (changes = {}) => {
      const listingId = (await dealer.listing({ published: true, price })).id;
      const idempotencyKey = unique('key');
      return (await payer.createPayment({ purpose: 'DEPOSIT', listingId, idempotencyKey, ...changes }))
        .payment.id;
    };
    const refuse = async (act: (by: SeededUser) => Promise<unknown>) => {
      expect(await act(insider)).toBeRefused(403, 'four_eyes');
      expect(await act(finance)).not.toBeRefused();
    };
    const paymentId = await order();
    await refuse((by) => by.bookPayment({ paymentId, amount: deposit }));
    const refundOrder = { paymentId, reason: 'OTHER', idempotencyKey: unique('key') } as const;
    if (side === 'payer') expect(await insider.createRefund(refundOrder)).toBeRefused(403, 'four_eyes');
    const { refund } = await dealer.owner.createRefund(refundOrder);
    await refuse((by) => by.settleRefund({ refundId: refund.id, reference: 'T 17' }));
    const canceled = await order({ captureMethod: 'MANUAL' });
    await book(canceled);
    await dealer.owner.cancelPayment({ paymentId: canceled });
    await refuse((by) => by.returnTransfer({ paymentId: canceled, reference: 'T 18' }));
  },
);

const sendAll = (events: readonly object[]) =>
  loggedErrors(world.stack, async () => {
    for (const event of events) await send(event);
  });
const notBooked = (event: { id: string }, paymentId: string, state: string) => [
  { paymentEventId: event.id, paymentId, state },
  expect.stringContaining('not booked'),
];

test('an event about a partial or second transfer is in the log, and a repeated event is not', async () => {
  const { id } = await begin(await listing());
  const event = eventOf(id);
  expect(await sendAll([event, event])).toEqual([]);
  const unbooked = [eventOf(id, { amount: 1 }), eventOf(id)];
  expect(await sendAll(unbooked)).toEqual(unbooked.map((sent) => notBooked(sent, id, 'succeeded')));
});

test('a repeated event about a canceled payment whose money was received is not in the log', async () => {
  const order = { purpose: 'DEPOSIT', listingId: await listing(), captureMethod: 'MANUAL' } as const;
  const { id } = (await buyer.createPayment({ ...order, idempotencyKey: unique('key') })).payment;
  const event = eventOf(id);
  await send(event);
  await cancel(id);
  expect(await sendAll([event])).toEqual([]);
  const second = eventOf(id);
  expect(await sendAll([second])).toEqual([notBooked(second, id, 'canceled')]);
});

test('the first event about a transfer that finance has booked is not in the log, and a second one is', async () => {
  const { id } = await begin(await listing());
  await book(id);
  const first = eventOf(id);
  expect(await sendAll([first, first])).toEqual([]);
  const second = eventOf(id);
  expect(await sendAll([second])).toEqual([notBooked(second, id, 'succeeded')]);
  await assertPaid(id);
});

test('an event about a payment that does not exist is in the log', async () => {
  const event = eventOf('pay_unknown');
  expect(await sendAll([event])).toEqual([
    [{ paymentEventId: event.id, paymentId: 'pay_unknown', state: null }, expect.any(String)],
  ]);
});

test('a transfer that is booked has one audit event, wherever the process that books it dies', async () => {
  let [isDead, write] = [true, 0];
  for (; isDead; write += 1) {
    const { id } = await begin(await listing());
    const [amount, idempotencyKey] = [deposit, unique('key')];
    const bookOnce = () => finance.bookPayment({ paymentId: id, amount, idempotencyKey });
    const audited = async () => {
      const object = await collection('provider_objects').findOne({ ownId: id });
      const filter = { action: 'bookPayment', 'target.id': id };
      return [object?.status !== 'requires_action', await collection('audit_events').countDocuments(filter)];
    };
    isDead = await dieWithin({ write, isBehind: false }, bookOnce);
    const [isBooked, events] = await audited();
    expect([write, events]).toEqual([write, isBooked ? 1 : 0]);
    await collection('idempotency_keys').updateMany(
      { state: 'running' },
      { $set: { leaseUntil: new Date(0) } },
    );
    expect(await bookOnce()).not.toBeRefused();
    expect([write, ...(await audited())]).toEqual([write, true, 1]);
  }
  expect(write).toBeGreaterThan(5);
});

test('a transfer whose process dies before it is booked is refused when it is repeated after the payment was canceled', async () => {
  const { id: paymentId } = await begin(await listing());
  const order = { paymentId, amount: deposit, idempotencyKey: unique('key') };
  expect(await dieWithin({ write: 1, isBehind: false }, () => finance.bookPayment(order))).toBe(true);
  await assertUnpaid(paymentId);
  expect((await buyer.cancelPayment({ paymentId })).payment).toMatchObject({ state: 'CANCELED' });
  await collection('idempotency_keys').updateMany(
    { state: 'running' },
    { $set: { leaseUntil: new Date(0) } },
  );
  expect(await finance.bookPayment(order)).toBeRefused(409, 'invalid_transition');
});
