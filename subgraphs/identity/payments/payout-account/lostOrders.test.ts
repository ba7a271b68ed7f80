import { collection } from '../../../../test/authorization/world/collection.ts';
import { type SeededDealer, unique } from '../../../../test/support/seed.ts';
import type { StripeFault } from '../../../../test/support/servers/openStripeServer.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { forgetPayer } from '../payment-method/forgetPayer.ts';

// An account of a dealer and a customer are opened once, whatever becomes of the answer, however long ago that was.
const world = stripeProduct({ timeoutMs: 300 });
const { market } = world;
let garage: SeededDealer;
beforeEach(async () => {
  garage = await market.dealer();
});

const onboard = () => garage.owner.createPayoutOnboardingLink({ dealerId: garage.id });
const accounts = () =>
  [...world.stripe.objects.values()].filter(
    ({ object, metadata }) => object === 'account' && metadata?.dealerId === garage.id,
  );
const accountState = async () =>
  (await garage.owner.dealerBalance({ dealerId: garage.id })).payoutAccountState;
/** Stripe forgets its idempotency keys; the clock stands still, because tokens last for minutes. */
const passDay = () => world.stripe.forgetKeys();

test.each<StripeFault>(['silent', 'lateError'])(
  'an account of a dealer whose order was not answered (%s) is found a day later, and opened once',
  async (fault) => {
    world.stripe.faults = [fault];
    expect(await onboard()).toBeRefused(502, 'provider_error');
    passDay();
    expect(await onboard()).toMatchObject({ url: expect.stringMatching(/^https/) });
    expect(accounts()).toHaveLength(1);
    const stored = await collection('payout_accounts').findOne({ dealerId: garage.id });
    expect(stored?.ref).toBe(accounts()[0]?.id);
  },
);

test('an account that Stripe answered with an error it keeps is opened by the next request', async () => {
  world.stripe.faults = ['storedError'];
  expect(await onboard()).toBeRefused(502, 'provider_error');
  expect(await onboard()).not.toBeRefused();
  expect(accounts()).toHaveLength(1);
});

test('an account can be opened by the second request after a lost answer although the dealer has another address', async () => {
  world.stripe.faults = ['hold'];
  expect(await onboard()).toBeRefused(502, 'provider_error');
  await collection('dealers').updateOne({ _id: garage.id }, { $set: { contactEmail: 'new@example.test' } });
  expect(await onboard()).not.toBeRefused();
  expect(accounts()).toMatchObject([{ email: 'new@example.test' }]);
});

test('an onboarding link brings the state of an account that no event has reported', async () => {
  await onboard();
  expect(await accountState()).toBe('PENDING');
  const [account] = accounts();
  const ready = { payouts_enabled: true, capabilities: { transfers: 'active' }, requirements: {} };
  world.stripe.objects.set(String(account?.id), { ...account, ...ready } as never);
  await onboard();
  expect(await accountState()).toBe('ACTIVE');
});

test('a link that is requested again under its key is a new one, because links expire within minutes', async () => {
  const other = await market.dealer({ owner: garage.owner });
  const idempotencyKey = unique('key');
  const link = (dealerId = garage.id) =>
    garage.owner.createPayoutOnboardingLink({ dealerId, idempotencyKey });
  const first = await link();
  expect(await link()).toMatchObject({ url: expect.not.stringMatching(first.url) });
  expect(accounts()).toHaveLength(1);
  expect(await link(other.id)).toBeRefused(422, 'idempotency_key_reused');
  const kept = await collection('idempotency_keys')
    .find({ installationId: market.installation.id })
    .toArray();
  expect(JSON.stringify(kept)).not.toContain(first.url);
});

const customersOf = (userId: string) =>
  [...world.stripe.objects.values()].filter(
    ({ object, metadata }) => object === 'customer' && metadata?.userId === userId,
  );

test.each<StripeFault>(['silent', 'storedError', 'lateError'])(
  'a customer whose order met a fault (%s) is found by the next request a day later, and created once',
  async (fault) => {
    const buyer = await market.user();
    world.stripe.faults = [fault];
    expect(await buyer.createPaymentMethodSetup({})).toBeRefused(502, 'provider_error');
    if (fault === 'silent') passDay();
    await collection('users').updateOne(
      { _id: buyer.id },
      { $set: { email: `new-${buyer.id}@example.test` } },
    );
    expect(await buyer.createPaymentMethodSetup({})).not.toBeRefused();
    expect(customersOf(buyer.id)).toHaveLength(1);
  },
);

test('a customer whose order was not answered is deleted with the account of its user', async () => {
  const buyer = await market.user();
  world.stripe.faults = ['silent'];
  expect(await buyer.createPaymentMethodSetup({})).toBeRefused(502, 'provider_error');
  expect(customersOf(buyer.id)).toHaveLength(1);
  const { platform } = world.stack;
  await forgetPayer({ platform, installationId: market.installation.id, userId: buyer.id });
  expect(customersOf(buyer.id)).toEqual([]);
});

test('an event about an account that Stripe does not show is processed again once Stripe shows it', async () => {
  await onboard();
  const [account] = accounts();
  if (!account) throw new Error('Stripe has no account.');
  const { body, signature } = world.stripe.event(account);
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  // As with the key of another account.
  world.stripe.objects.delete(account.id);
  await market.visitor.receivePaymentEvent(event);
  await world.stack.runJob('identity.payment-events');
  const ready = { payouts_enabled: true, capabilities: { transfers: 'active' }, requirements: {} };
  world.stripe.objects.set(account.id, { ...account, ...ready });
  await collection('payment_events').updateMany(
    { 'object.ref': account.id, dueAt: { $type: 'date' } },
    { $set: { dueAt: new Date(0) } },
  );
  await world.stack.runJob('identity.payment-events');
  expect(await accountState()).toBe('ACTIVE');
});
