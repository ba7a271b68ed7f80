import { collection } from '../../../../test/authorization/world/collection.ts';
import { unique } from '../../../../test/support/seed.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { forgetPayer } from './forgetPayer.ts';

const world = stripeProduct();
const { market } = world;

/** A user with a kept card of Stripe. */
async function keepCard() {
  const buyer = await market.user();
  const { setup } = await buyer.createPaymentMethodSetup({});
  const paymentMethodId = setup.paymentMethod.id;
  const kept = { state: 'active', methodRef: unique('pm') };
  await collection('payment_methods').updateOne({ _id: paymentMethodId }, { $set: kept });
  return { buyer, paymentMethodId };
}

test('a payment method whose deletion was not answered is deleted by the next request', async () => {
  const { buyer, paymentMethodId } = await keepCard();
  world.stripe.faults = ['lateError'];
  expect(await buyer.deletePaymentMethod({ paymentMethodId })).toBeRefused(502, 'provider_error');
  expect(await buyer.deletePaymentMethod({ paymentMethodId })).not.toBeRefused();
  expect(await buyer.myPaymentMethods()).toEqual([]);
});

test.each(['method', 'customer'])(
  'an erasure whose %s was deleted at Stripe before goes on',
  async (what) => {
    const { buyer } = await keepCard();
    world.stripe.faults = what === 'method' ? ['lateError'] : ['none', 'lateError'];
    const { platform } = world.stack;
    const payer = { platform, installationId: market.installation.id, userId: buyer.id };
    await expect(forgetPayer(payer)).rejects.toMatchObject({ kind: 'unknown' });
    await forgetPayer(payer);
    for (const name of ['payment_methods', 'payment_customers'])
      expect(await collection(name).countDocuments({ userId: buyer.id })).toBe(0);
  },
);

/** A setup that its user has completed at Stripe, of which no event has arrived. */
async function completeSetup() {
  const buyer = await market.user();
  const { setup } = await buyer.createPaymentMethodSetup({});
  const paymentMethodId = setup.paymentMethod.id;
  const stored = await collection('payment_methods').findOne({ _id: paymentMethodId });
  const setupRef = String(stored?.setupRef);
  const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2039 };
  const method = {
    id: unique('pm'),
    object: 'payment_method',
    type: 'card',
    card,
    customer: stored?.customerRef,
  };
  const intent = { ...world.stripe.objects.get(setupRef), status: 'succeeded', payment_method: method };
  world.stripe.objects.set(setupRef, { id: setupRef, object: 'setup_intent', ...intent });
  return { buyer, paymentMethodId, methodRef: method.id };
}

test('a payment method whose event is lost is active when its user reads it a minute later', async () => {
  const { buyer } = await completeSetup();
  expect(await buyer.myPaymentMethods()).toMatchObject([{ state: 'PENDING' }]);
  world.stack.advance(61_000);
  expect(await buyer.myPaymentMethods()).toMatchObject([{ state: 'ACTIVE', brand: 'visa', last4: '4242' }]);
  world.stack.resetClock();
});

test('a payment method whose event is lost is kept when its user starts another setup two days later', async () => {
  const { buyer, paymentMethodId } = await completeSetup();
  const createdAt = new Date(Date.now() - 48 * 3_600_000);
  await collection('payment_methods').updateOne({ _id: paymentMethodId }, { $set: { createdAt } });
  world.stack.advance(61_000);
  await buyer.createPaymentMethodSetup({});
  world.stack.resetClock();
  expect(await collection('payment_methods').findOne({ _id: paymentMethodId })).toMatchObject({
    state: 'active',
  });
});

test('a payment method that is deleted before its event arrives is deleted at Stripe as well', async () => {
  const { buyer, paymentMethodId, methodRef } = await completeSetup();
  await buyer.deletePaymentMethod({ paymentMethodId });
  expect(await buyer.myPaymentMethods()).toEqual([]);
  expect(world.stripe.objects.get(methodRef)).toMatchObject({ customer: null });
});

const setupRefOf = async (_id: string) =>
  String((await collection('payment_methods').findOne({ _id }))?.setupRef);
const day = 24 * 3_600_000;

test.each(['deleted', 'left for a day', 'erased'])(
  'a pending setup that is %s can no longer be completed at Stripe',
  async (end) => {
    const buyer = await market.user();
    const { paymentMethod } = (await buyer.createPaymentMethodSetup({})).setup;
    const setupRef = await setupRefOf(paymentMethod.id);
    const [platform, installationId] = [world.stack.platform, market.installation.id];
    if (end === 'deleted') await buyer.deletePaymentMethod({ paymentMethodId: paymentMethod.id });
    if (end === 'erased') await forgetPayer({ platform, installationId, userId: buyer.id });
    if (end === 'left for a day') {
      const createdAt = new Date(Date.now() - 2 * day);
      await collection('payment_methods').updateOne({ _id: paymentMethod.id }, { $set: { createdAt } });
      await buyer.createPaymentMethodSetup({});
    }
    expect(await collection('payment_methods').findOne({ _id: paymentMethod.id })).toBeNull();
    expect(world.stripe.objects.get(setupRef)).toMatchObject({ status: 'canceled' });
  },
);

test.each([
  { name: 'not answered', fault: 'lateError' },
  { name: 'refused', fault: 'refuse' },
] as const)(
  'a deletion whose cancellation at Stripe is $name is completed by the next one',
  async ({ fault }) => {
    const buyer = await market.user();
    const paymentMethodId = (await buyer.createPaymentMethodSetup({})).setup.paymentMethod.id;
    const setupRef = await setupRefOf(paymentMethodId);
    world.stripe.faults = [fault];
    expect(await buyer.deletePaymentMethod({ paymentMethodId })).toBeRefused(502, 'provider_error');
    expect(await buyer.deletePaymentMethod({ paymentMethodId })).not.toBeRefused();
    expect(world.stripe.objects.get(setupRef)).toMatchObject({ status: 'canceled' });
  },
);

test('a setup that Stripe does not cancel stays until the next setup is created', async () => {
  const buyer = await market.user();
  const paymentMethodId = (await buyer.createPaymentMethodSetup({})).setup.paymentMethod.id;
  const createdAt = new Date(Date.now() - 2 * day);
  await collection('payment_methods').updateOne({ _id: paymentMethodId }, { $set: { createdAt } });
  const ids = async () => (await buyer.myPaymentMethods())?.map(({ id }) => id);
  world.stripe.faults = ['refuse'];
  await buyer.createPaymentMethodSetup({});
  expect(await ids()).toContain(paymentMethodId);
  await buyer.createPaymentMethodSetup({});
  expect(await ids()).not.toContain(paymentMethodId);
});

test('the last setup that the limit allows is answered again when its answer was lost', async () => {
  const buyer = await market.user();
  for (let count = 1; count < 10; count += 1) await buyer.createPaymentMethodSetup({});
  const input = { idempotencyKey: unique('key') };
  const { setup } = await buyer.createPaymentMethodSetup(input);
  const open = { state: 'running', payload: null, refusal: null, leaseUntil: new Date(0) };
  await collection('idempotency_keys').updateMany({}, { $set: open });
  expect((await buyer.createPaymentMethodSetup(input)).setup.paymentMethod.id).toBe(setup.paymentMethod.id);
  expect(await buyer.createPaymentMethodSetup({})).toBeRefused(409, 'method_limit');
});

test('a setup that Stripe answers with an error it keeps demands a new key, under which it succeeds', async () => {
  const buyer = await market.user();
  await buyer.createPaymentMethodSetup({});
  const input = { idempotencyKey: unique('key') };
  world.stripe.faults = ['storedError'];
  const refused = await buyer.createPaymentMethodSetup(input);
  expect(refused).toBeRefused(502, 'provider_error', {
    detail: expect.stringContaining('new Idempotency-Key'),
  });
  expect(await buyer.createPaymentMethodSetup({ idempotencyKey: unique('key') })).not.toBeRefused();
});
