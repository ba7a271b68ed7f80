import { storePayment } from '../../../test/authorization/storePayment.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../test/support/seed.ts';
import { sellThrough } from '../../../test/support/sellThrough.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { dealerAccount } from '../ledger/accounts.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { PaymentModel } from '../payment/model.ts';
import { ProviderObjectModel } from '../payment-provider/kept/model.ts';
import { RefundModel } from './model.ts';
import { fundRefund } from './postRefund.ts';

const world = product();
const { market } = world;
const price = 12_300;
const fee = 1000;

let garage: SeededDealer;
let buyer: SeededUser;

beforeAll(async () => {
  buyer = await market.user();
});
beforeEach(async () => {
  garage = await market.dealer();
});

const scope = () => ({
  installationId: market.installation.id,
  installation: market.installation,
  platform: world.stack.platform,
});
const sell = (options: Partial<Parameters<typeof sellThrough>[2]> = {}) =>
  sellThrough(world.stack, market.installation, { payerId: buyer.id, dealerId: garage.id, ...options });
const refund = (paymentId: string, amount: number | null, key = unique('key'), token = garage.owner.token) =>
  world.rest('POST', `/api/v1/payments/${paymentId}/refunds`, {
    token,
    body: {
      reason: 'requested_by_customer',
      ...(amount === null ? {} : { amount: { amount, currency: 'EUR' } }),
    },
    headers: { 'idempotency-key': key },
  });
const balance = async () =>
  (await world.rest('GET', `/api/v1/dealers/${garage.id}/balance`, { token: garage.owner.token })).body
    .balances[0];
const payment = async (id: string, token = garage.owner.token) =>
  (await world.rest('GET', `/api/v1/payments/${id}`, { token })).body;
const refunds = () => scoped(RefundModel, market.installation.id);
const stored = (id: string) => refunds().findOne({ _id: id });
const payments = () => scoped(PaymentModel, market.installation.id);
const spend = (amount: number) => {
  const line = (account: string, value: number) => ({ account, currency: 'EUR', amount: value });
  return postTransaction(scope(), {
    kind: 'payout',
    source: { type: 'payout', id: newId('payout') },
    dealerId: garage.id,
    currency: 'EUR',
    postings: [
      line(dealerAccount(garage.id, 'available'), -amount),
      line(dealerAccount(garage.id, 'in_payout'), amount),
    ],
  });
};

test('a payment that is refunded whole leaves nothing with the dealer, and its commission comes back', async () => {
  const id = await sell();
  const made = await refund(id, null);
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({
      paymentId: id,
      amount: { amount: price, currency: 'EUR' },
      reason: 'requested_by_customer',
      state: 'succeeded',
      feeRefunded: { amount: fee, currency: 'EUR' },
    }),
  ]);
  expect(await balance()).toMatchObject({ pending: 0, available: 0, held: 0 });
  const seen = await payment(id);
  expect(seen.amountRefunded.amount).toBe(price);
  expect(seen.refunds).toMatchObject([{ id: made.body.id, state: 'succeeded' }]);
  const byPayer = await payment(id, buyer.token);
  expect(byPayer.refunds).toMatchObject([{ id: made.body.id, feeRefunded: null }]);
  expect((await refund(id, 1)).body.code).toBe('refund_exceeds_captured');
});

test('in parts it gives back the same, to the last cent', async () => {
  const id = await sell({ heldDays: 0 });
  for (const amount of [1, 333, 5000, price - 5334]) expect((await refund(id, amount)).status).toBe(201);
  expect(await balance()).toMatchObject({ pending: 0, available: 0 });
  const parts = await refunds().find({ paymentId: id });
  expect(parts.reduce((sum, one) => sum + one.feeAmount + one.feeTaxAmount, 0)).toBe(fee);
});

test('of fifty refunds at once as many are made as the payment covers, and a key makes one', async () => {
  const id = await sell();
  const many = await Promise.all(Array.from({ length: 50 }, () => refund(id, 1000)));
  const made = many.filter(({ status }) => status === 201);
  expect(made).toHaveLength(12);
  for (const { status, body } of many) if (status !== 201) expect(body.code).toBe('refund_exceeds_captured');
  expect((await payments().findOne({ _id: id }))?.amountRefunded).toBe(12_000);
  const key = unique('key');
  const same = await Promise.all(Array.from({ length: 20 }, () => refund(id, 100, key)));
  expect(new Set(same.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))).size).toBe(1);
  expect((await payments().findOne({ _id: id }))?.amountRefunded).toBe(12_100);
  const provided = await scoped(ProviderObjectModel, market.installation.id).findOne({ ownId: id });
  expect(provided?.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(12_100);
});

test('nobody gives back what he does not have any more', async () => {
  const id = await sell({ heldDays: 0 });
  await spend(price - fee - 500);
  const { status, body } = await refund(id, 5000);
  expect([status, body.code]).toEqual([409, 'insufficient_balance']);
  expect((await payments().findOne({ _id: id }))?.amountRefunded).toBe(0);
  expect((await payment(id)).refunds).toEqual([]);
  expect((await refund(id, 400)).status).toBe(201);
});

test('what cannot be refunded is refused with its reason', async () => {
  const authorized = await storePayment(market.installation.id, buyer.id, garage.id);
  const id = await sell();
  const call = (body: object) =>
    world.rest('POST', `/api/v1/payments/${id}/refunds`, {
      token: garage.owner.token,
      body,
      headers: { 'idempotency-key': unique('key') },
    });
  const eur = (amount: number, currency = 'EUR') => ({ amount: { amount, currency } });
  const reason = 'other';
  const got = [
    await refund(authorized, 1),
    await refund(id, price + 1),
    await call({ reason, ...eur(0) }),
    await call({ reason, ...eur(-1) }),
    await call({ reason, ...eur(1, 'USD') }),
    await call({ reason, note: 'x'.repeat(501) }),
    await call({}),
    await refund(id, 1, unique('key'), buyer.token),
    await refund(newId('payment'), 1),
    await world.rest('POST', `/api/v1/payments/${id}/refunds`, {
      token: garage.owner.token,
      body: { reason },
    }),
  ].map(({ status, body }) => `${status} ${body.code}`);
  expect(got).toEqual([
    '409 refund_exceeds_captured',
    '409 refund_exceeds_captured',
    '422 validation_failed',
    '422 validation_failed',
    '422 validation_failed',
    '422 validation_failed',
    '422 validation_failed',
    '403 ownership_required',
    '404 not_found',
    '400 idempotency_key_required',
  ]);
  expect((await payments().findOne({ _id: id }))?.amountRefunded).toBe(0);
});

test('the staff that may refund refunds for a dealer, and what the installation sold comes from its fees', async () => {
  const finance = (await market.staff('finance')).token;
  expect((await refund(await sell(), 100, unique('key'), finance)).status).toBe(201);
  const { id: installationId } = market.installation;
  const promotion = await sell({
    changes: { payee: { type: 'installation', id: installationId }, fee: null },
  });
  const made = await refund(promotion, 200, unique('key'), finance);
  expect(made.body).toMatchObject({ state: 'succeeded' });
  const written = await scoped(LedgerTransactionModel, installationId).find({ 'source.id': made.body.id });
  expect(written.map(({ kind, dealerId }) => [kind, dealerId])).toEqual([['refund', null]]);
});

test('a refund that the provider refuses is called off: the money is the dealer’s, and nothing counts', async () => {
  const id = await sell();
  await scoped(ProviderObjectModel, market.installation.id).findOneAndUpdate(
    { ownId: id },
    { $set: { amountCaptured: 0 } },
  );
  const { status, body } = await refund(id, 5000);
  expect([status, body.code]).toEqual([502, 'provider_error']);
  const total = await balance();
  expect(total.pending + total.available).toBe(price - fee);
  expect((await payments().findOne({ _id: id }))?.amountRefunded).toBe(0);
  expect((await payment(id)).refunds).toMatchObject([{ state: 'canceled' }]);
});

test('whatever step a process ended at, the job goes on, once', async () => {
  const id = await sell();
  const made = await refund(id, 5000);
  const before = { state: 'pending' as const, ref: null, dueAt: new Date(0) };
  const again = async (changes: object) => {
    await refunds().findOneAndUpdate({ _id: made.body.id }, { $set: { ...before, ...changes } });
    await world.stack.runJob('identity.refunds');
    expect(await stored(made.body.id)).toMatchObject({ state: 'succeeded', isFunded: true, dueAt: null });
  };
  await again({ isFunded: false });
  await again({ isFunded: true });
  await again({ isFunded: true, ref: (await stored(made.body.id))?.ref ?? null });
  await again({ state: 'failed', attempt: 1 });
  const provided = await scoped(ProviderObjectModel, market.installation.id).findOne({ ownId: id });
  expect(provided?.refunds).toHaveLength(1);
  expect((await payments().findOne({ _id: id }))?.amountRefunded).toBe(5000);
  const total = await balance();
  expect(total.pending + total.available).toBe(price - fee - 5000 + 406);
});

test('one that was called off while its money was being taken gives it back', async () => {
  const id = await sell();
  const made = await refund(id, 5000);
  const record = await stored(made.body.id);
  await refunds().findOneAndUpdate(
    { _id: made.body.id },
    { $set: { state: 'canceled', isFunded: false, dueAt: null } },
  );
  if (!record) throw new Error('There is no refund.');
  await expect(fundRefund(scope(), { ...record, state: 'pending', isFunded: false })).rejects.toMatchObject({
    code: 'insufficient_balance',
  });
  const total = await balance();
  expect(total.pending + total.available).toBe(price - fee);
});

test('after all that the balances are what the journal says', async () => {
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});
