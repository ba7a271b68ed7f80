import { makeSale, openAccount, paidAmount, type Sale } from '../../../../test/crashes/moneyWorld.ts';
import { loggedErrors } from '../../../../test/support/loggedErrors.ts';
import { unique } from '../../../../test/support/seed.ts';
import type { StripeFault } from '../../../../test/support/servers/openStripeServer.ts';
import type { StripeObject } from '../../../../test/support/servers/openStripeStore.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { refreshPayoutAccount } from '../payout-account/refreshPayoutAccount.ts';
import { PayoutModel } from './model.ts';

const world = stripeProduct({ timeoutMs: 300 });
const { market } = world;
/** What a sale earns. */
const earned = paidAmount - 1000;
const [minute, day] = [60_000, 24 * 3_600_000];
let sale: Sale;
beforeEach(async () => {
  world.stripe.faults = [];
  sale = await payableSale();
});
afterEach(async () => {
  interceptWrites(null);
  world.stack.resetClock();
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
  expect(await books()).toEqual(atStripe());
});

async function payableSale(): Promise<Sale> {
  const made = await makeSale(world);
  await openAccount(world, made.garage.id);
  return made;
}

const ids = () => ({ dealerId: sale.garage.id, account: `acct_${sale.garage.id}` });
/** What the ledger says that Stripe has: on the platform's account, and on the dealers' accounts. */
async function books() {
  const { house } = await proveLedger(market.installation.id);
  const on = (name: string) => 0 - (house.find(({ account }) => account === name)?.amount ?? 0);
  return { platform: on('psp_clearing'), dealers: on('psp_connected') };
}
function atStripe() {
  const { stripe } = world;
  const accounts = [...stripe.objects.values()].filter(({ object }) => object === 'account');
  const dealers = accounts.reduce((sum, { id }) => sum + stripe.balance(id, 'eur'), 0);
  return { platform: stripe.balance(null, 'eur'), dealers };
}
const made = (object: string, payoutId: string) =>
  [...world.stripe.objects.values()].filter(
    (one) => one.object === object && one.metadata?.payoutId === payoutId,
  );
const request = async () =>
  (await sale.garage.owner.requestPayout({ dealerId: sale.garage.id, idempotencyKey: unique('key') })).payout
    .id;
const stored = (_id: string) => scoped(PayoutModel, market.installation.id).findOne({ _id });
const entries = async (payoutId: string) =>
  (await scoped(LedgerTransactionModel, market.installation.id).find({ payoutId })).map(({ kind }) => kind);
const balance = async () => (await sale.garage.owner.dealerBalance({ dealerId: sale.garage.id })).balances[0];

/** Runs the job as if so much time had passed, for Stripe as well. */
async function work(aheadMs = 0): Promise<void> {
  world.stack.advance(aheadMs);
  await world.stack.runJob('identity.payouts');
}
/** Ends the wait of a payout and runs the job, with these faults of Stripe. */
async function workOn(payoutId: string, faults: StripeFault[] = []): Promise<void> {
  world.stripe.faults = faults;
  const dueAt = new Date(0);
  await scoped(PayoutModel, market.installation.id).findOneAndUpdate({ _id: payoutId }, { $set: { dueAt } });
  await work();
  world.stripe.faults = [];
}
async function setBank(payoutId: string, status: 'paid' | 'failed'): Promise<void> {
  world.stripe.setPayout(String((await stored(payoutId))?.ref), status);
}
/** Stripe says by an event that the dealer's account is in a state. */
async function setAccount(state: 'active' | 'rejected'): Promise<void> {
  const { account } = ids();
  const facts = {
    active: { payouts_enabled: true, capabilities: { transfers: 'active' }, requirements: {} },
    rejected: { payouts_enabled: false, requirements: { disabled_reason: 'rejected.fraud' } },
  };
  world.stripe.objects.set(account, { id: account, object: 'account', ...facts[state] });
  const { platform } = world.stack;
  const { installation } = market;
  await refreshPayoutAccount({ installationId: installation.id, installation, platform }, 'stripe', account);
}
/** Sends the event about an object, and processes it. */
async function sendEvent(object: StripeObject): Promise<void> {
  const { body, signature } = world.stripe.event(object);
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  expect(await market.visitor.receivePaymentEvent(event)).not.toBeRefused();
  await world.stack.runJob('identity.payment-events');
}
/** A payout that a bank has refused. */
async function failedPayout(): Promise<string> {
  const id = await request();
  await workOn(id);
  await setBank(id, 'failed');
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'failed', failureCode: 'account_closed' });
  expect(atStripe().dealers).toBeGreaterThanOrEqual(earned);
  return id;
}

test.each(['silent', 'lateError'] as const)(
  'a transfer whose answer is lost (%s) is not made a second time when it is repeated a day later',
  async (fault) => {
    // The platform has money of another dealer that a second transfer could take.
    await makeSale(world);
    const id = await request();
    await workOn(id, [fault]);
    expect(await stored(id)).toMatchObject({ state: 'in_transit', ref: null });
    await work(day + minute);
    expect(made('transfer', id)).toHaveLength(1);
    await setBank(id, 'paid');
    await workOn(id);
    expect(await stored(id)).toMatchObject({ state: 'paid' });
  },
);

test.each(['silent', 'lateError'] as const)(
  'a payout whose answer is lost (%s) is not made a second time when it is repeated a day later',
  async (fault) => {
    // The dealer's account has money of another payout that a second order could take.
    const other = await failedPayout();
    await makeAvailable();
    const id = await request();
    await workOn(id, ['none', fault]);
    await work(day + minute);
    expect(made('payout', id)).toHaveLength(1);
    await setBank(id, 'paid');
    await workOn(id);
    expect([await stored(id), await stored(other)]).toMatchObject([{ state: 'paid' }, { state: 'failed' }]);
  },
);

test('a payout whose response was lost is made once, although Stripe does not show the account of its dealer at first', async () => {
  // The dealer's account has money of another payout that a second order could take.
  const other = await failedPayout();
  await makeAvailable();
  const id = await request();
  await workOn(id, ['none', 'silent']);
  const { account } = ids();
  world.stripe.objects.delete(account);
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'in_transit', ref: null });
  await setAccount('active');
  await workOn(id);
  expect(made('payout', id)).toHaveLength(1);
  for (const one of [id, other]) {
    await setBank(one, 'paid');
    await workOn(one);
  }
  expect(await stored(id)).toMatchObject({ state: 'paid', attempt: 1 });
});

/** Another sale of the same dealer. */
async function makeAvailable(): Promise<void> {
  const { garage } = sale;
  const next = await makeSale(world, garage);
  sale = { ...next, garage };
}

test.each([[['storedError']], [['none', 'storedError']]] as [StripeFault[]][])(
  'an order that Stripe answers with an error that its key keeps is repeated under another key (%j)',
  async (faults) => {
    const id = await request();
    await workOn(id, faults);
    await workOn(id);
    await setBank(id, 'paid');
    await workOn(id);
    expect(await stored(id)).toMatchObject({ state: 'paid' });
    expect([made('transfer', id).length, made('payout', id).length]).toEqual([1, 1]);
  },
);

test('a payout that failed is transferred once, however many attempts it takes', async () => {
  const id = await failedPayout();
  await setAccount('active');
  await work();
  await setBank(id, 'paid');
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'paid', attempt: 2 });
  expect(made('transfer', id)).toHaveLength(1);
});

test('a payout that is called off after a week takes its transfer back, and the next payout pays once', async () => {
  const id = await failedPayout();
  await work(8 * day);
  world.stack.resetClock();
  expect(await stored(id)).toMatchObject({ state: 'canceled', transfer: { state: 'reversed' } });
  expect(await balance()).toMatchObject({ available: earned, inPayout: 0 });
  expect(world.stripe.balance(ids().account, 'eur')).toBe(0);
  const next = await request();
  await workOn(next);
  await setBank(next, 'paid');
  await workOn(next);
  expect(world.stripe.balance(ids().account, 'eur')).toBe(0);
  expect(await entries(id)).toEqual(
    expect.arrayContaining(['payout', 'payout_transfer', 'payout_reversal', 'payout_failure']),
  );
});

test('payouts of an account that Stripe rejected take their transfers back', async () => {
  const id = await failedPayout();
  await setAccount('rejected');
  expect(await stored(id)).toMatchObject({ state: 'canceled', transfer: { state: 'reversed' } });
  expect(await balance()).toMatchObject({ available: earned, inPayout: 0 });
});

test.each(['silent', 'error', 'storedError', 'lateError', 'refuse'] as const)(
  'money of a payout that is called off is available only once a reversal that met a fault (%s) is made, once',
  async (fault) => {
    const id = await failedPayout();
    world.stripe.faults = [fault];
    await setAccount('rejected');
    expect(await stored(id)).toMatchObject({ state: 'canceled', transfer: { state: 'made' } });
    expect(await balance()).toMatchObject({ available: 0, inPayout: earned });
    await work(61 * minute);
    world.stack.resetClock();
    expect(await stored(id)).toMatchObject({ transfer: { state: 'reversed' }, dueAt: null });
    expect(await balance()).toMatchObject({ available: earned, inPayout: 0 });
    const reversals = [...world.stripe.objects.values()].filter(
      ({ object, transfer }) => object === 'transfer_reversal' && transfer === made('transfer', id)[0]?.id,
    );
    expect(reversals).toMatchObject([{ amount: earned }]);
  },
);

test('a payout that fails after it was paid is open again, and its owner gets an event and a mail', async () => {
  const id = await request();
  await workOn(id);
  await setBank(id, 'paid');
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'paid' });
  expect(await balance()).toMatchObject({ inPayout: 0 });
  const ref = String((await stored(id))?.ref);
  await sendEvent(world.stripe.setPayout(ref, 'failed'));
  await work();
  expect(await stored(id)).toMatchObject({ state: 'failed', failureCode: 'account_closed' });
  expect(await balance()).toMatchObject({ available: 0, inPayout: earned });
  await world.stack.runJob('identity.relay');
  await world.stack.runJob('identity.payment-mails');
  const feed = await sale.garage.owner.myEvents({ first: 100 }, 'nodes { type resource { resourceId } }');
  const own = feed.nodes.filter(({ resource }) => resource?.resourceId === id);
  expect(own.at(-1)).toMatchObject({ type: 'payout.failed' });
  const mails = await world.stack.mailsTo(sale.garage.owner.email);
  expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/has failed/));
  await setAccount('active');
  await work();
  await setBank(id, 'paid');
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'paid', attempt: 2 });
  const { nodes } = await sale.garage.owner.dealerLedgerEntries({ dealerId: ids().dealerId, payoutId: id });
  expect(nodes.map(({ kind }) => kind)).toEqual(['PAYOUT_PAID', 'PAYOUT_RETURN', 'PAYOUT_PAID', 'PAYOUT']);
  expect(made('transfer', id)).toHaveLength(1);
});

test('a payout that fails after it was paid is found without an event within a day, for a week', async () => {
  const id = await request();
  await workOn(id);
  await setBank(id, 'paid');
  await workOn(id);
  await work(day + minute);
  expect(await stored(id)).toMatchObject({ state: 'paid', dueAt: expect.any(Date) });
  await setBank(id, 'failed');
  await work(day + minute);
  expect(await stored(id)).toMatchObject({ state: 'failed' });
  await setAccount('active');
  await work();
  await setBank(id, 'paid');
  for (let days = 0; days < 9; days += 1) await work(day + minute);
  expect(await stored(id)).toMatchObject({ state: 'paid', dueAt: null });
});

test('a payout that fails while the job reads it is found by its event, not by the next scheduled read', async () => {
  const id = await request();
  await workOn(id);
  await setBank(id, 'paid');
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'paid' });
  const ref = String((await stored(id))?.ref);
  let isReturned = false;
  interceptWrites(async (write, proceed) => {
    if (write === 'payouts.findOneAndUpdate' && !isReturned) {
      // The job has read the payout before.
      isReturned = true;
      await sendEvent(world.stripe.setPayout(ref, 'failed'));
    }
    return proceed();
  });
  await work(2 * day);
  expect(isReturned).toBe(true);
  await work();
  expect(await stored(id)).toMatchObject({ state: 'failed' });
});

test('a dealer is closed only once no bank can return its last payout, which no payout could follow', async () => {
  const close = () => sale.garage.owner.closeDealer({ dealerId: sale.garage.id });
  const id = await request();
  await workOn(id);
  await setBank(id, 'paid');
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'paid' });
  expect(await close()).toBeRefused(409, 'open_obligations', { obligations: ['payouts'] });
  for (let days = 0; days < 8; days += 1) await work(day + minute);
  world.stack.resetClock();
  expect(await close()).not.toBeRefused();
});

/** Hides everything at Stripe, as with the key of another account. Returns how it is shown again. */
function hideStripe(): () => void {
  const { objects } = world.stripe;
  const hidden = [...objects];
  objects.clear();
  return () => {
    for (const [id, object] of hidden) objects.set(id, object);
  };
}

test('a payout that was canceled because Stripe did not show it for a week is followed again once Stripe shows it', async () => {
  // The dealer's account has money of another payout that a reversal could take.
  const other = await failedPayout();
  await makeAvailable();
  const id = await request();
  await workOn(id);
  const show = hideStripe();
  await workOn(id);
  await work(8 * day);
  await work(day);
  expect(await stored(id)).toMatchObject({ state: 'canceled', transfer: { state: 'made' } });
  show();
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'in_transit', attempt: 1 });
  await setBank(id, 'paid');
  await workOn(id);
  await workOn(other);
  expect(await stored(id)).toMatchObject({ state: 'paid' });
  expect(await stored(other)).toMatchObject({ state: 'canceled', transfer: { state: 'reversed' } });
});

test('a payout that Stripe did not show for a week is not made a second time when its dealer’s account is read', async () => {
  const other = await failedPayout();
  await makeAvailable();
  const id = await request();
  await workOn(id);
  const show = hideStripe();
  await workOn(id);
  world.stack.advance(8 * day);
  await world.stack.runJob('identity.payouts');
  show();
  await setAccount('active');
  await work();
  await work();
  expect(made('payout', id)).toHaveLength(1);
  for (const one of [id, other]) {
    await setBank(one, 'paid');
    await workOn(one);
  }
  expect(await stored(id)).toMatchObject({ state: 'paid' });
});

test('a payout that a bank returns after its dealer was closed is in the log, so that finance can transfer the money', async () => {
  const id = await request();
  await workOn(id);
  await setBank(id, 'paid');
  await workOn(id);
  for (let days = 0; days < 8; days += 1) await work(day + minute);
  world.stack.resetClock();
  expect(await sale.garage.owner.closeDealer({ dealerId: sale.garage.id })).not.toBeRefused();
  await world.stack.runJob('identity.dealer-closings');
  await sendEvent(world.stripe.setPayout(String((await stored(id))?.ref), 'failed'));
  await work();
  expect(await stored(id)).toMatchObject({ state: 'failed' });
  const errors = await loggedErrors(world.stack, () => work(8 * day));
  expect(await stored(id)).toMatchObject({ state: 'canceled', transfer: { state: 'reversed' } });
  const subject = { dealerId: sale.garage.id, payoutId: id, amount: earned, currency: 'EUR' };
  expect(errors).toEqual([[subject, expect.stringContaining('closed dealer')]]);
});

test('a payout waits while the account at Stripe lacks its money, and its owner gets no mail about a bank', async () => {
  const id = await request();
  // What was captured is not available at Stripe yet, or went to another account.
  const drained = { object: 'transfer', currency: 'eur', amount_reversed: 0, destination: 'acct_other' };
  const drain = { ...drained, id: 'tr_drain', amount: world.stripe.balance(null, 'eur') };
  world.stripe.objects.set(drain.id, drain);
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'in_transit', failureCode: null, transfer: null });
  await world.stack.runJob('identity.relay');
  await world.stack.runJob('identity.payment-mails');
  const mails = await world.stack.mailsTo(sale.garage.owner.email);
  expect(mails.map(({ subject }) => subject)).not.toContainEqual(expect.stringMatching(/failed/));
  await work(59 * minute);
  expect(made('transfer', id)).toEqual([]);
  world.stripe.objects.delete(drain.id);
  await work(2 * minute);
  await setBank(id, 'paid');
  await workOn(id);
  expect(await stored(id)).toMatchObject({ state: 'paid', attempt: 1 });
});
