import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { type SeededDealer, type SeededInstallation, seed, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import { dealerAccount } from '../ledger/accounts.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { ProviderObjectModel } from '../payment-provider/kept/model.ts';
import { findPayoutAccount } from '../payout-account/model.ts';
import { refreshPayoutAccount } from '../payout-account/refreshPayoutAccount.ts';
import { buildIdentity } from '../server.ts';
import { PayoutModel } from './model.ts';
import { newPayout } from './newPayout.ts';
import { refreshPayout } from './refreshPayout.ts';

const minute = 60_000;

let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;
let finance: string;
let operator: string;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
  finance = (await shop.staff('finance')).token;
  operator = (await shop.user({ roles: ['operator' as never] })).token;
});
afterAll(() => rest.close());
beforeEach(async () => {
  garage = await shop.dealer();
});

const scope = () => ({
  installationId: shop.installation.id,
  installation: shop.installation,
  platform: rest.stack.platform,
});
const earn = (amount: number) => {
  const line = (account: string, value: number) => ({ account, currency: 'EUR', amount: value });
  return postTransaction(scope(), {
    kind: 'adjustment',
    source: { type: 'adjustment', id: newId('ledgerTransaction') },
    dealerId: garage.id,
    currency: 'EUR',
    postings: [line('psp_clearing', -amount), line(dealerAccount(garage.id, 'available'), amount)],
  });
};
const path = (rest: string) => `/api/v1/dealers/${garage.id}/${rest}`;
const request = (amount: number | null, key = unique('key'), token = garage.owner.token) =>
  rest.call('POST', path('payouts'), {
    token,
    body: amount === null ? {} : { amount: { amount, currency: 'EUR' } },
    headers: { 'idempotency-key': key },
  });
const onboard = () =>
  rest.call('POST', path('payout-account/onboarding-links'), { token: garage.owner.token, body: {} });
const balance = async () =>
  (await rest.call('GET', path('balance'), { token: garage.owner.token })).body.balances[0];
const read = (id: string) => scoped(PayoutModel, shop.installation.id).findOne({ _id: id });
const list = async (query = '') =>
  (await rest.call('GET', path(`payouts${query}`), { token: garage.owner.token })).body.data;
const hold = (id: string, token = finance, reason = 'Looks odd') =>
  rest.call('PUT', `/api/v1/admin/payouts/${id}/hold`, { token, body: { reason } });
const release = (id: string, token = operator) =>
  rest.call('DELETE', `/api/v1/admin/payouts/${id}/hold`, { token });
/** Lets time pass for what waits, and not for those who are signed in. */
async function pass(milliseconds: number): Promise<void> {
  const waits = [
    [PayoutModel, 'dueAt'],
    [ProviderObjectModel, 'settlesAt'],
  ] as const;
  for (const [model, key] of waits)
    await (model as typeof PayoutModel).collection.updateMany({ [key]: { $type: 'date' } }, [
      { $set: { [key]: { $subtract: [`$${key}`, milliseconds] } } },
    ]);
}

const work = async (ahead = 0) => {
  if (ahead > 0) await pass(ahead);
  await rest.stack.runJob('identity.payouts');
};

/** The provider says of the dealer's account what it has found out. */
async function decideAccount(status: 'active' | 'restricted' | 'rejected' | 'pending'): Promise<void> {
  const account = await findPayoutAccount(shop.installation.id, garage.id, 'sandbox');
  await scoped(ProviderObjectModel, shop.installation.id).findOneAndUpdate(
    { _id: account?.ref ?? '' },
    { $set: { status } },
  );
  await refreshPayoutAccount(scope(), 'sandbox', account?.ref ?? '');
}

async function open(amount: number): Promise<void> {
  expect((await onboard()).status).toBe(201);
  await decideAccount('active');
  if (amount > 0) await earn(amount);
}

test('a link leads to the provider, makes the account once, and only the provider says when it is ready', async () => {
  const links = await Promise.all([onboard(), onboard(), onboard()]);
  expect(links.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(links[0]?.body).toEqual({ url: expect.stringMatching(/^http/), expiresAt: expect.any(String) });
  const state = async () =>
    (await rest.call('GET', path('balance'), { token: garage.owner.token })).body.payoutAccountState;
  expect(await state()).toBe('pending');
  await decideAccount('restricted');
  expect(await state()).toBe('restricted');
  await decideAccount('active');
  expect(await state()).toBe('active');
});

test('a dealer that is not active gets no link and no payout', async () => {
  await open(1000);
  await scoped(DealerModel, shop.installation.id).findOneAndUpdate(
    { _id: garage.id },
    { $set: { state: 'closing' } },
  );
  expect((await onboard()).body.code).toBe('dealer_not_active');
  expect((await request(10)).body.code).toBe('dealer_not_active');
});

test('a payout is set aside, goes after a few minutes, and has arrived when the provider says so', async () => {
  await open(1000);
  const made = await request(700);
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({
      amount: { amount: 700, currency: 'EUR' },
      kind: 'manual',
      state: 'pending',
      hold: null,
    }),
  ]);
  expect(await balance()).toMatchObject({ available: 300, inPayout: 700 });
  await work();
  expect((await read(made.body.id))?.state).toBe('pending');
  await work(6 * minute);
  const sent = await read(made.body.id);
  expect(sent?.state).toBe('in_transit');
  await pass(minute);
  await refreshPayout(scope(), sent?.ref ?? '');
  await work();
  expect(await list()).toMatchObject([{ id: made.body.id, state: 'paid', arrivalDate: expect.any(String) }]);
  expect(await balance()).toMatchObject({ available: 300, inPayout: 0 });
  const entries = await rest.call('GET', path(`ledger-entries?payoutId=${made.body.id}`), {
    token: garage.owner.token,
  });
  expect(entries.body.data.map(({ kind, total }: any) => [kind, total])).toEqual([
    ['payout_paid', -700],
    ['payout', 0],
  ]);
});

test('without an amount everything that is available is paid out', async () => {
  await open(1234);
  expect((await request(null)).body.amount.amount).toBe(1234);
  expect((await request(null)).body.code).toBe('insufficient_balance');
});

test('of fifty requests at once as many are made as the balance covers, and a key makes one', async () => {
  await open(105);
  const many = await Promise.all(Array.from({ length: 50 }, () => request(10)));
  expect(many.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(new Set(many.flatMap(({ status, body }) => (status === 201 ? [] : [body.code])))).toEqual(
    new Set(['insufficient_balance']),
  );
  expect(await balance()).toMatchObject({ available: 5, inPayout: 100 });
  expect(await list('?limit=100')).toHaveLength(10);
  await earn(500);
  const key = unique('key');
  const same = await Promise.all(Array.from({ length: 20 }, () => request(20, key)));
  const ids = new Set(same.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])));
  expect(ids.size).toBe(1);
  expect(await balance()).toMatchObject({ available: 485, inPayout: 120 });
});

test('what cannot be paid out is refused with its reason, and nothing is set aside', async () => {
  expect((await request(10)).body.code).toBe('payout_account_not_ready');
  await open(1000);
  await scoped(DealerModel, shop.installation.id).findOneAndUpdate(
    { _id: garage.id },
    { $set: { 'payout.minimumAmount': { amount: 50, currency: 'EUR' } } },
  );
  const codes = [];
  for (const amount of [0, -5, 49, 1001]) {
    const { status, body } = await request(amount);
    codes.push(`${status} ${body.code}`);
  }
  expect(codes).toEqual([
    '422 validation_failed',
    '422 validation_failed',
    '409 payout_below_minimum',
    '409 insufficient_balance',
  ]);
  const keyless = await rest.call('POST', path('payouts'), { token: garage.owner.token, body: {} });
  expect([keyless.status, keyless.body.code]).toEqual([400, 'idempotency_key_required']);
  expect(await balance()).toMatchObject({ available: 1000, inPayout: 0 });
  expect(await list()).toEqual([]);
});

test('of fifty holds at once one is made, and a held payout does not go', async () => {
  await open(1000);
  const { id } = (await request(700)).body;
  const holds = await Promise.all(Array.from({ length: 50 }, () => hold(id)));
  const made = holds.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  expect(made[0]?.body).toMatchObject({ state: 'on_hold', hold: { reason: 'Looks odd' } });
  for (const { status, body } of holds)
    if (status !== 200) expect(['invalid_transition', 'concurrent_update']).toContain(body.code);
  await work(60 * minute);
  expect((await read(id))?.state).toBe('on_hold');
  const lines = await scoped(AuditEventModel, shop.installation.id).find({
    'target.id': id,
    action: 'holdPayout',
    result: 'allowed',
  });
  expect(lines).toHaveLength(1);
  expect((await list())[0].hold).toMatchObject({ reason: 'Looks odd', by: null });
});

test('a payout is let go by somebody else than who held it, and one on its way is not held', async () => {
  await open(1000);
  const { id } = (await request(700)).body;
  expect((await hold(id, operator)).status).toBe(200);
  expect((await release(id)).body.code).toBe('four_eyes');
  const other = (await shop.user({ roles: ['operator' as never] })).token;
  expect((await release(id, other)).body).toMatchObject({ state: 'pending', hold: null });
  expect((await release(id, other)).body.code).toBe('invalid_transition');
  await work();
  expect((await read(id))?.state).toBe('in_transit');
  const late = await hold(id);
  expect([late.status, late.body.code]).toEqual([409, 'invalid_transition']);
  expect((await hold(newId('payout'))).status).toBe(404);
  expect((await hold(id, finance, ' ')).status).toBe(422);
});

test('payouts of a dealer that is suspended are held, and stay so while it is', async () => {
  await open(1000);
  const { id } = (await request(700)).body;
  const moderator = (await shop.staff('moderator')).token;
  const suspended = await rest.call('POST', `/api/v1/admin/dealers/${garage.id}/suspend`, {
    token: moderator,
    body: { reason: 'Complaints' },
  });
  expect(suspended.status).toBe(200);
  expect(await read(id)).toMatchObject({ state: 'on_hold', hold: { reason: 'dealer_suspended' } });
  expect((await release(id)).body.code).toBe('invalid_transition');
  await rest.call('POST', `/api/v1/admin/dealers/${garage.id}/reinstate`, { token: moderator, body: {} });
  expect((await release(id)).body.state).toBe('pending');
});

test('one that came back goes again with other bank details', async () => {
  await open(1000);
  const { id } = (await request(700)).body;
  await scoped(ProviderObjectModel, shop.installation.id).findOneAndUpdate(
    { kind: 'account', ownId: garage.id },
    { $set: { status: 'restricted' } },
  );
  await work(6 * minute);
  expect(await read(id)).toMatchObject({ state: 'failed', failureCode: expect.any(String) });
  expect(await balance()).toMatchObject({ available: 300, inPayout: 700 });
  await decideAccount('active');
  expect(await read(id)).toMatchObject({ state: 'pending', attempt: 2 });
  await work();
  expect((await read(id))?.state).toBe('in_transit');
});

test('one that came back and was not asked for again is called off after a week, and the money is available', async () => {
  await open(1000);
  const { id } = (await request(700)).body;
  await scoped(ProviderObjectModel, shop.installation.id).findOneAndUpdate(
    { kind: 'account', ownId: garage.id },
    { $set: { status: 'restricted' } },
  );
  await work(6 * minute);
  await work(8 * 24 * 60 * minute);
  await work();
  expect((await read(id))?.state).toBe('canceled');
  expect(await balance()).toMatchObject({ available: 1000, inPayout: 0 });
});

test('an account that the provider refuses calls off what has not gone', async () => {
  await open(1000);
  const { id } = (await request(700)).body;
  await decideAccount('rejected');
  expect((await read(id))?.state).toBe('canceled');
  expect(await balance()).toMatchObject({ available: 1000, inPayout: 0 });
});

test('a request that was cut short is set aside by the worker, or nobody ever hears of it', async () => {
  await open(100);
  const payouts = scoped(PayoutModel, shop.installation.id);
  const make = async (amount: number) => {
    const stated = { dealerId: garage.id, amount: { amount, currency: 'EUR' }, kind: 'manual' as const };
    return (await payouts.insert(newPayout(scope(), { ...stated, _id: newId('payout') })))._id;
  };
  const [good, bad] = [await make(60), await make(60)];
  expect(await list()).toEqual([]);
  expect((await hold(good)).status).toBe(404);
  await work(2 * minute);
  const states = [await read(good), await read(bad)].map((payout) => `${payout?.state} ${payout?.isFunded}`);
  expect(states.sort()).toEqual(['canceled false', 'pending true']);
  expect(await list()).toHaveLength(1);
  expect(await balance()).toMatchObject({ available: 40, inPayout: 60 });
});

test('a schedule pays out on its day, once', async () => {
  await open(900);
  const dealers = scoped(DealerModel, shop.installation.id);
  const today = new Date(rest.stack.platform.now());
  const set = (schedule: object) =>
    dealers.findOneAndUpdate({ _id: garage.id }, { $set: { 'payout.schedule': schedule } });
  await set({ interval: 'weekly', anchor: ((today.getUTCDay() || 7) % 7) + 1 });
  await rest.stack.runJob('identity.scheduled-payouts');
  expect(await list()).toEqual([]);
  await set({ interval: 'weekly', anchor: today.getUTCDay() || 7 });
  await rest.stack.runJob('identity.scheduled-payouts');
  await earn(50);
  await rest.stack.runJob('identity.scheduled-payouts');
  expect(await list()).toMatchObject([{ kind: 'scheduled', state: 'pending', amount: { amount: 900 } }]);
});

test('a dealer that has money here is not closed', async () => {
  await open(5);
  const { status, body } = await rest.call('DELETE', `/api/v1/dealers/${garage.id}`, {
    token: garage.owner.token,
  });
  expect([status, body.code, body.obligations]).toEqual([409, 'open_obligations', ['balance']]);
});

test('after all that the balances are what the journal says, and nothing was moved twice', async () => {
  const { mismatches } = await proveLedger(shop.installation.id);
  expect(mismatches).toEqual([]);
  const moved = await scoped(LedgerTransactionModel, shop.installation.id).find({ 'source.type': 'payout' });
  expect(moved.length).toBeGreaterThan(10);
});
