import {
  accountIdOf,
  makeSale,
  openAccount,
  paidAmount,
  type Sale,
} from '../../../../test/crashes/moneyWorld.ts';
import { post } from '../../../../test/support/post.ts';
import { unique } from '../../../../test/support/seed.ts';
import type { StripeObject } from '../../../../test/support/servers/openStripeStore.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { dealerAccount } from '../ledger/accounts.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { refreshPayoutAccount } from '../payout-account/refreshPayoutAccount.ts';
import { PayoutModel } from './model.ts';

const world = stripeProduct();
const { market } = world;
/** What a sale earns. */
const earned = paidAmount - 1000;
const minute = 60_000;
let sale: Sale;
let payoutId: string;
beforeEach(async () => {
  sale = await makeSale(world);
  await openAccount(world, sale.garage.id);
  const { owner, id: dealerId } = sale.garage;
  payoutId = (await owner.requestPayout({ dealerId, idempotencyKey: unique('key') })).payout.id;
});
afterEach(async () => {
  world.stack.resetClock();
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});

const stored = () => market.records(PayoutModel).findOne({ _id: payoutId });
const made = (object: string) =>
  [...world.stripe.objects.values()].filter(
    (one) => one.object === object && one.metadata?.payoutId === payoutId,
  );
/** Runs the job as if so much time had passed. */
async function work(aheadMs: number): Promise<void> {
  world.stack.advance(aheadMs);
  await world.stack.runJob('identity.payouts');
}
/** Expects that the payout was canceled, and that all of its money is on the dealer's balance and none on its account at Stripe. */
async function expectReturned(): Promise<void> {
  expect(await stored()).toMatchObject({ state: 'canceled', dueAt: null });
  world.stack.resetClock();
  const { balances } = await sale.garage.owner.dealerBalance({ dealerId: sale.garage.id });
  expect(balances[0]).toMatchObject({ available: earned, inPayout: 0 });
  expect(world.stripe.balance(accountIdOf(sale.garage.id), 'eur')).toBe(0);
}

/** Lets another account have the money that the platform has at Stripe. */
function drainPlatform(): StripeObject {
  const facts = { object: 'transfer', currency: 'eur', amount_reversed: 0, destination: 'acct_other' };
  const drain = { ...facts, id: unique('tr'), amount: world.stripe.balance(null, 'eur') };
  world.stripe.objects.set(drain.id, drain);
  return drain;
}

test('a payout for which the account at Stripe has no money for a week is canceled', async () => {
  const drain = drainPlatform();
  await work(6 * minute);
  await work(6 * dayMs);
  expect(await stored()).toMatchObject({ state: 'in_transit', ref: null, failureCode: null });
  await work(dayMs + minute);
  await work(minute);
  expect(made('transfer')).toEqual([]);
  world.stripe.objects.delete(drain.id);
  await expectReturned();
});

test('a payout that waits for money of the platform is not transferred while its dealer is suspended', async () => {
  const moderator = await market.staff('moderator');
  const drain = drainPlatform();
  await work(6 * minute);
  await moderator.suspendDealer({ dealerId: sale.garage.id, reason: 'Complaints' });
  world.stripe.objects.delete(drain.id);
  await work(2 * dayMs);
  expect(await stored()).toMatchObject({ state: 'in_transit', transfer: null });
  expect(made('transfer')).toEqual([]);
  world.stack.resetClock();
  expect(await moderator.reinstateDealer({ dealerId: sale.garage.id })).not.toBeRefused();
  await work(2 * dayMs + 20 * minute);
  expect(made('transfer')).toHaveLength(1);
});

test('a payout that waits for money of the platform is not transferred while the account of its dealer is rejected', async () => {
  const drain = drainPlatform();
  await work(6 * minute);
  const rejected = { $set: { 'payout.accountState': 'rejected' as const } };
  await market.records(DealerModel).findOneAndUpdate({ _id: sale.garage.id }, rejected);
  world.stripe.objects.delete(drain.id);
  await work(61 * minute);
  expect(await stored()).toMatchObject({ state: 'in_transit', transfer: null });
  expect(made('transfer')).toEqual([]);
});

test('a payout that waits for money of the platform is not transferred while its dealer is in debt', async () => {
  const drain = drainPlatform();
  await work(6 * minute);
  const { id: dealerId } = sale.garage;
  const line = (account: string, amount: number) => ({ account, amount, currency: 'EUR' });
  const scope = { installationId: market.installation.id, platform: world.stack.platform };
  await post(scope, {
    kind: 'adjustment',
    source: { type: 'adjustment', id: newId('ledgerTransaction') },
    dealerId,
    currency: 'EUR',
    postings: [line(dealerAccount(dealerId, 'available'), -100), line('losses', 100)],
    mayOverdraw: true,
  });
  world.stripe.objects.delete(drain.id);
  await work(61 * minute);
  expect(made('transfer')).toEqual([]);
  await work(8 * dayMs);
  await work(minute);
  expect(await stored()).toMatchObject({ state: 'canceled', dueAt: null });
  expect(made('transfer')).toEqual([]);
});

test('a payout that fails on every attempt is canceled a week after its first failure', async () => {
  const { installation } = market;
  const scope = { installationId: installation.id, installation, platform: world.stack.platform };
  for (const attempt of [1, 2, 3]) {
    await work(3 * dayMs);
    world.stripe.setPayout(String((await stored())?.ref), 'failed');
    await work(10 * minute);
    expect(await stored()).toMatchObject({ state: 'failed', attempt });
    // An event about the account sends the payout again.
    if (attempt < 3) await refreshPayoutAccount(scope, 'stripe', accountIdOf(sale.garage.id));
  }
  await work(dayMs + minute);
  await expectReturned();
});

test('a payout that Stripe does not have is canceled after a week, and its transfer is taken back', async () => {
  await work(6 * minute);
  for (const { id } of made('payout')) world.stripe.objects.delete(id);
  await work(10 * minute);
  await work(6 * dayMs);
  expect(await stored()).toMatchObject({ state: 'in_transit', ref: expect.any(String) });
  await work(dayMs + minute);
  await work(minute);
  await expectReturned();
});

test('a payout that waits for the account of its dealer is canceled after a week', async () => {
  const restricted = { $set: { 'payout.accountState': 'restricted' as const } };
  await market.records(DealerModel).findOneAndUpdate({ _id: sale.garage.id }, restricted);
  await work(6 * minute);
  await work(6 * dayMs);
  expect(await stored()).toMatchObject({ state: 'pending' });
  await work(dayMs + minute);
  await expectReturned();
});
