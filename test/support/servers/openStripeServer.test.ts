import Stripe from 'stripe';
import { openStripeServer, type StripeServer } from './openStripeServer.ts';
import { feeOf, worthOf } from './stripeMoney.ts';

const dayMs = 24 * 3_600_000;
const clock = { aheadMs: 0 };
let server: StripeServer;
let stripe: Stripe;
beforeAll(async () => {
  server = await openStripeServer(() => Date.now() + clock.aheadMs);
  const { port, hostname: host } = new URL(server.baseUrl);
  const options = { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const;
  stripe = new Stripe(server.secretKey, options);
});
afterAll(() => server.close());

const eur = { currency: 'eur' } as const;
/** Adds money to the platform's account, including the fee of its capture, and creates an account for transfers. */
async function fund(amount: number) {
  const { id } = await stripe.paymentIntents.create({ ...eur, amount, capture_method: 'manual' });
  server.confirm(id, 'pm_card_visa');
  await stripe.paymentIntents.capture(id);
  const topup = { id: `tu_of_${id}`, object: 'topup', amount: feeOf(amount), ...eur };
  server.objects.set(topup.id, topup);
  return { intent: id, account: (await stripe.accounts.create({ type: 'express' })).id };
}
const held = (account: string | null) => server.balance(account, 'eur');

test('the Stripe server moves balances with transfers, payouts, reversals and refunds, and never below zero', async () => {
  const before = held(null);
  const { intent, account } = await fund(1000);
  const send = (amount: number) => stripe.transfers.create({ ...eur, amount, destination: account });
  await expect(send(before + 1001)).rejects.toMatchObject({ code: 'balance_insufficient' });
  const transfer = await send(600);
  expect([held(null) - before, held(account)]).toEqual([400, 600]);
  const own = { stripeAccount: account };
  await expect(stripe.payouts.create({ ...eur, amount: 601 }, own)).rejects.toMatchObject({
    code: 'balance_insufficient',
  });
  const payout = await stripe.payouts.create({ ...eur, amount: 500 }, own);
  await expect(stripe.transfers.createReversal(transfer.id, {})).rejects.toMatchObject({
    code: 'balance_insufficient',
  });
  server.setPayout(payout.id, 'paid');
  expect(held(account)).toBe(100);
  server.setPayout(payout.id, 'failed');
  expect(held(account)).toBe(600);
  await stripe.transfers.createReversal(transfer.id, {});
  await stripe.refunds.create({ payment_intent: intent, amount: 300 });
  expect([held(null) - before, held(account)]).toEqual([700, 0]);
  await expect(stripe.transfers.createReversal(transfer.id, {})).rejects.toThrow('reversed');
  await expect(stripe.payouts.retrieve(payout.id)).rejects.toMatchObject({ code: 'resource_missing' });
  expect(await stripe.payouts.retrieve(payout.id, {}, own)).toMatchObject({ status: 'failed' });
});

test('a dispute on the Stripe server withdraws amount and fee, and returns only the amount if it is won', async () => {
  const { intent } = await fund(1000);
  const before = held(null);
  const refund = () => stripe.refunds.create({ payment_intent: intent, amount: 100 });
  const inquiry = server.dispute(intent, { amount: 400, isInquiry: true });
  expect(held(null) - before).toBe(0);
  await refund();
  server.setDispute(inquiry.id, 'needs_response');
  expect(held(null) - before).toBe(-100 - 400 - 1500);
  await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' });
  server.setDispute(inquiry.id, 'won');
  expect(held(null) - before).toBe(-100 - 1500);
  await refund();
  const lost = server.dispute(intent, { amount: 600, fee: 0 });
  server.setDispute(lost.id, 'lost');
  await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' });
  expect(held(null) - before).toBe(-200 - 1500 - 600);
  const question = server.dispute((await fund(1000)).intent, { isInquiry: true });
  server.setDispute(question.id, 'warning_closed');
  expect(held(null) - before).toBe(1000 - 200 - 1500 - 600);
  expect(() => server.dispute(intent)).toThrow('cannot dispute');
});

test('the Stripe server replays answers and errors for an idempotency key for a day', async () => {
  const { account: destination } = await fund(1000);
  const send = (idempotencyKey: string, amount = 10) =>
    stripe.transfers.create({ ...eur, amount, destination }, { idempotencyKey });
  const first = await send('a');
  expect((await send('a')).id).toBe(first.id);
  await expect(send('a', 11)).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
  server.faults = ['storedError'];
  await expect(send('b')).rejects.toMatchObject({ statusCode: 500 });
  await expect(send('b')).rejects.toMatchObject({
    statusCode: 500,
    headers: { 'idempotent-replayed': 'true' },
  });
  server.faults = ['lateError'];
  await expect(send('c')).rejects.toMatchObject({ statusCode: 500 });
  server.faults = ['error'];
  await expect(send('d')).rejects.toMatchObject({ statusCode: 500 });
  await send('d');
  expect(held(destination)).toBe(30);
  clock.aheadMs += dayMs;
  expect((await send('a')).id).not.toBe(first.id);
  await send('b');
  await send('c');
  expect(held(destination)).toBe(60);
});

test('the Stripe server formats amounts with the digits of their currency and refuses invalid amounts', async () => {
  for (const [amount, currency, worth] of [
    [500, 'jpy', '500 jpy'],
    [500, 'isk', '5.00 isk'],
    [500, 'ugx', '5.00 ugx'],
    [5, 'mga', '5 mga'],
    [5120, 'kwd', '5.120 kwd'],
    [1045, 'huf', '10.45 huf'],
  ] as const) {
    expect(worthOf({ amount, currency })).toBe(worth);
    expect(await stripe.paymentIntents.create({ amount, currency })).toMatchObject({ amount });
  }
  for (const [amount, currency] of [
    [505, 'isk'],
    [5, 'ugx'],
    [5124, 'kwd'],
    [1000, 'iqd'],
    [0, 'eur'],
  ] as const)
    await expect(stripe.paymentIntents.create({ amount, currency })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
    });
});

test('the Stripe server charges a fee for a capture, which a refund does not return', async () => {
  const before = held(null);
  const amount = 12_300;
  const { id } = await stripe.paymentIntents.create({ ...eur, amount, capture_method: 'manual' });
  server.confirm(id, 'pm_card_visa');
  const expand = ['latest_charge.balance_transaction'];
  const { latest_charge } = await stripe.paymentIntents.capture(id, { expand });
  const moved = { amount, fee: 210, net: amount - 210, currency: 'eur' };
  expect(latest_charge).toMatchObject({ balance_transaction: moved });
  expect(held(null) - before).toBe(moved.net);
  expect((await stripe.paymentIntents.retrieve(id)).latest_charge).toMatch(/^ch_/);
  await stripe.refunds.create({ payment_intent: id, amount });
  expect(held(null) - before).toBe(-210);
});
