import { collection } from '../../../../../test/authorization/world/collection.ts';
import { loggedErrors } from '../../../../../test/support/loggedErrors.ts';
import { payableDealer, listingPrice as price } from '../../../../../test/support/people/payableDealer.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../../test/support/seed.ts';
import type { StripeFault } from '../../../../../test/support/servers/openStripeServer.ts';
import { stripeProduct } from '../../../../../test/support/stripeProduct.ts';

const world = stripeProduct();
const { market } = world;
const minute = 60_000;
let garage: SeededDealer;
let buyer: SeededUser;
let listingId: string;
beforeEach(async () => {
  garage = await payableDealer(market);
  listingId = (await garage.listing({ published: true, price })).id;
  buyer = await market.user();
});
afterEach(() => {
  world.stripe.faults = [];
  world.stack.resetClock();
});

const always = (fault: StripeFault) => Array.from({ length: 1000 }, () => fault);
/** Pays with a card that succeeds; the order itself is accepted, and these faults meet what follows. */
const pay = async (
  purpose: 'DEPOSIT' | 'PURCHASE',
  faults: StripeFault[],
  captureMethod: 'AUTOMATIC' | 'MANUAL' = 'AUTOMATIC',
) => {
  const { setup } = await buyer.createPaymentMethodSetup({});
  const paymentMethodId = setup.paymentMethod.id;
  const kept = { state: 'active', methodRef: 'pm_card_visa' };
  await collection('payment_methods').updateOne({ _id: paymentMethodId }, { $set: kept });
  world.stripe.faults = ['none', ...faults];
  const order = { purpose, listingId, paymentMethodId, captureMethod, idempotencyKey: unique('key') };
  return (await buyer.createPayment(order)).payment;
};
const intentOf = async (paymentId: string) => {
  const payment = await collection('payments').findOne({ _id: paymentId });
  return world.stripe.objects.get(String(payment?.providerRef));
};
const orders = (intentId: string) =>
  world.stripe.calls.filter((call) => call.startsWith(`POST /v1/payment_intents/${intentId}/`));

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'a %s whose capture the provider refuses for good fails, and its money and listing are released',
  async (purpose) => {
    const { id, state, failure } = await pay(purpose, ['refuse']);
    expect({ state, failure }).toMatchObject({ state: 'FAILED', failure: { code: 'provider_error' } });
    const intent = await intentOf(id);
    expect(intent).toMatchObject({ status: 'canceled' });
    expect(orders(String(intent?.id)).map((call) => call.split('/').at(-1))).toEqual(['capture', 'cancel']);
    const listing = await collection('listings').findOne({ _id: listingId });
    expect(listing).toMatchObject({ state: 'active', reservation: null });
    expect(await collection('payments').findOne({ _id: id })).toMatchObject({
      operation: null,
      checkAt: null,
    });
  },
);

test.each(['DEPOSIT', 'PURCHASE'] as const)(
  'a %s whose capture and cancellation are refused is asked about ever more rarely, and captured when it can be',
  async (purpose) => {
    const { id, state } = await pay(purpose, always('refuse'));
    expect(state).toBe('PROCESSING');
    for (let passed = 0; passed < 60; passed += 1) {
      world.stack.advance(minute);
      await world.stack.runJob('identity.payment-checks');
    }
    const intent = await intentOf(id);
    expect(orders(String(intent?.id)).length).toBeLessThan(20);
    world.stripe.faults = [];
    world.stack.advance(60 * minute);
    await world.stack.runJob('identity.payment-checks');
    world.stack.resetClock();
    expect(await buyer.payment({ paymentId: id })).toMatchObject({ state: 'SUCCEEDED', failure: null });
    expect(world.stripe.charges.get(String(intent?.id))).toBe(1);
  },
);

test.each([
  ['capturePayment', 'SUCCEEDED'],
  ['cancelPayment', 'CANCELED'],
] as const)(
  '%s is carried out although the provider refused an earlier request, whose key repeats the refusal',
  async (mutation, state) => {
    const { id: paymentId } = await pay('PURCHASE', [], 'MANUAL');
    const intent = await intentOf(paymentId);
    const set = (status: string) => intent && world.stripe.objects.set(intent.id, { ...intent, status });
    const request = () => garage.owner[mutation]({ paymentId, idempotencyKey: unique('key') });
    set('processing');
    expect(await request()).toBeRefused(502, 'provider_error');
    set('requires_capture');
    expect((await request()).payment).toMatchObject({ state });
  },
);

test.each(['capturePayment', 'cancelPayment', null] as const)(
  'an authorized payment (%s) that the provider no longer has is canceled when it expires, and releases its listing',
  async (mutation) => {
    const { id: paymentId } = await pay('PURCHASE', [], 'MANUAL');
    world.stripe.objects.delete(String((await intentOf(paymentId))?.id));
    if (mutation)
      expect(
        (await garage.owner[mutation]({ paymentId, idempotencyKey: unique('key') })).payment,
      ).toMatchObject({
        state: 'AUTHORIZED',
        pending: true,
      });
    for (let day = 1; day < 9; day += 1) {
      world.stack.advance(24 * 60 * minute);
      await world.stack.runJob('identity.payment-checks');
      await world.stack.runJob('identity.payment-ends');
      if (day < 7)
        expect(await collection('payments').findOne({ _id: paymentId })).toMatchObject({
          state: 'authorized',
        });
    }
    expect(await collection('payments').findOne({ _id: paymentId })).toMatchObject({
      state: 'canceled',
      operation: null,
      endsAt: null,
      checkAt: null,
    });
    const listing = await collection('listings').findOne({ _id: listingId });
    expect(listing).toMatchObject({ state: 'active', reservation: null });
  },
);

test.each([['capture'], [null]] as const)(
  'a payment that is processing (operation %s) and that the provider no longer has fails when it expires',
  async (kind) => {
    const { id } = await pay('PURCHASE', ['error', ...always('error')]);
    const operation = kind && { kind, amount: price.amount };
    const expired = { state: 'processing', operation, endsAt: new Date(Date.now() + 24 * 60 * minute) };
    await collection('payments').updateOne({ _id: id }, { $set: expired });
    world.stripe.objects.delete(String((await intentOf(id))?.id));
    const providerRef = (await collection('payments').findOne({ _id: id }))?.providerRef;
    const errors = await loggedErrors(world.stack, async () => {
      for (let hours = 0; hours < 28; hours += 4) {
        world.stack.advance(4 * 60 * minute);
        await world.stack.runJob('identity.payment-checks');
        await world.stack.runJob('identity.payment-ends');
        if (hours < 16)
          expect(await collection('payments').findOne({ _id: id })).toMatchObject({ state: 'processing' });
      }
    });
    const subject = { paymentId: id, providerRef };
    expect(errors).toEqual(kind ? [[subject, expect.stringContaining('check there')]] : []);
    expect(await collection('payments').findOne({ _id: id })).toMatchObject({
      state: 'failed',
      operation: null,
      endsAt: null,
      checkAt: null,
    });
    const listing = await collection('listings').findOne({ _id: listingId });
    expect(listing).toMatchObject({ state: 'active', reservation: null });
  },
);
