import { post } from '../../../../test/support/post.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { dealerAccount } from '../ledger/accounts.ts';
import { type NewTransaction, postTransaction } from '../ledger/postTransaction.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { ProviderObjectModel } from '../payment-provider/kept/model.ts';
import { findPayoutAccount } from '../payout-account/record/model.ts';
import { refreshPayoutAccount } from '../payout-account/refreshPayoutAccount.ts';
import { PayoutModel } from './model.ts';
import { refreshPayout } from './refreshPayout.ts';

const world = product();
const { market } = world;
const minute = 60_000;
const week = 7 * 24 * 60 * minute;

let garage: SeededDealer;
let finance: SeededUser;
let operator: SeededUser;
let moderator: SeededUser;
beforeAll(async () => {
  [finance, moderator] = [await market.staff('finance'), await market.staff('moderator')];
  operator = await market.user({ roles: ['operator' as never] });
});
beforeEach(async () => {
  garage = await market.dealer();
});
afterEach(async () => {
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const fifty = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 50 }, work));
const scope = () => ({
  installationId: market.installation.id,
  installation: market.installation,
  platform: world.stack.platform,
});
const onboard = () => garage.owner.createPayoutOnboardingLink({ dealerId: garage.id });
const request = (amount?: number) =>
  garage.owner.requestPayout({
    dealerId: garage.id,
    idempotencyKey: unique('key'),
    ...(amount !== undefined && { amount: eur(amount) }),
  });
const hold = (payoutId: string, by = finance) => by.holdPayout({ payoutId, reason: 'Looks odd' });
const release = (payoutId: string, by = operator) => by.releasePayoutHold({ payoutId });
const balance = async () => (await garage.owner.dealerBalance({ dealerId: garage.id })).balances[0];
const list = async () => (await garage.owner.dealerPayouts({ dealerId: garage.id, first: 100 })).nodes;
const payouts = () => scoped(PayoutModel, market.installation.id);
const stored = (_id: string) => payouts().findOne({ _id });
const setDealer = (set: object) =>
  scoped(DealerModel, market.installation.id).findOneAndUpdate({ _id: garage.id }, { $set: set });

const adjustment = (amount: number): NewTransaction => {
  const line = (account: string, value: number) => ({ account, ...eur(value) });
  return {
    kind: 'adjustment',
    source: { type: 'adjustment', id: newId('ledgerTransaction') },
    dealerId: garage.id,
    currency: 'EUR',
    postings: [line('psp_clearing', -amount), line(dealerAccount(garage.id, 'available'), amount)],
  };
};
/** Makes an amount available to the dealer. */
const earn = (amount: number) => post(scope(), adjustment(amount));

/** Sets the dealer's account at the provider, which notifies the product. */
async function setAccount(
  status: 'active' | 'restricted' | 'rejected',
  { isNotified = true } = {},
): Promise<void> {
  const account = await findPayoutAccount(market.installation.id, garage.id, 'sandbox');
  const ref = account?.ref ?? '';
  const objects = scoped(ProviderObjectModel, market.installation.id);
  await objects.findOneAndUpdate({ _id: ref }, { $set: { status } });
  if (isNotified) await refreshPayoutAccount(scope(), 'sandbox', ref);
}

/** Opens the dealer's account and makes an amount available. */
async function open(amount: number): Promise<void> {
  expect(await onboard()).not.toBeRefused();
  await setAccount('active');
  await earn(amount);
}

/** Runs the job as if so much time had passed; the clock goes back, because tokens expire. */
async function work(aheadMs = 0): Promise<void> {
  world.stack.advance(aheadMs);
  await world.stack.runJob('identity.payouts');
  world.stack.resetClock();
}

test('onboarding links open one account, which is ready when the provider reports it', async () => {
  const links = await Promise.all([onboard(), onboard(), onboard()]);
  for (const link of links)
    expect(link).toEqual({ url: expect.stringMatching(/^http/), expiresAt: expect.anything() });
  const state = async () => (await garage.owner.dealerBalance({ dealerId: garage.id })).payoutAccountState;
  expect(await state()).toBe('PENDING');
  for (const status of ['restricted', 'active'] as const) {
    await setAccount(status);
    expect(await state()).toBe(status.toUpperCase());
  }
});

test('a payout is set aside, sent after a few minutes and paid when the provider reports it', async () => {
  await open(1000);
  const { payout } = await request(700);
  const { id } = payout;
  expect(payout).toMatchObject({ amount: eur(700), kind: 'MANUAL', state: 'PENDING', hold: null });
  expect(await balance()).toMatchObject({ available: 300, inPayout: 700 });
  await work();
  expect(await stored(id)).toMatchObject({ state: 'pending' });
  await work(6 * minute);
  const sent = await stored(id);
  expect(sent?.state).toBe('in_transit');
  await refreshPayout(scope(), sent?.ref ?? '');
  await work(10 * minute);
  expect(await list()).toMatchObject([{ id, state: 'PAID', arrivalDate: expect.anything() }]);
  expect(await balance()).toMatchObject({ available: 300, inPayout: 0 });
  // The sandbox pays out without accounts of the dealers.
  const { house } = await proveLedger(market.installation.id);
  expect(house.map(({ account }) => account)).not.toContain('psp_connected');
  const { nodes } = await garage.owner.dealerLedgerEntries({ dealerId: garage.id, payoutId: id });
  expect(nodes).toMatchObject([
    { kind: 'PAYOUT_PAID', total: -700 },
    { kind: 'PAYOUT', total: 0 },
  ]);
});

test('a payout without an amount takes everything that is available', async () => {
  await open(1234);
  expect((await request()).payout.amount).toEqual(eur(1234));
  expect(await request()).toBeRefused(409, 'insufficient_balance');
});

test('of fifty concurrent requests only those that the balance covers are set aside', async () => {
  await open(105);
  const refused = (await fifty(() => request(10))).filter(isRefused);
  expect(refused).toHaveLength(40);
  for (const one of refused) expect(one).toBeRefused(409, 'insufficient_balance');
  expect(await balance()).toMatchObject({ available: 5, inPayout: 100 });
  expect(await list()).toHaveLength(10);
});

test('a payout is refused without an account, below the minimum, beyond the balance and for a closing dealer', async () => {
  expect(await request(10)).toBeRefused(403, 'payout_account_not_ready');
  await open(1000);
  await setDealer({ 'payout.minimumAmount': eur(50) });
  for (const amount of [0, -5])
    expect(await request(amount)).toBeRefused(422, 'validation_failed', {
      errors: [{ pointer: '#/amount/amount' }],
    });
  expect(await request(49)).toBeRefused(409, 'payout_below_minimum');
  expect(await request(1001)).toBeRefused(409, 'insufficient_balance');
  expect(await balance()).toMatchObject({ available: 1000, inPayout: 0 });
  await setDealer({ state: 'closing' });
  for (const refused of [await request(100), await onboard()])
    expect(refused).toBeRefused(403, 'dealer_not_active');
  expect(await list()).toEqual([]);
  await setDealer({ state: 'active' });
  expect(await request(50)).not.toBeRefused();
});

test('a dealer with a balance cannot be closed', async () => {
  await open(5);
  expect(await garage.owner.closeDealer({ dealerId: garage.id })).toBeRefused(409, 'open_obligations', {
    obligations: ['balance'],
  });
});

test('of fifty concurrent holds one is made and audited, and a held payout is not sent', async () => {
  await open(1000);
  const { id } = (await request(700)).payout;
  const answers = await fifty(() => hold(id));
  const [made, ...more] = answers.filter((answer) => !isRefused(answer));
  expect(more).toEqual([]);
  expect(made?.payout).toMatchObject({ state: 'ON_HOLD', hold: { reason: 'Looks odd' } });
  for (const answer of answers.filter(isRefused)) expect(answer).toBeRefused(409);
  await work(60 * minute);
  expect(await stored(id)).toMatchObject({ state: 'on_hold' });
  const audited = { 'target.id': id, action: 'holdPayout', result: 'allowed' } as const;
  expect(await scoped(AuditEventModel, market.installation.id).count(audited)).toBe(1);
  expect(await list()).toMatchObject([{ hold: { reason: 'Looks odd', by: null } }]);
});

test('a hold is released by another person than set it, and a payout on its way cannot be held', async () => {
  await open(1000);
  const { id } = (await request(700)).payout;
  expect(await hold(id, operator)).not.toBeRefused();
  expect(await release(id)).toBeRefused(403, 'four_eyes');
  const other = await market.user({ roles: ['operator' as never] });
  expect((await release(id, other)).payout).toMatchObject({ state: 'PENDING', hold: null });
  expect(await release(id, other)).toBeRefused(409, 'invalid_transition');
  expect(await finance.holdPayout({ payoutId: id, reason: ' ' })).toBeRefused(422, 'validation_failed');
  await work();
  expect(await stored(id)).toMatchObject({ state: 'in_transit' });
  expect(await hold(id)).toBeRefused(409, 'invalid_transition');
});

test('payouts of a suspended dealer are held until it is reinstated', async () => {
  await open(1000);
  const { id } = (await request(700)).payout;
  await moderator.suspendDealer({ dealerId: garage.id, reason: 'Complaints' });
  const by = { type: 'system', id: 'suspendDealer' };
  expect(await stored(id)).toMatchObject({ state: 'on_hold', hold: { reason: 'dealer_suspended', by } });
  expect(await release(id)).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'on_hold', allowed: ['canceled'] },
  });
  await moderator.reinstateDealer({ dealerId: garage.id });
  expect((await release(id)).payout.state).toBe('PENDING');
});

test.each([
  { name: 'a suspended dealer is held', dealer: { state: 'suspended' }, after: { state: 'on_hold' } },
  {
    name: 'a rejected account is canceled',
    dealer: { 'payout.accountState': 'rejected' },
    after: { state: 'canceled', hold: null },
  },
])('a payout that is due for $name instead of sent', async ({ dealer, after }) => {
  await open(1000);
  const { id } = (await request(700)).payout;
  // The payout was requested concurrently, so nothing else has stopped it.
  await setDealer(dealer);
  await work(6 * minute);
  expect(await stored(id)).toMatchObject({ ...after, ref: null });
});

test('a returned payout is sent again when the account is active again', async () => {
  await open(1000);
  const { id } = (await request(700)).payout;
  await setAccount('restricted', { isNotified: false });
  await work(6 * minute);
  expect(await stored(id)).toMatchObject({ state: 'failed', failureCode: expect.any(String) });
  expect(await balance()).toMatchObject({ available: 300, inPayout: 700 });
  await setAccount('active');
  expect(await stored(id)).toMatchObject({ state: 'pending', attempt: 2 });
  await work();
  expect(await stored(id)).toMatchObject({ state: 'in_transit' });
});

test('a returned payout is canceled after a week, and one of a rejected account at once', async () => {
  await open(1000);
  const { id } = (await request(700)).payout;
  await setAccount('restricted', { isNotified: false });
  await work(6 * minute);
  await work(week + 6 * minute);
  expect(await stored(id)).toMatchObject({ state: 'canceled' });
  expect(await balance()).toMatchObject({ available: 1000, inPayout: 0 });
  await setAccount('active');
  const second = (await request(700)).payout;
  await setAccount('rejected');
  expect(await stored(second.id)).toMatchObject({ state: 'canceled' });
  expect(await balance()).toMatchObject({ available: 1000, inPayout: 0 });
});

test('a schedule pays out once on its day, and on no other day', async () => {
  await open(900);
  const day = new Date(world.stack.platform.now()).getUTCDay() || 7;
  const run = async (anchor: number) => {
    await setDealer({ 'payout.schedule': { interval: 'weekly', anchor } });
    await world.stack.runJob('identity.scheduled-payouts');
  };
  await run((day % 7) + 1);
  expect(await list()).toEqual([]);
  await run(day);
  await earn(50);
  await run(day);
  expect(await list()).toMatchObject([{ kind: 'SCHEDULED', state: 'PENDING', amount: eur(900) }]);
});

test.each([
  { taken: 600, paid: [300] },
  { taken: 900, paid: [] },
])('a schedule pays out what another process that takes $taken has left of the balance', async (row) => {
  await open(900);
  const day = new Date(world.stack.platform.now()).getUTCDay() || 7;
  await setDealer({ 'payout.schedule': { interval: 'weekly', anchor: day } });
  let isTaken = false;
  interceptWrites(async (write, proceed) => {
    if (write === 'payouts.insertOne' && !isTaken) {
      isTaken = true;
      await inTransaction((session) => postTransaction(scope(), adjustment(-row.taken), session));
    }
    return proceed();
  });
  await world.stack.runJob('identity.scheduled-payouts');
  interceptWrites(null);
  expect(await list()).toMatchObject(
    row.paid.map((amount) => ({ kind: 'SCHEDULED', state: 'PENDING', amount: eur(amount) })),
  );
  expect(await balance()).toMatchObject({ available: 0, inPayout: 900 - row.taken });
});
