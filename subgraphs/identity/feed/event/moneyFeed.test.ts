import { collection } from '../../../../test/authorization/world/collection.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { keepCard } from '../../../../test/support/people/keepCard.ts';
import { payableDealer } from '../../../../test/support/people/payableDealer.ts';
import { sellThrough } from '../../../../test/support/people/sellThrough.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { type Caller, unique } from '../../../../test/support/seed.ts';
import type { CreatePaymentInput } from '../../identity.generated.ts';
import { refundsJob } from '../../payments/refund/refundsJob.ts';
import { UserModel } from '../../people/user/model.ts';
import { eraseUser } from '../../privacy/account-deletion/eraseUser.ts';
import { personalData } from '../../server.ts';
import { readEvents } from './fixture/readEvents.ts';
import { signInMachine } from './fixture/signInMachine.ts';

const dayMs = 24 * 3600 * 1000;
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const world = product();
const { market } = world;

const manager = perFile(() => market.user());
const agent = perFile(() => market.user());
const finance = perFile(() => market.staff('finance'));
const buyer = perTest(() => market.user());
const garage = perTest(() =>
  payableDealer(market, {
    members: [
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  }),
);

/** The events of a payment or payout, and of the records that belong to it. */
const eventsOf = async (id: string, reader: Caller) =>
  (await readEvents(world, reader)).filter(
    ({ resource, data }) => resource.resourceId === id || data.paymentId === id,
  );
const statesOf = async (id: string, reader: Caller) =>
  (await eventsOf(id, reader)).map(({ type, data }) => [type, data.state]);
const key = () => ({ idempotencyKey: unique('key') });
const list = async () => (await garage.listing({ published: true, price: eur(1_000_000) })).id;
const pay = async (
  members: Partial<Wire<CreatePaymentInput>> = {},
  card: 'succeeds' | 'declined' = 'succeeds',
  payer = buyer,
) => {
  const paymentMethodId = await keepCard(world.stack, market.installation, payer, card);
  const input = {
    purpose: 'DEPOSIT' as const,
    listingId: await list(),
    paymentMethodId,
    ...key(),
    ...members,
  };
  return (await payer.createPayment(input, 'payment { id version listing { id } }')).payment;
};
const sell = () =>
  sellThrough(world.stack, market.installation, { payerId: buyer.id, dealerId: garage.id, heldDays: 0 });

test('only the payer and the managers of the dealer receive the events of a payment, in order', async () => {
  const listingId = await list();
  const { id } = await pay({ listingId });
  for (const reader of [buyer, garage.owner, manager])
    expect(await statesOf(id, reader)).toEqual([
      ['payment.created', 'requires_payment_method'],
      ['payment.updated', 'processing'],
      ['payment.succeeded', 'succeeded'],
    ]);
  const { owner: stranger } = await market.dealer();
  for (const reader of [agent, stranger, await market.user(), finance])
    expect(await eventsOf(id, reader)).toEqual([]);
  expect((await eventsOf(id, buyer)).at(-1)).toMatchObject({
    resource: { type: 'payment', resourceId: id },
    data: { purpose: 'deposit', amount: eur(100_000), listingId, dealerId: garage.id },
  });
});

test('the authorisation of a payment and its cancellation by the dealer publish one event each', async () => {
  const { id } = await pay({ captureMethod: 'MANUAL' });
  await garage.owner.cancelPayment({ paymentId: id, ...key() });
  expect((await statesOf(id, buyer)).slice(1)).toEqual([
    ['payment.authorized', 'authorized'],
    ['payment.canceled', 'canceled'],
  ]);
});

test('an authorisation that expires within a day publishes one event and keeps its version', async () => {
  const { id, version } = await pay({ captureMethod: 'MANUAL' });
  const notify = () => world.stack.runJob('identity.payment-expiry-notices');
  await notify();
  expect((await statesOf(id, manager)).at(-1)).toEqual(['payment.authorized', 'authorized']);
  const endsAt = new Date(world.stack.platform.now() + dayMs / 2);
  await collection('payments').updateOne({ _id: id }, { $set: { endsAt } });
  for (let round = 0; round < 2; round += 1) await notify();
  expect((await statesOf(id, manager)).slice(2)).toEqual([['payment.expiring', 'authorized']]);
  expect(await buyer.payment({ paymentId: id }, 'version')).toEqual({ version });
});

test('a declined card publishes the new state of the payment without the reason', async () => {
  const { id } = await pay({}, 'declined');
  expect((await statesOf(id, buyer)).at(-1)).toEqual(['payment.updated', 'requires_payment_method']);
  expect(JSON.stringify(await eventsOf(id, buyer))).not.toMatch(/declin/);
});

test('only the payer receives the events of a payment to the installation', async () => {
  const { id } = await pay({ purpose: 'PROMOTION', promotion: 'FEATURED' }, 'succeeds', manager);
  expect((await statesOf(id, manager)).at(-1)).toEqual(['payment.succeeded', 'succeeded']);
  expect(await eventsOf(id, garage.owner)).toEqual([]);
});

test('both sides of a payment receive the events of a refund, and none of a refused refund', async () => {
  const { owner, id: dealerId } = garage;
  const paymentId = await sell();
  const other = () => ({ paymentId, reason: 'OTHER' as const, ...key() });
  const { refund } = await owner.createRefund({ ...other(), note: 'secret words', amount: eur(500) });
  await world.stack.runJob(refundsJob.name);
  for (const reader of [buyer, manager]) {
    expect(await statesOf(paymentId, reader)).toEqual([
      ['refund.created', 'pending'],
      ['refund.succeeded', 'succeeded'],
    ]);
    const events = await eventsOf(paymentId, reader);
    expect(events[0]?.resource).toEqual({ type: 'refund', resourceId: refund.id });
    expect(JSON.stringify(events)).not.toMatch(/secret/);
  }
  expect(await eventsOf(paymentId, agent)).toEqual([]);
  await owner.requestPayout({ dealerId, ...key() });
  const refused = await owner.createRefund({ ...other(), amount: eur(5000) });
  expect(refused).toBeRefused(409, 'insufficient_balance');
  expect(await eventsOf(paymentId, buyer)).toHaveLength(2);
});

test('both sides receive the events of a dispute from its opening to the decision, without its texts', async () => {
  const paymentId = await sell();
  const opened = await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'secret complaint', ...key() });
  const disputeId = opened.dispute.id;
  await buyer.submitDisputeEvidence({ disputeId, text: 'secret proof', ...key() });
  await garage.owner.submitDisputeEvidence({ disputeId, text: 'secret answer', ...key() });
  await finance.resolveDispute({ disputeId, outcome: 'WON', statement: 'secret reasons', ...key() });
  for (const reader of [buyer, garage.owner]) {
    const events = await eventsOf(paymentId, reader);
    expect(events.map(({ type, data: { state, side } }) => [type, state, side])).toEqual([
      ['dispute.opened', 'needs_response', undefined],
      ['dispute.updated', 'needs_response', 'payer'],
      ['dispute.updated', 'under_review', 'payee'],
      ['dispute.decided', 'won', undefined],
    ]);
    expect(events[0]?.data.respondBy).toBe(opened.dispute.respondBy);
    expect(JSON.stringify(events)).not.toMatch(/secret/);
  }
  for (const reader of [agent, finance]) expect(await eventsOf(paymentId, reader)).toEqual([]);
});

test('managers of a dealer receive the events of its payouts, without the staff member who holds one', async () => {
  await sell();
  const { payout } = await garage.owner.requestPayout({ dealerId: garage.id, amount: eur(5000), ...key() });
  await finance.holdPayout({ payoutId: payout.id, reason: 'secret doubt' });
  for (const reader of [garage.owner, manager]) {
    expect(await statesOf(payout.id, reader)).toEqual([
      ['payout.created', 'pending'],
      ['payout.held', 'on_hold'],
    ]);
    const events = JSON.stringify(await eventsOf(payout.id, reader));
    expect(events).not.toMatch(new RegExp(`secret|${finance.id}`));
  }
  for (const reader of [agent, buyer, finance]) expect(await eventsOf(payout.id, reader)).toEqual([]);
});

test('events contain no references of the payment provider', async () => {
  const { id } = await pay();
  await world.stack.runJob('identity.relay');
  const payment = await collection('payments').findOne({ _id: id });
  const stored = await collection('events').find({ 'object.id': id }).toArray();
  expect(stored.length).toBeGreaterThan(1);
  const text = JSON.stringify(stored);
  for (const secret of [payment?.providerRef, payment?.paymentMethodId, payment?.clientSecret, 'sandbox'])
    if (secret) expect(text).not.toContain(secret);
});

test('an API client receives the events of payments only with the scope payments:read', async () => {
  const { id } = await pay();
  const read = async (...scopes: string[]) => {
    const machine = await signInMachine(market, garage, ['messages:read', ...scopes]);
    return eventsOf(id, machine);
  };
  expect(await read('listings:read')).toHaveLength(0);
  expect(await read('payments:read')).toHaveLength(3);
});

test('an event has the payment in its current state', async () => {
  const paymentId = await sell();
  await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'It is broken.', ...key() });
  await world.stack.runJob('identity.relay');
  const { nodes } = await buyer.myEvents({ first: 100 }, 'nodes { type payment { id dispute { state } } }');
  expect(nodes).toEqual([
    { type: 'dispute.opened', payment: { id: paymentId, dispute: { state: 'NEEDS_RESPONSE' } } },
  ]);
});

test('the dealer receives the events of a payment after the account of its payer is erased', async () => {
  const paymentId = await sell();
  const place = { installationId: market.installation.id, platform: world.stack.platform };
  const users = market.records(UserModel);
  await users.findOneAndUpdate({ _id: buyer.id }, { $set: { state: 'unverified' } });
  const erasure = { ...place, userId: buyer.id, job: 'test', personalData };
  expect(await eraseUser(erasure, { state: 'unverified' })).toBe('erased');
  await garage.owner.createRefund({ paymentId, reason: 'OTHER', ...key() });
  expect(await statesOf(paymentId, garage.owner)).toContainEqual(['refund.created', 'pending']);
  expect(await buyer.myEvents()).toBeRefused(401);
});
