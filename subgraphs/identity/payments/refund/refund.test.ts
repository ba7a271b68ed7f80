import { storePayment } from '../../../../test/authorization/world/storePayment.ts';
import { sellThrough } from '../../../../test/support/people/sellThrough.ts';
import { post } from '../../../../test/support/post.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dealerAccount } from '../ledger/accounts.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { ProviderObjectModel } from '../payment-provider/kept/model.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';

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
afterEach(async () => {
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});

const eur = (amount: number, currency = 'EUR') => ({ amount, currency });
const scope = () => ({
  installationId: market.installation.id,
  installation: market.installation,
  platform: world.stack.platform,
});
const sell = (options: Partial<Parameters<typeof sellThrough>[2]> = {}) =>
  sellThrough(world.stack, market.installation, { payerId: buyer.id, dealerId: garage.id, ...options });
const refund = (
  paymentId: string,
  changes: Partial<Parameters<SeededUser['createRefund']>[0]> = {},
  by = garage.owner,
) => by.createRefund({ paymentId, reason: 'OTHER', idempotencyKey: unique('key'), ...changes });
const part = (paymentId: string, amount: number) => refund(paymentId, { amount: eur(amount) });
const balance = async () => (await garage.owner.dealerBalance({ dealerId: garage.id })).balances[0];
/** Pending and available together. */
const earned = async () => {
  const { pending = 0, available = 0 } = (await balance()) ?? {};
  return pending + available;
};
const refunds = () => scoped(RefundModel, market.installation.id);
const stored = async (_id: string) => (await refunds().findOne({ _id })) as RefundRecord;
const refundedOf = async (_id: string) =>
  (await scoped(PaymentModel, market.installation.id).findOne({ _id }))?.amountRefunded;
/** The payment as the provider holds it. */
const provided = () => scoped(ProviderObjectModel, market.installation.id);

test('a refund shows its payment as it is after the refund', async () => {
  const order = { reason: 'OTHER', amount: eur(2300), idempotencyKey: unique('key') } as const;
  const answer = await garage.owner.createRefund(
    { paymentId: await sell(), ...order },
    'refund { payment { amountRefunded { amount } } }',
  );
  expect(answer.refund.payment).toEqual({ amountRefunded: { amount: 2300 } });
});

test('a full refund takes the earnings from the dealer and returns the commission', async () => {
  const paymentId = await sell();
  const made = await refund(paymentId, { reason: 'REQUESTED_BY_CUSTOMER' });
  const { id } = made.refund;
  expect(made.refund).toMatchObject({
    paymentId,
    amount: eur(price),
    reason: 'REQUESTED_BY_CUSTOMER',
    state: 'SUCCEEDED',
    feeRefunded: eur(fee),
  });
  expect(await balance()).toMatchObject({ pending: 0, available: 0, held: 0 });
  const select = 'amountRefunded { amount } refunds { id feeRefunded { amount } }';
  expect(await garage.owner.payment({ paymentId }, select)).toEqual({
    amountRefunded: { amount: price },
    refunds: [{ id, feeRefunded: { amount: fee } }],
  });
  expect((await buyer.payment({ paymentId }, select)).refunds).toEqual([{ id, feeRefunded: null }]);
  expect(await part(paymentId, 1)).toBeRefused(409, 'refund_exceeds_captured');
});

test('refunds in parts return the whole commission, to the last cent', async () => {
  const paymentId = await sell({ heldDays: 0 });
  for (const amount of [1, 333, 5000, price - 5334]) expect(await part(paymentId, amount)).not.toBeRefused();
  expect(await balance()).toMatchObject({ pending: 0, available: 0 });
  const parts = await refunds().find({ paymentId });
  expect(parts.reduce((sum, one) => sum + one.feeAmount + one.feeTaxAmount, 0)).toBe(fee);
});

test('a refund gives a commission above the payment back to the account that it was taken from', async () => {
  const excess = 700;
  const above = { rateBps: 0, fixed: price + excess, amount: price + excess, taxRateBps: 0, taxAmount: 0 };
  const changes = { fee: { ...above, frozenAt: new Date() } };
  for (const heldDays of [0, 7]) {
    const paymentId = await sell({ heldDays, changes });
    expect(await earned()).toBe(-excess);
    expect(await refund(paymentId)).not.toBeRefused();
    expect(await balance()).toMatchObject({ pending: 0, available: 0 });
  }
});

test('a refund is paid from the earnings of its payment although another payment owes more commission than it earned', async () => {
  const above = { rateBps: 0, fixed: 13_000, amount: 13_000, taxRateBps: 0, taxAmount: 0 };
  await sell({ changes: { fee: { ...above, frozenAt: new Date() } } });
  const paymentId = await sell();
  expect(await refund(paymentId)).not.toBeRefused();
  expect(await balance()).toMatchObject({ pending: price - 13_000, available: 0 });
});

test('of fifty concurrent refunds only those that the payment covers are made', async () => {
  const paymentId = await sell();
  const answers = await Promise.all(Array.from({ length: 50 }, () => part(paymentId, 1000)));
  const refused = answers.filter(isRefused);
  expect(refused).toHaveLength(38);
  for (const one of refused) expect(one).toBeRefused(409, 'refund_exceeds_captured');
  expect(await refundedOf(paymentId)).toBe(12_000);
  const object = await provided().findOne({ ownId: paymentId });
  expect(object?.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(12_000);
});

test('a refund is refused when the dealer has been paid out its money', async () => {
  const paymentId = await sell({ heldDays: 0 });
  const amount = price - fee - 500;
  const line = (account: 'available' | 'in_payout', value: number) => ({
    account: dealerAccount(garage.id, account),
    ...eur(value),
  });
  await post(scope(), {
    kind: 'payout',
    source: { type: 'payout', id: newId('payout') },
    dealerId: garage.id,
    currency: 'EUR',
    postings: [line('available', -amount), line('in_payout', amount)],
  });
  expect(await part(paymentId, 5000)).toBeRefused(409, 'insufficient_balance');
  expect(await refundedOf(paymentId)).toBe(0);
  expect(await garage.owner.payment({ paymentId }, 'refunds { id }')).toEqual({ refunds: [] });
  expect(await part(paymentId, 400)).not.toBeRefused();
});

test('a refund is refused for an authorized payment, beyond the captured amount and with invalid members', async () => {
  const authorized = await storePayment(market.installation.id, buyer.id, garage.id);
  expect(await part(authorized, 1)).toBeRefused(409, 'refund_exceeds_captured');
  const paymentId = await sell();
  expect(await part(paymentId, price + 1)).toBeRefused(409, 'refund_exceeds_captured');
  for (const changes of [
    { amount: eur(0) },
    { amount: eur(-1) },
    { amount: eur(1, 'USD') },
    { note: 'x'.repeat(501) },
  ])
    expect(await refund(paymentId, changes)).toBeRefused(422, 'validation_failed');
  expect(await refundedOf(paymentId)).toBe(0);
});

test('a refund of what the installation sold is booked without a dealer', async () => {
  const { id: installationId } = market.installation;
  const payee = { type: 'installation', id: installationId } as const;
  const paymentId = await sell({ changes: { payee, fee: null } });
  const made = await refund(paymentId, { amount: eur(200) }, await market.staff('finance'));
  expect(made.refund).toMatchObject({ state: 'SUCCEEDED' });
  const booked = await scoped(LedgerTransactionModel, installationId).find({ 'source.id': made.refund.id });
  expect(booked).toMatchObject([{ kind: 'refund', dealerId: null }]);
});

test('a refund that the provider refuses is canceled, and the money stays with the dealer', async () => {
  const paymentId = await sell();
  await provided().findOneAndUpdate({ ownId: paymentId }, { $set: { amountCaptured: 0 } });
  expect(await part(paymentId, 5000)).toBeRefused(502, 'provider_error');
  expect(await earned()).toBe(price - fee);
  expect(await refundedOf(paymentId)).toBe(0);
  const [canceled] = await refunds().find({ paymentId });
  expect(canceled).toMatchObject({ state: 'canceled' });
  const transactions = scoped(LedgerTransactionModel, market.installation.id);
  const booked = await transactions.find({ 'source.id': String(canceled?._id) });
  expect(booked.map(({ kind }) => kind).sort()).toEqual(['refund', 'refund_failure']);
});

test('the job completes a refund from every step at which a process can end, once', async () => {
  const paymentId = await sell();
  const { id } = (await part(paymentId, 5000)).refund;
  const { ref } = await stored(id);
  const cut = { state: 'pending', ref: null, dueAt: new Date(0) } as const;
  const steps: Partial<RefundRecord>[] = [{}, { ref }, { state: 'failed', attempt: 1 }];
  for (const step of steps) {
    await refunds().findOneAndUpdate({ _id: id }, { $set: { ...cut, ...step } });
    await world.stack.runJob('identity.refunds');
    expect(await stored(id)).toMatchObject({ state: 'succeeded', failureCode: null });
  }
  expect((await provided().findOne({ ownId: paymentId }))?.refunds).toHaveLength(1);
  expect(await refundedOf(paymentId)).toBe(5000);
  expect(await earned()).toBe(price - fee - 5000 + 406);
});
