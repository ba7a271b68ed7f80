import { randomUUID } from 'node:crypto';
import { collection } from '../../../test/authorization/collection.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { openStripeServer, type StripeServer } from '../../../test/support/openStripeServer.ts';
import { payableDealer, listingPrice as price } from '../../../test/support/payableDealer.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
} from '../../../test/support/seed.ts';
import { buildIdentity } from '../server.ts';

let stripe: StripeServer;
let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;
let buyer: SeededUser;

beforeAll(async () => {
  stripe = await openStripeServer();
  const { secretKey, webhookSecret, baseUrl } = stripe;
  const account = {
    secretKey,
    webhookSecrets: ['whsec_older', webhookSecret],
    apiBase: baseUrl,
    timeoutMs: 300,
  };
  rest = await openRestStack([buildIdentity], { payments: { provider: 'stripe', stripe: account } });
  shop = await seed(rest.stack).in(rest.stack.demo);
  garage = await payableDealer(shop);
  buyer = await shop.user();
});
afterAll(async () => {
  await rest.close();
  await stripe.close();
});

const post = (path: string, { token }: { token: string }, body: object, key = randomUUID()) =>
  rest.call('POST', path, { token, body, headers: { 'idempotency-key': key } });
const pay = async (changes: object = {}, key = randomUUID()) => {
  const { id: listingId } = await garage.listing({ published: true, price });
  return post('/api/v1/payments', buyer, { purpose: 'deposit', listingId, ...changes }, key);
};
const read = async (id: string) =>
  (await rest.call('GET', `/api/v1/payments/${id}`, { token: buyer.token })).body;
const tell = (body: string, signature: string | null, provider = 'stripe') =>
  rest.call('POST', `/api/v1/webhooks/payments/${provider}`, {
    text: body,
    headers: {
      'content-type': 'application/json',
      ...(signature === null ? {} : { 'stripe-signature': signature }),
    },
  });
const intentOf = async (paymentId: string) => {
  const record = await collection('payments').findOne({ _id: paymentId });
  return stripe.objects.get(String(record?.providerRef)) as NonNullable<
    ReturnType<typeof stripe.objects.get>
  >;
};
/** A method that the buyer keeps, as Stripe calls it. */
const method = async (methodRef: string) => {
  const { body } = await post('/api/v1/me/payment-methods', buyer, {});
  const { id } = body.paymentMethod;
  await collection('payment_methods').updateOne({ _id: id }, { $set: { state: 'active', methodRef } });
  return { paymentMethodId: id };
};
/** As time goes by for the jobs. The client repeats by itself what a stale connection swallowed, so a fault lasts. */
const later = async () => {
  await collection('payments').updateMany({ checkAt: { $type: 'date' } }, { $set: { checkAt: new Date(0) } });
  await rest.stack.runJob('identity.payment-checks');
};

test('what the payer’s browser did is taken from Stripe, however often and in which order the events come', async () => {
  const { body: payment } = await pay();
  expect(payment).toMatchObject({ state: 'requires_payment_method', nextAction: { type: 'sdk' } });
  const before = await intentOf(payment.id);
  const early = stripe.event(before);
  stripe.confirm(before.id, 'pm_card_visa');
  const late = stripe.event(await intentOf(payment.id));
  for (const { body, signature } of [late, late, early, late]) {
    const answer = await tell(body, signature);
    expect([answer.status, answer.body]).toEqual([200, { received: true }]);
  }
  await rest.stack.runJob('identity.payment-events');
  expect(await read(payment.id)).toMatchObject({ state: 'succeeded', amountCaptured: { amount: 123_457 } });
  await rest.stack.runJob('identity.payment-events');
  expect(stripe.charges.get(before.id)).toBe(1);
  expect(await collection('payment_events').countDocuments({ _id: { $regex: `${late.id}$` } as never })).toBe(
    1,
  );
});

test('a declined card is an answer, and one that asks its holder leads to the bank', async () => {
  const declined = await pay(await method('pm_card_chargeDeclined'));
  expect([declined.status, declined.body]).toMatchObject([
    201,
    {
      state: 'requires_payment_method',
      failure: { code: 'card_declined', declineCode: 'insufficient_funds' },
    },
  ]);
  const asked = await pay(await method('pm_card_threeDSecure'));
  expect(asked.body).toMatchObject({
    state: 'requires_action',
    nextAction: { type: 'redirect', url: 'https://bank.example/ask' },
  });
});

test.each(['lostAnswer', 'silent', 'error'] as const)(
  'an order whose answer is lost (%s) is pending, is settled later and is charged once',
  async (fault) => {
    const kept = await method('pm_card_visa');
    stripe.faults = Array.from({ length: 5 }, () => fault);
    const created = await pay(kept);
    expect([created.status, created.body]).toMatchObject([
      201,
      { state: 'requires_payment_method', pending: true },
    ]);
    stripe.faults = [];
    await later();
    expect(await read(created.body.id)).toMatchObject({ state: 'succeeded', pending: false });
    const held = await pay({ ...(await method('pm_card_visa')), captureMethod: 'manual' });
    stripe.faults = Array.from({ length: 5 }, () => fault);
    const capture = `/api/v1/payments/${held.body.id}/capture`;
    const captured = await post(capture, garage.owner, {});
    expect([captured.status, captured.body]).toMatchObject([200, { state: 'authorized', pending: true }]);
    expect((await post(capture, garage.owner, {})).body).toMatchObject({ code: 'concurrent_update' });
    stripe.faults = [];
    await later();
    expect(await read(held.body.id)).toMatchObject({ state: 'succeeded', pending: false });
    for (const { id } of [created.body, held.body]) {
      const { id: intent, metadata } = await intentOf(id);
      expect(stripe.charges.get(intent)).toBe(1);
      const twins = [...stripe.objects.values()].filter(
        (one) => one.metadata?.paymentId === metadata.paymentId,
      );
      expect(twins).toHaveLength(1);
    }
  },
  30_000,
);

test('what the provider refuses for good is 502, and nothing is held', async () => {
  stripe.faults = ['refuse'];
  const refused = await pay();
  expect([refused.status, refused.body.code]).toEqual([502, 'provider_error']);
  const held = await pay({ ...(await method('pm_card_visa')), captureMethod: 'manual' });
  stripe.faults = ['refuse'];
  const captured = await post(`/api/v1/payments/${held.body.id}/capture`, garage.owner, {});
  expect([captured.status, captured.body.code]).toEqual([502, 'provider_error']);
  expect(await read(held.body.id)).toMatchObject({ state: 'authorized', pending: false });
});

test('an event that nobody signed, or long ago, or for the other mode, is refused', async () => {
  const { body: payment } = await pay();
  const { body, signature } = stripe.event(await intentOf(payment.id));
  const codeOf = async (...args: Parameters<typeof tell>) => {
    const answer = await tell(...args);
    return [answer.status, answer.body.code];
  };
  const [time = '', proof = ''] = signature.split(',');
  const wrong = [
    null,
    '',
    'v1=',
    time,
    proof,
    `${time},v1=${'0'.repeat(64)}`,
    `t=1,${proof}`,
    `${time},${proof}0`,
  ];
  for (const one of wrong) expect(await codeOf(body, one)).toEqual([401, 'signature_invalid']);
  expect(await codeOf(`${body} `, signature)).toEqual([401, 'signature_invalid']);
  const live = stripe.event(await intentOf(payment.id), { livemode: true });
  expect(await codeOf(live.body, live.signature)).toEqual([400, 'malformed_request']);
  expect(await codeOf(body, signature, 'manual')).toEqual([401, 'signature_invalid']);
  expect(await codeOf(body, signature, 'other')).toEqual([404, 'not_found']);
  expect(await codeOf(body, signature, 'constructor')).toEqual([404, 'not_found']);
  rest.stack.advance(301_000);
  expect(await codeOf(body, signature)).toEqual([401, 'signature_invalid']);
});
