import { collection } from '../../../../test/authorization/world/collection.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import type { StripeFault } from '../../../../test/support/servers/openStripeServer.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';

const world = stripeProduct({ timeoutMs: 300 });
const { market } = world;
let garage: SeededDealer;
let buyer: SeededUser;
beforeAll(async () => {
  garage = await payableDealer(market);
});
beforeEach(async () => {
  buyer = await market.user();
});

type Payment = Parameters<SeededUser['createPayment']>[0];

const pay = async (changes: Partial<Payment> = {}) => {
  const { id: listingId } = await garage.listing({ published: true, price });
  const input = { purpose: 'DEPOSIT', listingId, idempotencyKey: unique('key'), ...changes } as const;
  return buyer.createPayment(input);
};
const capture = (paymentId: string) =>
  garage.owner.capturePayment({ paymentId, idempotencyKey: unique('key') });
const read = (paymentId: string) => buyer.payment({ paymentId });
const intentOf = async (paymentId: string) => {
  const record = await collection('payments').findOne({ _id: paymentId });
  const intent = world.stripe.objects.get(String(record?.providerRef));
  if (!intent) throw new Error('Stripe has no such intent.');
  return intent;
};
const send = (body: string, signature: string | null, provider = 'stripe') =>
  market.visitor.rest('POST', `/api/v1/webhooks/payments/${provider}`, {
    text: body,
    headers: {
      'content-type': 'application/json',
      ...(signature !== null && { 'stripe-signature': signature }),
    },
  });
/** Keeps a method of Stripe for the buyer. */
const keep = async (methodRef: string) => {
  const { setup } = await buyer.createPaymentMethodSetup({});
  const paymentMethodId = setup.paymentMethod.id;
  await collection('payment_methods').updateOne(
    { _id: paymentMethodId },
    { $set: { state: 'active', methodRef } },
  );
  return { paymentMethodId };
};
/** Meets every order with a fault while `work` runs: the client retries by itself once, so a single fault is not enough. */
const meetingFault = async <T>(fault: StripeFault, work: () => Promise<T>): Promise<T> => {
  world.stripe.faults = Array.from({ length: 5 }, () => fault);
  const result = await work();
  world.stripe.faults = [];
  return result;
};
const checkPayments = async () => {
  await collection('payments').updateMany({ checkAt: { $type: 'date' } }, { $set: { checkAt: new Date(0) } });
  await world.stack.runJob('identity.payment-checks');
};

test('events that arrive repeatedly and in any order apply what the payer did at Stripe once', async () => {
  const { payment } = await pay();
  expect(payment).toMatchObject({ state: 'REQUIRES_PAYMENT_METHOD', nextAction: { type: 'SDK' } });
  const before = await intentOf(payment.id);
  const early = world.stripe.event(before);
  world.stripe.confirm(before.id, 'pm_card_visa');
  const late = world.stripe.event(await intentOf(payment.id));
  for (const { body, signature } of [late, late, early, late])
    expect(await send(body, signature)).toMatchObject({ status: 200, body: { received: true } });
  for (let time = 0; time < 2; time += 1) await world.stack.runJob('identity.payment-events');
  expect(await read(payment.id)).toMatchObject({ state: 'SUCCEEDED', amountCaptured: { amount: 123_457 } });
  expect(world.stripe.charges.get(before.id)).toBe(1);
  const stored = collection('payment_events').find({ _id: { $regex: `${late.id}$` } });
  expect(await stored.toArray()).toHaveLength(1);
});

test('a declined card is reported in the payment, and a card with 3-D Secure leads to the bank', async () => {
  const declined = await pay(await keep('pm_card_chargeDeclined'));
  expect(declined.payment).toMatchObject({
    state: 'REQUIRES_PAYMENT_METHOD',
    failure: { code: 'card_declined', declineCode: 'insufficient_funds' },
  });
  const redirected = await pay(await keep('pm_card_threeDSecure'));
  expect(redirected.payment).toMatchObject({
    state: 'REQUIRES_ACTION',
    nextAction: { type: 'REDIRECT', url: 'https://bank.example/ask' },
  });
});

test.each(['lostAnswer', 'silent', 'error'] as const)(
  'an order whose answer is lost (%s) is pending, is completed by the job and charged once',
  async (fault) => {
    const card = await keep('pm_card_visa');
    const { payment } = await meetingFault(fault, () => pay(card));
    expect(payment).toMatchObject({ state: 'REQUIRES_PAYMENT_METHOD', pending: true });
    await checkPayments();
    expect(await read(payment.id)).toMatchObject({ state: 'SUCCEEDED', pending: false });
    const { payment: held } = await pay({ ...card, captureMethod: 'MANUAL' });
    const captured = await meetingFault(fault, async () => [await capture(held.id), await capture(held.id)]);
    expect(captured[0]?.payment).toMatchObject({ state: 'AUTHORIZED', pending: true });
    expect(captured[1]).toBeRefused(409, 'concurrent_update');
    await checkPayments();
    expect(await read(held.id)).toMatchObject({ state: 'SUCCEEDED', pending: false });
    for (const { id } of [payment, held]) {
      const intent = await intentOf(id);
      expect(world.stripe.charges.get(intent.id)).toBe(1);
      const all = [...world.stripe.objects.values()];
      expect(all.filter(({ metadata }) => metadata?.paymentId === id)).toEqual([intent]);
    }
  },
);

test('a payment whose order is pending prevents the payer from leaving and the dealer from closing', async () => {
  const card = await keep('pm_card_visa');
  const seller = await payableDealer(market);
  const { id: listingId } = await seller.listing({ published: true, price });
  const { payment } = await meetingFault('error', () => pay({ ...card, listingId }));
  expect(payment).toMatchObject({ state: 'REQUIRES_PAYMENT_METHOD', pending: true });
  expect(await buyer.requestAccountDeletion({})).toBeRefused(409, 'open_obligations', {
    obligations: [{ kind: 'open_payment', id: payment.id }],
  });
  const closing = await seller.owner.closeDealer({ dealerId: seller.id });
  expect(closing).toBeRefused(409, 'open_obligations', { obligations: ['payments'] });
  await checkPayments();
  expect(await read(payment.id)).toMatchObject({ state: 'SUCCEEDED', pending: false });
  expect(await buyer.requestAccountDeletion({})).not.toBeRefused();
});

test('a late answer of the provider does not end a payment whose capture is pending', async () => {
  const card = await keep('pm_card_visa');
  const { payment } = await meetingFault('none', () => pay(card));
  const intent = await intentOf(payment.id);
  // The capture was ordered and its answer lost; then an answer arrives that was read before the authorization.
  const captured = await collection('payments').findOne({ _id: payment.id });
  const ordered = {
    version: Number(captured?.version) - 1,
    state: 'processing',
    operation: { kind: 'capture', amount: 123_457 },
    checkAt: new Date(0),
  };
  await collection('payments').updateOne({ _id: payment.id }, { $set: ordered });
  const late = { ...intent, status: 'requires_payment_method', amount_received: 0 };
  world.stripe.objects.set(intent.id, late);
  const { body, signature } = world.stripe.event(late);
  await send(body, signature);
  await world.stack.runJob('identity.payment-events');
  world.stripe.objects.set(intent.id, intent);
  await checkPayments();
  expect(await read(payment.id)).toMatchObject({ state: 'SUCCEEDED', amountCaptured: { amount: 123_457 } });
});

test('a capture or cancellation whose answer is lost is read from Stripe before it is repeated', async () => {
  const card = await keep('pm_card_visa');
  const ordersOf = (id: string, action: string) =>
    world.stripe.calls.filter((call) => call === `POST /v1/payment_intents/${id}/${action}`).length;
  const cancel = (paymentId: string) => garage.owner.cancelPayment({ paymentId });
  for (const [action, act, state] of [
    ['capture', capture, 'SUCCEEDED'],
    ['cancel', cancel, 'CANCELED'],
  ] as const) {
    const { payment } = await pay({ ...card, captureMethod: 'MANUAL' });
    const { id } = await intentOf(payment.id);
    await meetingFault('lostAnswer', () => act(payment.id));
    const ordered = ordersOf(id, action);
    await checkPayments();
    expect(await read(payment.id)).toMatchObject({ state, pending: false });
    expect(ordersOf(id, action)).toBe(ordered);
  }
});

test.each(['storedError', 'lateError'] as const)(
  'a capture or cancellation that meets an error which Stripe keeps (%s) is carried out once, under another key',
  async (fault) => {
    const card = await keep('pm_card_visa');
    const cancel = (paymentId: string) => garage.owner.cancelPayment({ paymentId });
    for (const [act, state, charges] of [
      [capture, 'SUCCEEDED', 1],
      [cancel, 'CANCELED', undefined],
    ] as const) {
      const { payment } = await pay({ ...card, captureMethod: 'MANUAL' });
      const { id } = await intentOf(payment.id);
      expect((await meetingFault(fault, () => act(payment.id))).payment).toMatchObject({ pending: true });
      await checkPayments();
      expect(await read(payment.id)).toMatchObject({ state, pending: false });
      expect(world.stripe.charges.get(id)).toBe(charges);
    }
  },
);

test('an order without an answer for a day is given up, and what it made at Stripe is canceled', async () => {
  const card = await keep('pm_card_visa');
  const { payment } = await meetingFault('silent', () => pay(card));
  expect(payment).toMatchObject({ state: 'REQUIRES_PAYMENT_METHOD', pending: true });
  const made = [...world.stripe.objects.values()].find(({ metadata }) => metadata?.paymentId === payment.id);
  if (!made) throw new Error('Stripe has no such intent.');
  expect(made.status).toBe('requires_capture');
  await collection('payments').updateOne(
    { _id: payment.id },
    { $set: { createdAt: new Date(world.stack.platform.now() - 24 * 3600_000) } },
  );
  await checkPayments();
  expect(await read(payment.id)).toMatchObject({ state: 'CANCELED', failure: { code: 'provider_error' } });
  const { body, signature } = world.stripe.event(made);
  await send(body, signature);
  await world.stack.runJob('identity.payment-events');
  expect(await read(payment.id)).toMatchObject({ state: 'CANCELED', pending: false });
  expect(world.stripe.objects.get(made.id)).toMatchObject({ status: 'canceled' });
});

test('an order that Stripe refuses is answered 502, and the payment stays as it is', async () => {
  expect(await meetingFault('refuse', () => pay())).toBeRefused(502, 'provider_error');
  const { payment } = await pay({ ...(await keep('pm_card_visa')), captureMethod: 'MANUAL' });
  expect(await meetingFault('refuse', () => capture(payment.id))).toBeRefused(502, 'provider_error');
  expect(await read(payment.id)).toMatchObject({ state: 'AUTHORIZED', pending: false });
});

test('a payment whose order Stripe refused is not checked again', async () => {
  expect(await meetingFault('refuse', () => pay())).toBeRefused(502, 'provider_error');
  const own = { 'payer.userId': buyer.id };
  await checkPayments();
  const refused = await collection('payments').findOne(own);
  expect(refused).toMatchObject({ state: 'canceled', providerRef: null, checkAt: null });
  await checkPayments();
  expect(await collection('payments').findOne(own)).toEqual(refused);
});

test('an event is refused without a recent signature over its body, and in the other mode', async () => {
  const intent = await intentOf((await pay()).payment.id);
  const { body, signature } = world.stripe.event(intent);
  const [time = '', proof = ''] = signature.split(',');
  const forged = [null, '', 'v1=', time, proof, `${time},v1=${'0'.repeat(64)}`, `t=1,${proof}`];
  for (const one of [...forged, `${time},${proof}0`])
    expect(await send(body, one)).toBeRefused(401, 'signature_invalid');
  expect(await send(`${body} `, signature)).toBeRefused(401, 'signature_invalid');
  const live = world.stripe.event(intent, { livemode: true });
  expect(await send(live.body, live.signature)).toBeRefused(400, 'malformed_request');
  expect(await send(body, signature, 'manual')).toBeRefused(401, 'signature_invalid');
  for (const provider of ['other', 'constructor'])
    expect(await send(body, signature, provider)).toBeRefused(404, 'not_found');
  world.stack.advance(301_000);
  expect(await send(body, signature)).toBeRefused(401, 'signature_invalid');
});
