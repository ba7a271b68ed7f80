import { collection } from '../../../../test/authorization/world/collection.ts';
import { payableDealer } from '../../../../test/support/people/payableDealer.ts';
import { post } from '../../../../test/support/post.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { dealerAccount } from '../ledger/accounts.ts';
import { proveLedger } from '../ledger/proveLedger.ts';

const world = product({ payments: { provider: 'manual' } });
const { market } = world;
let garage: SeededDealer;
let finance: SeededUser;
beforeAll(async () => {
  finance = await market.staff('finance');
});
beforeEach(() => openGarage());
/** Opens a dealer with money to pay out. */
async function openGarage(options: Parameters<typeof payableDealer>[1] = {}): Promise<void> {
  garage = await payableDealer(market, options);
  await garage.owner.createPayoutOnboardingLink({ dealerId: garage.id });
  await earn(5000);
}
afterEach(async () => {
  world.stack.resetClock();
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});

/** Adds an amount to the available balance of the dealer. */
async function earn(amount: number): Promise<void> {
  const line = (account: string, value: number) => ({ account, currency: 'EUR', amount: value });
  await post(
    { installationId: market.installation.id, platform: world.stack.platform },
    {
      kind: 'adjustment',
      source: { type: 'adjustment', id: newId('ledgerTransaction') },
      dealerId: garage.id,
      currency: 'EUR',
      postings: [line('psp_clearing', -amount), line(dealerAccount(garage.id, 'available'), amount)],
      mayOverdraw: true,
    },
  );
}
const stored = (_id: string) => collection('payouts').findOne({ _id });
const listed = async () => (await finance.payoutsToTransfer({ first: 100 })).nodes.map(({ id }) => id);
async function work(aheadMs: number): Promise<void> {
  world.stack.advance(aheadMs);
  await world.stack.runJob('identity.payouts');
  world.stack.resetClock();
}
/** A payout that waits for its bank transfer. */
async function request(amount?: number): Promise<string> {
  const part = amount === undefined ? {} : { amount: { amount, currency: 'EUR' } };
  const order = { dealerId: garage.id, idempotencyKey: unique('key'), ...part };
  const { id } = (await garage.owner.requestPayout(order)).payout;
  expect(await listed()).not.toContain(id);
  await work(360_000);
  expect(await stored(id)).toMatchObject({ state: 'in_transit', dueAt: null });
  expect(await listed()).toContain(id);
  return id;
}

test('a payout waits in the list of finance until its transfer is recorded, once', async () => {
  const payoutId = await request();
  await work(30 * dayMs);
  expect(await stored(payoutId)).toMatchObject({ state: 'in_transit' });
  const settle = (reference: string) => finance.settlePayout({ payoutId, reference });
  expect(await settle(' ')).toBeRefused(422, 'validation_failed', { errors: [{ pointer: '#/reference' }] });
  const answers = await Promise.all(Array.from({ length: 5 }, () => settle('T 17')));
  expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
  expect(await settle('T 18')).toBeRefused(409, 'invalid_transition');
  expect(await stored(payoutId)).toMatchObject({ state: 'paid', arrivalDate: expect.any(Date), dueAt: null });
  expect(await listed()).not.toContain(payoutId);
  const audited = { action: 'settlePayout', 'target.id': payoutId, reason: 'T 17' };
  expect(await collection('audit_events').countDocuments(audited)).toBe(1);
});

test('a payout whose transfer the bank did not carry out returns to the balance of the dealer', async () => {
  const payoutId = await request();
  const answer = await finance.settlePayout({ payoutId, reference: 'T 17', outcome: 'FAILED' });
  expect(answer.payout).toMatchObject({ state: 'FAILED', failureCode: 'transfer_failed' });
  expect(await listed()).not.toContain(payoutId);
  await finance.cancelPayout({ payoutId, reason: 'The bank knows no such account.' });
  await work(0);
  expect(await stored(payoutId)).toMatchObject({ state: 'canceled', dueAt: null });
  const { balances } = await garage.owner.dealerBalance({ dealerId: garage.id });
  expect(balances[0]).toMatchObject({ inPayout: 0, available: 5000 });
});

test('a record of a failed transfer that is repeated after a crash does not touch the next attempt of the payout', async () => {
  const payoutId = await request();
  const key = { idempotencyKey: unique('key') };
  const settle = (more = {}) =>
    finance.settlePayout({ payoutId, reference: 'T 17', outcome: 'FAILED', ...more });
  expect(await settle(key)).not.toBeRefused();
  // The process ended before it stored the response.
  await collection('idempotency_keys').updateMany(
    { installationId: market.installation.id },
    { $set: { state: 'running', leaseUntil: new Date(0) } },
  );
  // Another link reads the account, which sends the payout again.
  await garage.owner.createPayoutOnboardingLink({ dealerId: garage.id });
  await work(0);
  expect(await stored(payoutId)).toMatchObject({ state: 'in_transit', attempt: 2 });
  expect((await settle(key)).payout).toMatchObject({ state: 'IN_TRANSIT' });
  expect(await stored(payoutId)).toMatchObject({ state: 'in_transit', attempt: 2 });
  expect((await settle()).payout).toMatchObject({ state: 'FAILED' });
});

test('of two payouts only the one whose transfer is recorded is paid', async () => {
  const [first, second] = [await request(1000), await request(1000)];
  expect(await finance.settlePayout({ payoutId: second, reference: 'T 17' })).not.toBeRefused();
  expect(await stored(second)).toMatchObject({ state: 'paid' });
  expect(await stored(first)).toMatchObject({ state: 'in_transit' });
});

test('a payout of a dealer in debt is in the list of finance only after the debt is paid', async () => {
  const payoutId = await request();
  await earn(-1);
  expect(await listed()).not.toContain(payoutId);
  await earn(1);
  expect(await listed()).toContain(payoutId);
});

test('a member of finance records no transfer to a dealer that the member belongs to', async () => {
  const insider = await market.staff('finance');
  await openGarage({ owner: insider });
  const payoutId = await request();
  const settle = (by: SeededUser) => by.settlePayout({ payoutId, reference: 'T 17' });
  expect(await settle(insider)).toBeRefused(403, 'four_eyes');
  expect(await stored(payoutId)).toMatchObject({ state: 'in_transit' });
  expect(await settle(finance)).not.toBeRefused();
});

test('a payout of a suspended dealer is in the list of finance only after the reinstatement', async () => {
  const moderator = await market.staff('moderator');
  const payoutId = await request();
  await moderator.suspendDealer({ dealerId: garage.id, reason: 'Complaints' });
  expect(await listed()).not.toContain(payoutId);
  await moderator.reinstateDealer({ dealerId: garage.id });
  expect(await listed()).toContain(payoutId);
});
