import { collection } from '../../../test/authorization/collection.ts';
import { keepCard } from '../../../test/support/keepCard.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { payableDealer } from '../../../test/support/payableDealer.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
  unique,
} from '../../../test/support/seed.ts';
import { sellThrough } from '../../../test/support/sellThrough.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { eraseUser } from '../account-deletion/eraseUser.ts';
import { refundsJob } from '../refund/refundsJob.ts';
import { buildIdentity } from '../server.ts';
import { UserModel } from '../user/model.ts';

const dayMs = 24 * 3600 * 1000;
const price = { amount: 1_000_000, currency: 'EUR' };
const deposit = { amount: 100_000, currency: 'EUR' };
let rest: RestStack;
let shop: SeededInstallation;
let manager: SeededUser;
let agent: SeededUser;
let buyer: SeededUser;
let garage: SeededDealer;
let finance: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
  [manager, agent, finance] = [await shop.user(), await shop.user(), await shop.staff('finance')];
});
afterAll(() => rest.close());
beforeEach(async () => {
  buyer = await shop.user();
  garage = await payableDealer(shop, {
    members: [
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  });
});

interface Told {
  type: string;
  resource: { type: string; id: string };
  data: Record<string, unknown>;
}

const money = new Set(['payment', 'refund', 'dispute', 'payout']);
const call = (method: string, path: string, { token }: { token: string }, body?: object) =>
  rest.call(method, `/api/v1${path}`, {
    token,
    ...(body ? { body } : {}),
    headers: { 'idempotency-key': unique('key') },
  });
async function told(as: { token: string }): Promise<Told[]> {
  await rest.stack.runJob('identity.relay');
  const events: Told[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/me/events?limit=100${cursor}`, as);
    events.push(...body.data);
    if (body.page.nextCursor === null) break;
    cursor = `&cursor=${body.page.nextCursor}`;
  }
  return events.filter(({ resource }) => money.has(resource.type));
}
/** About this one thing, or what belongs to it. */
const about = async (as: { token: string }, id: string) =>
  (await told(as)).filter(({ resource, data }) => resource.id === id || data.paymentId === id);
const seen = (events: Told[]) => events.map(({ type, data }) => [type, data.state]);
const pay = async (input: object, card: 'succeeds' | 'declined' = 'succeeds', as = buyer) => {
  const paymentMethodId = await keepCard(rest.stack, shop.installation, as, card);
  const { body } = await call('POST', '/payments', as, { purpose: 'deposit', paymentMethodId, ...input });
  return body;
};
const listed = async () => (await garage.listing({ published: true, price })).id;
const sell = () =>
  sellThrough(rest.stack, shop.installation, { payerId: buyer.id, dealerId: garage.id, heldDays: 0 });

test('of a payment its payer and those who lead the dealer hear, in order, and nobody else', async () => {
  const listingId = await listed();
  const { id } = await pay({ listingId });
  const course = [
    ['payment.created', 'requires_payment_method'],
    ['payment.updated', 'processing'],
    ['payment.succeeded', 'succeeded'],
  ];
  for (const one of [buyer, garage.owner, manager]) expect(seen(await about(one, id))).toEqual(course);
  const neighbour = await shop.dealer();
  for (const one of [agent, neighbour.owner, await shop.user(), finance])
    expect(await about(one, id)).toEqual([]);
  expect((await about(buyer, id)).at(-1)).toMatchObject({
    resource: { type: 'payment', id },
    data: { purpose: 'deposit', amount: deposit, listingId, dealerId: garage.id },
  });
});

test('a payment that waits for the dealer, and is let go', async () => {
  const { id } = await pay({ listingId: await listed(), captureMethod: 'manual' });
  await call('POST', `/payments/${id}/cancel`, garage.owner);
  expect(seen(await about(buyer, id)).slice(1)).toEqual([
    ['payment.authorized', 'authorized'],
    ['payment.canceled', 'canceled'],
  ]);
});

test('a day before an authorisation ends it is told, once', async () => {
  const { id, version } = await pay({ listingId: await listed(), captureMethod: 'manual' });
  const look = () => rest.stack.runJob('identity.payment-expiry-notices');
  await look();
  expect(seen(await about(manager, id)).at(-1)).toEqual(['payment.authorized', 'authorized']);
  await collection('payments').updateOne({ _id: id }, { $set: { endsAt: new Date(Date.now() + dayMs / 2) } });
  for (let round = 0; round < 2; round += 1) await look();
  expect(seen(await about(manager, id)).slice(2)).toEqual([['payment.expiring', 'authorized']]);
  expect((await call('GET', `/payments/${id}`, buyer)).body.version).toBe(version);
});

test('a card that is declined is told, and not why', async () => {
  const { id } = await pay({ listingId: await listed() }, 'declined');
  const events = await about(buyer, id);
  expect(seen(events).at(-1)).toEqual(['payment.updated', 'requires_payment_method']);
  expect(JSON.stringify(events)).not.toMatch(/declin/);
});

test('what is paid to the installation is the payer’s business alone', async () => {
  const listingId = await listed();
  const { id } = await pay({ listingId, purpose: 'promotion', promotion: 'featured' }, 'succeeds', manager);
  expect(seen(await about(manager, id)).at(-1)).toEqual(['payment.succeeded', 'succeeded']);
  expect(await about(garage.owner, id)).toEqual([]);
});

test('refunds are told once their amount is set aside, to both sides of the payment', async () => {
  const paymentId = await sell();
  const { body } = await call('POST', `/payments/${paymentId}/refunds`, garage.owner, {
    reason: 'other',
    note: 'secret words',
    amount: { amount: 500, currency: 'EUR' },
  });
  await rest.stack.runJob(refundsJob.name);
  for (const one of [buyer, manager]) {
    const events = await about(one, paymentId);
    expect(seen(events)).toEqual([
      ['refund.created', 'pending'],
      ['refund.succeeded', 'succeeded'],
    ]);
    expect(events[0]?.resource).toEqual({ type: 'refund', id: body.id });
    expect(JSON.stringify(events)).not.toMatch(/secret/);
  }
  expect(await about(agent, paymentId)).toEqual([]);
  // One that the balance does not cover was never there.
  await call('POST', `/dealers/${garage.id}/payouts`, garage.owner, {});
  const refused = await call('POST', `/payments/${paymentId}/refunds`, garage.owner, {
    reason: 'other',
    amount: { amount: 5000, currency: 'EUR' },
  });
  expect(refused.body.code).toBe('insufficient_balance');
  expect(await about(buyer, paymentId)).toHaveLength(2);
});

test('both sides hear of a dispute from its beginning to its end, and no word of what they say', async () => {
  const paymentId = await sell();
  const words = { reason: 'other', text: 'secret complaint' };
  const { body } = await call('POST', `/payments/${paymentId}/disputes`, buyer, words);
  await call('POST', `/disputes/${body.id}/evidence`, buyer, { text: 'secret proof' });
  await call('POST', `/disputes/${body.id}/evidence`, garage.owner, { text: 'secret answer' });
  await call('POST', `/admin/disputes/${body.id}/resolve`, finance, {
    outcome: 'won',
    statement: 'secret reasons',
  });
  for (const one of [buyer, garage.owner]) {
    const events = await about(one, paymentId);
    expect(events.map(({ type, data: { state, side } }) => [type, state, side])).toEqual([
      ['dispute.opened', 'needs_response', undefined],
      ['dispute.updated', 'needs_response', 'payer'],
      ['dispute.updated', 'under_review', 'payee'],
      ['dispute.decided', 'won', undefined],
    ]);
    expect(events[0]?.data.respondBy).toBe(body.respondBy);
    expect(JSON.stringify(events)).not.toMatch(/secret/);
  }
  for (const one of [agent, finance]) expect(await about(one, paymentId)).toEqual([]);
});

test('of payouts those who lead the dealer hear, and not who of the staff holds one', async () => {
  await sell();
  const path = `/dealers/${garage.id}/payouts`;
  const { body } = await call('POST', path, garage.owner, { amount: { amount: 5000, currency: 'EUR' } });
  await call('PUT', `/admin/payouts/${body.id}/hold`, finance, { reason: 'secret doubt' });
  for (const one of [garage.owner, manager]) {
    const events = await about(one, body.id);
    expect(seen(events)).toEqual([
      ['payout.created', 'pending'],
      ['payout.held', 'on_hold'],
    ]);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`secret|${finance.id}`));
  }
  for (const one of [agent, buyer, finance]) expect(await about(one, body.id)).toEqual([]);
});

test('nothing of the provider is in what is told', async () => {
  const { id } = await pay({ listingId: await listed() });
  await told(buyer);
  const payment = await collection('payments').findOne({ _id: id });
  const stored = await collection('events').find({ 'object.id': id }).toArray();
  expect(stored.length).toBeGreaterThan(1);
  const text = JSON.stringify(stored);
  for (const secret of [payment?.providerRef, payment?.paymentMethodId, payment?.clientSecret, 'sandbox'])
    if (secret) expect(text).not.toContain(secret);
});

test('a machine of the dealer hears of money with the scope for it', async () => {
  const { id } = await pay({ listingId: await listed() });
  const hears = async (scopes: string[]) => {
    const made = await call('POST', `/dealers/${garage.id}/api-clients`, garage.owner, {
      name: 'Machine',
      scopes,
    });
    const signedIn = await rest.call('POST', '/api/v1/auth/token', {
      body: {
        grant_type: 'client_credentials',
        client_id: made.body.id,
        client_secret: made.body.clientSecret,
      },
    });
    return (await about({ token: signedIn.body.access_token }, id)).length;
  };
  expect(await hears(['messages:read', 'listings:read'])).toBe(0);
  expect(await hears(['messages:read', 'payments:read'])).toBe(3);
});

test('an event leads to the payment as it is now, for who may read it', async () => {
  const paymentId = await sell();
  await call('POST', `/payments/${paymentId}/disputes`, buyer, { reason: 'other', text: 'It is broken.' });
  await rest.stack.runJob('identity.relay');
  const query = '{ myEvents(first: 100) { nodes { type payment { id dispute { state } } } } }';
  const { data, errors } = await rest.stack.execute(query, {}, { as: buyer.token });
  expect(errors).toBeUndefined();
  expect(data?.myEvents.nodes).toEqual([
    { type: 'dispute.opened', payment: { id: paymentId, dispute: { state: 'NEEDS_RESPONSE' } } },
  ]);
});

test('a payer who is erased keeps nobody from hearing what comes of his payment', async () => {
  const paymentId = await sell();
  await scoped(UserModel, shop.installation.id).findOneAndUpdate(
    { _id: buyer.id },
    { $set: { state: 'unverified' } },
  );
  const { platform } = rest.stack;
  const erasure = { platform, installationId: shop.installation.id, userId: buyer.id, job: 'test' };
  expect(await eraseUser(erasure, { state: 'unverified' })).toBe('erased');
  await call('POST', `/payments/${paymentId}/refunds`, garage.owner, { reason: 'other' });
  expect(seen(await about(garage.owner, paymentId))).toContainEqual(['refund.created', 'pending']);
  expect((await call('GET', '/me/events', buyer)).status).toBe(401);
});
