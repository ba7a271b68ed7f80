import { openPayoutDesk, type PayoutDesk } from '../../../test/support/openPayoutDesk.ts';
import { unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { refreshPayout } from './refreshPayout.ts';

const minute = 60_000;

let desk: PayoutDesk;
beforeAll(async () => {
  desk = await openPayoutDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.renew());

test('a link leads to the provider, makes the account once, and only the provider says when it is ready', async () => {
  const links = await Promise.all([desk.onboard(), desk.onboard(), desk.onboard()]);
  expect(links.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(links[0]?.body).toEqual({ url: expect.stringMatching(/^http/), expiresAt: expect.any(String) });
  const state = async () =>
    (await desk.rest.call('GET', desk.path('balance'), { token: desk.garage.owner.token })).body
      .payoutAccountState;
  expect(await state()).toBe('pending');
  await desk.decideAccount('restricted');
  expect(await state()).toBe('restricted');
  await desk.decideAccount('active');
  expect(await state()).toBe('active');
});

test('a dealer that is not active gets no link and no payout', async () => {
  await desk.open(1000);
  await scoped(DealerModel, desk.shop.installation.id).findOneAndUpdate(
    { _id: desk.garage.id },
    { $set: { state: 'closing' } },
  );
  expect((await desk.onboard()).body.code).toBe('dealer_not_active');
  expect((await desk.request(10)).body.code).toBe('dealer_not_active');
});

test('a payout is set aside, goes after a few minutes, and has arrived when the provider says so', async () => {
  await desk.open(1000);
  const made = await desk.request(700);
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({
      amount: { amount: 700, currency: 'EUR' },
      kind: 'manual',
      state: 'pending',
      hold: null,
    }),
  ]);
  expect(await desk.balance()).toMatchObject({ available: 300, inPayout: 700 });
  await desk.work();
  expect((await desk.read(made.body.id))?.state).toBe('pending');
  await desk.work(6 * minute);
  const sent = await desk.read(made.body.id);
  expect(sent?.state).toBe('in_transit');
  await desk.pass(minute);
  await refreshPayout(desk.scope(), sent?.ref ?? '');
  await desk.work();
  expect(await desk.list()).toMatchObject([
    { id: made.body.id, state: 'paid', arrivalDate: expect.any(String) },
  ]);
  expect(await desk.balance()).toMatchObject({ available: 300, inPayout: 0 });
  const entries = await desk.rest.call('GET', desk.path(`ledger-entries?payoutId=${made.body.id}`), {
    token: desk.garage.owner.token,
  });
  expect(entries.body.data.map(({ kind, total }: any) => [kind, total])).toEqual([
    ['payout_paid', -700],
    ['payout', 0],
  ]);
});

test('without an amount everything that is available is paid out', async () => {
  await desk.open(1234);
  expect((await desk.request(null)).body.amount.amount).toBe(1234);
  expect((await desk.request(null)).body.code).toBe('insufficient_balance');
});

test('of fifty requests at once as many are made as the balance covers, and a key makes one', async () => {
  await desk.open(105);
  const many = await Promise.all(Array.from({ length: 50 }, () => desk.request(10)));
  expect(many.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(new Set(many.flatMap(({ status, body }) => (status === 201 ? [] : [body.code])))).toEqual(
    new Set(['insufficient_balance']),
  );
  expect(await desk.balance()).toMatchObject({ available: 5, inPayout: 100 });
  expect(await desk.list('?limit=100')).toHaveLength(10);
  await desk.earn(500);
  const key = unique('key');
  const same = await Promise.all(Array.from({ length: 20 }, () => desk.request(20, key)));
  const ids = new Set(same.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])));
  expect(ids.size).toBe(1);
  expect(await desk.balance()).toMatchObject({ available: 485, inPayout: 120 });
});

test('what cannot be paid out is refused with its reason, and nothing is set aside', async () => {
  expect((await desk.request(10)).body.code).toBe('payout_account_not_ready');
  await desk.open(1000);
  await scoped(DealerModel, desk.shop.installation.id).findOneAndUpdate(
    { _id: desk.garage.id },
    { $set: { 'payout.minimumAmount': { amount: 50, currency: 'EUR' } } },
  );
  const codes = [];
  for (const amount of [0, -5, 49, 1001]) {
    const { status, body } = await desk.request(amount);
    codes.push(`${status} ${body.code}`);
  }
  expect(codes).toEqual([
    '422 validation_failed',
    '422 validation_failed',
    '409 payout_below_minimum',
    '409 insufficient_balance',
  ]);
  const keyless = await desk.rest.call('POST', desk.path('payouts'), {
    token: desk.garage.owner.token,
    body: {},
  });
  expect([keyless.status, keyless.body.code]).toEqual([400, 'idempotency_key_required']);
  expect(await desk.balance()).toMatchObject({ available: 1000, inPayout: 0 });
  expect(await desk.list()).toEqual([]);
});

test('a dealer that has money here is not closed', async () => {
  await desk.open(5);
  const { status, body } = await desk.rest.call('DELETE', `/api/v1/dealers/${desk.garage.id}`, {
    token: desk.garage.owner.token,
  });
  expect([status, body.code, body.obligations]).toEqual([409, 'open_obligations', ['balance']]);
});

test('after all that the balances are what the journal says, and nothing was moved twice', async () => {
  const { mismatches } = await proveLedger(desk.shop.installation.id);
  expect(mismatches).toEqual([]);
  const moved = await scoped(LedgerTransactionModel, desk.shop.installation.id).find({
    'source.type': 'payout',
  });
  expect(moved.length).toBeGreaterThan(8);
});
