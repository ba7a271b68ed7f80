import { makeSale, type Sale, waitFor } from '../../../../test/crashes/moneyWorld.ts';
import { loggedErrors } from '../../../../test/support/loggedErrors.ts';
import { unique } from '../../../../test/support/seed.ts';
import type { StripeObject } from '../../../../test/support/servers/openStripeStore.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { RefundModel } from './record/model.ts';
import { refundSteps } from './refundSteps.ts';

const world = stripeProduct({ timeoutMs: 500 });
const { market } = world;
const amount = 5000;
const day = 24 * 3_600_000;
let sale: Sale;
beforeEach(async () => {
  world.stripe.faults = [];
  sale = await makeSale(world);
});
afterEach(() => {
  interceptWrites(null);
  world.stack.resetClock();
});

const order = () => ({
  paymentId: sale.paymentId,
  amount: { amount, currency: 'EUR' },
  reason: 'OTHER' as const,
  idempotencyKey: unique('key'),
});
const stored = () => market.records(RefundModel).find({ paymentId: sale.paymentId });
const atStripe = () =>
  [...world.stripe.objects.values()].filter((one) => one.payment_intent === sale.intentId);

test.each(['lostAnswer', 'lateError'] as const)(
  'a refund that Stripe made without an answer (%s) is found a day later and made once',
  async (fault) => {
    world.stripe.faults = [fault, fault];
    const { refund } = await sale.garage.owner.createRefund(order());
    expect(refund).toMatchObject({ state: 'PENDING' });
    world.stripe.faults = [];
    world.stack.advance(day + 3_600_000);
    await world.stack.runJob('identity.refunds');
    expect(atStripe()).toMatchObject([{ amount, metadata: { refundId: refund.id } }]);
    expect(await stored()).toMatchObject([{ state: 'succeeded', ref: atStripe()[0]?.id }]);
    expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
  },
);

test('a refund that Stripe answered with an error it keeps is repeated under another key at once', async () => {
  world.stripe.faults = ['storedError'];
  await sale.garage.owner.createRefund(order());
  world.stack.advance(60_000);
  await world.stack.runJob('identity.refunds');
  expect(await stored()).toMatchObject([{ state: 'succeeded' }]);
  expect(atStripe()).toHaveLength(1);
});

test('a refund that Stripe refuses is canceled, and the money stays with the dealer', async () => {
  world.stripe.faults = ['refuse'];
  expect(await sale.garage.owner.createRefund(order())).toBeRefused(502, 'provider_error');
  expect(await stored()).toMatchObject([{ state: 'canceled', failureCode: 'amount_too_small', dueAt: null }]);
});

test('a refund of a payment that Stripe does not have is given up after a week, and is in the list of finance', async () => {
  world.stripe.objects.delete(sale.intentId);
  const { refund } = await sale.garage.owner.createRefund(order());
  expect(refund).toMatchObject({ state: 'PENDING' });
  await work(6 * day);
  expect(await stored()).toMatchObject([{ state: 'pending' }]);
  await work(2 * day);
  expect(await stored()).toMatchObject([
    { state: 'failed', failureCode: 'resource_missing', givenUpAt: expect.any(Date) },
  ]);
});

test('a refund whose response was lost stays pending while Stripe does not find its payment, and is made once', async () => {
  world.stripe.faults = ['silent'];
  const { refund } = await sale.garage.owner.createRefund(order());
  const intent = world.stripe.objects.get(sale.intentId);
  // As with the key of another account.
  world.stripe.objects.delete(sale.intentId);
  await work(60_000);
  expect(await stored()).toMatchObject([{ _id: refund.id, state: 'pending' }]);
  if (intent) world.stripe.objects.set(sale.intentId, intent);
  await work(day);
  expect(await stored()).toMatchObject([{ state: 'succeeded', ref: atStripe()[0]?.id }]);
  expect(atStripe()).toHaveLength(1);
});

test('a refund that Stripe refuses over a revoked key is pending until the key is replaced', async () => {
  world.stripe.faults = ['revokedKey'];
  const { refund } = await sale.garage.owner.createRefund(order());
  expect(refund).toMatchObject({ state: 'PENDING' });
  world.stack.advance(60_000);
  await world.stack.runJob('identity.refunds');
  expect(await stored()).toMatchObject([{ state: 'succeeded', tries: 0 }]);
});

test('a refund that waits for money of the platform is in the log, as a payout is', async () => {
  world.stripe.faults = ['error'];
  await sale.garage.owner.createRefund(order());
  const [refund] = await stored();
  if (!refund) throw new Error('The refund was not stored.');
  const { installation } = market;
  const scope = { installation, installationId: installation.id, platform: world.stack.platform };
  const failure = new ProviderFailure('later', 'balance_insufficient', 'Not enough money.');
  const errors = await loggedErrors(world.stack, async () => {
    const step = await refundSteps.afterFailure?.(scope, refund, failure);
    expect(step).toMatchObject({ changes: { dueAt: expect.any(Date) } });
  });
  const subject = { err: failure, refundId: refund._id };
  expect(errors).toEqual([[subject, expect.stringContaining('refund waits for money')]]);
});

/** A bank sends back the money of the refund that Stripe has made. */
function sendBack(): void {
  for (const one of atStripe())
    world.stripe.objects.set(one.id, {
      ...one,
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    });
}
/** Runs the job as if so much time had passed. */
async function work(aheadMs: number): Promise<void> {
  world.stack.advance(aheadMs);
  await world.stack.runJob('identity.refunds');
}

test.each([1, 29])(
  'a refund that fails on day %i after it succeeded is found without an event',
  async (days) => {
    await sale.garage.owner.createRefund(order());
    expect(await stored()).toMatchObject([{ state: 'succeeded' }]);
    for (let passed = 1; passed < days; passed += 1) await work(day);
    expect(await stored()).toMatchObject([{ state: 'succeeded' }]);
    sendBack();
    await work(2 * day);
    expect(await stored()).toMatchObject([{ state: 'failed', failureCode: 'expired_or_canceled_card' }]);
  },
);

test('a pending refund that Stripe does not have for a week is given up, and is in the list of finance', async () => {
  const finance = await market.staff('finance');
  const { refund } = await sale.garage.owner.createRefund(order());
  const [made] = atStripe();
  await market
    .records(RefundModel)
    .findOneAndUpdate({ _id: refund.id }, { $set: { state: 'pending', dueAt: new Date(0) } });
  world.stripe.objects.delete(String(made?.id));
  await work(0);
  await work(6 * day);
  expect(await stored()).toMatchObject([{ state: 'pending', givenUpAt: null }]);
  await work(2 * day);
  expect(await stored()).toMatchObject([{ state: 'failed', failureCode: 'resource_missing', dueAt: null }]);
  world.stack.resetClock();
  const { nodes } = await finance.failedRefunds({ first: 100 });
  expect(nodes).toContainEqual(expect.objectContaining({ id: refund.id }));
  await finance.retryRefund({ refundId: refund.id, idempotencyKey: unique('key') });
  await world.stack.runJob('identity.refunds');
  expect(await stored()).toMatchObject([{ state: 'succeeded', attempt: 2 }]);
  expect(atStripe()).toMatchObject([{ amount, metadata: { refundId: refund.id } }]);
});

test('a refund whose response was lost and that was given up as missing is found by a retry, and is not made twice', async () => {
  const finance = await market.staff('finance');
  world.stripe.faults = ['silent'];
  const { refund } = await sale.garage.owner.createRefund(order());
  const intent = world.stripe.objects.get(sale.intentId);
  // As with the key of another account.
  world.stripe.objects.delete(sale.intentId);
  await work(60_000);
  await work(8 * day);
  expect(await stored()).toMatchObject([{ state: 'failed', failureCode: 'resource_missing', ref: null }]);
  if (intent) world.stripe.objects.set(sale.intentId, intent);
  world.stack.resetClock();
  await finance.retryRefund({ refundId: refund.id, idempotencyKey: unique('key') });
  await work(8 * day);
  expect(atStripe()).toHaveLength(1);
  expect(await stored()).toMatchObject([{ state: 'succeeded', ref: atStripe()[0]?.id }]);
});

test('a refund that succeeded is read less and less often, for a month', async () => {
  await sale.garage.owner.createRefund(order());
  const [ref] = atStripe().map(({ id }) => id);
  for (let passed = 0; passed < 40; passed += 1) await work(day);
  const reads = world.stripe.calls.filter((call) => call === `GET /v1/refunds/${ref}`);
  expect(reads.length).toBeGreaterThan(3);
  expect(reads.length).toBeLessThan(8);
  expect(await stored()).toMatchObject([{ state: 'succeeded', dueAt: null, givenUpAt: null }]);
});

/** Refunds a payment as Stripe's dashboard does, which knows no records of the product. */
async function refundAtStripe(): Promise<StripeObject> {
  const { baseUrl, secretKey } = world.stripe;
  const response = await fetch(`${baseUrl}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams({ payment_intent: sale.intentId, amount: String(amount) }),
  });
  return (await response.json()) as StripeObject;
}
/** Errors that are logged while the event of a refund is processed. */
function errorsOf(refund: StripeObject): Promise<unknown[][]> {
  const { body, signature } = world.stripe.event(refund, { type: 'refund.updated' });
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  return loggedErrors(world.stack, async () => {
    await market.visitor.receivePaymentEvent(event);
    await world.stack.runJob('identity.payment-events');
  });
}

test('a refund that was made in the dashboard of Stripe is in the log, and one of the product is not', async () => {
  await sale.garage.owner.createRefund(order());
  const [own] = atStripe();
  if (!own) throw new Error('Stripe has no refund.');
  expect(await errorsOf(own)).toEqual([]);
  const foreign = await refundAtStripe();
  const subject = { paymentId: sale.paymentId, providerRef: foreign.id, amount, currency: 'EUR' };
  expect(await errorsOf(foreign)).toEqual([[subject, expect.stringContaining('not booked')]]);
});

test('a refund that fails while the job reads it is found by its event, not by the next scheduled read', async () => {
  await sale.garage.owner.createRefund(order());
  const [own] = atStripe();
  if (!own) throw new Error('Stripe has no refund.');
  let isSentBack = false;
  interceptWrites(async (write, proceed) => {
    if (write === 'refunds.findOneAndUpdate' && !isSentBack) {
      // The job has read the refund before.
      isSentBack = true;
      sendBack();
      await errorsOf(own);
    }
    return proceed();
  });
  await work(2 * day);
  expect(isSentBack).toBe(true);
  await work(0);
  expect(await stored()).toMatchObject([{ state: 'failed' }]);
});

test('a dealer is not closed while a refund is pending, whose money may return to the dealer', async () => {
  world.stripe.faults = ['error'];
  await sale.garage.owner.createRefund({ ...order(), amount: null });
  expect(await stored()).toMatchObject([{ state: 'pending' }]);
  const close = () => sale.garage.owner.closeDealer({ dealerId: sale.garage.id });
  expect(await close()).toBeRefused(409, 'open_obligations', { obligations: ['refunds'] });
  await work(60_000);
  expect(await stored()).toMatchObject([{ state: 'succeeded' }]);
  world.stack.resetClock();
  expect(await close()).not.toBeRefused();
});

test('a dealer is not closed while a refund has failed, whose money may return to the dealer', async () => {
  await sale.garage.owner.createRefund({ ...order(), amount: null });
  sendBack();
  await work(day);
  expect(await stored()).toMatchObject([{ state: 'failed' }]);
  world.stack.resetClock();
  const close = () => sale.garage.owner.closeDealer({ dealerId: sale.garage.id });
  expect(await close()).toBeRefused(409, 'open_obligations', { obligations: ['refunds'] });
  await work(2 * day);
  expect(await stored()).toMatchObject([{ state: 'succeeded', attempt: 2 }]);
  world.stack.resetClock();
  expect(await close()).not.toBeRefused();
});

test('a refund that succeeded and that Stripe no longer has stays succeeded, and is read for 30 days', async () => {
  await sale.garage.owner.createRefund(order());
  for (const { id } of atStripe()) world.stripe.objects.delete(id);
  for (const days of [2, 8, 10]) await work(days * day);
  expect(await stored()).toMatchObject([{ state: 'succeeded', dueAt: expect.any(Date) }]);
  await work(11 * day);
  expect(await stored()).toMatchObject([{ state: 'succeeded', dueAt: null, givenUpAt: null }]);
});

test('a full refund after a refund that Stripe refused returns the whole commission', async () => {
  world.stripe.faults = ['refuse'];
  expect(await sale.garage.owner.createRefund(order())).toBeRefused(502, 'provider_error');
  const { refund } = await sale.garage.owner.createRefund({ ...order(), amount: null });
  expect(refund).toMatchObject({ state: 'SUCCEEDED', feeRefunded: { amount: 1000 } });
});

test('the job does not request a refund while its request is in progress', async () => {
  const requests = () => world.stripe.calls.filter((call) => call === 'POST /v1/refunds').length;
  const before = requests();
  world.stripe.faults = ['hold'];
  const running = sale.garage.owner.createRefund(order());
  await waitFor(() => requests() > before);
  await world.stack.runJob('identity.refunds');
  expect(requests()).toBe(before + 1);
  expect((await running).refund).toMatchObject({ state: 'PENDING' });
});

test('a refund that is canceled after its dealer was closed is in the log, so that finance can transfer the money', async () => {
  await sale.garage.owner.createRefund({ ...order(), amount: null });
  expect(await sale.garage.owner.closeDealer({ dealerId: sale.garage.id })).not.toBeRefused();
  await world.stack.runJob('identity.dealer-closings');
  sendBack();
  await work(day);
  world.stripe.faults = ['refuse'];
  const errors = await loggedErrors(world.stack, () => work(2 * day));
  expect(await stored()).toMatchObject([{ state: 'canceled' }]);
  const subject = { dealerId: sale.garage.id, paymentId: sale.paymentId, amount: 11_300, currency: 'EUR' };
  expect(errors).toEqual([[subject, expect.stringContaining('closed dealer')]]);
});
