import { collection } from '../../../../../test/authorization/world/collection.ts';
import { openAccount } from '../../../../../test/crashes/moneyWorld.ts';
import { keepCard } from '../../../../../test/money/MoneyRun.ts';
import { payableDealer } from '../../../../../test/support/people/payableDealer.ts';
import { type SeededInstallation, type SeededUser, seed, unique } from '../../../../../test/support/seed.ts';
import type { StripeObject } from '../../../../../test/support/servers/openStripeStore.ts';
import { worthOf } from '../../../../../test/support/servers/stripeMoney.ts';
import { stripeProduct } from '../../../../../test/support/stripeProduct.ts';

const world = stripeProduct();
/** Where earnings are available at once. */
let market: SeededInstallation;
let finance: SeededUser;
beforeAll(async () => {
  market = await seed(world.stack).installation({ settings: { earningsHeldDays: 0 } });
  finance = await market.staff('finance');
});

const key = () => ({ idempotencyKey: unique('key') });
/** A dealer with a listing at this price, and its buyer. */
async function sell(amount: number, currency: string) {
  const garage = await payableDealer(market);
  await openAccount({ ...world, market }, garage.id);
  await collection('dealers').updateOne({ _id: garage.id }, { $set: { currency } });
  const buyer = await market.user();
  const { id: listingId } = await garage.listing({ published: true, price: { amount, currency } });
  const paymentMethodId = await keepCard({ ...world, market, finance }, 'pm_card_visa', buyer);
  const pay = (purpose: 'PURCHASE' | 'DEPOSIT', captureMethod: 'AUTOMATIC' | 'MANUAL' = 'AUTOMATIC') =>
    buyer.createPayment({ purpose, listingId, paymentMethodId, captureMethod, ...key() });
  return { garage, buyer, pay };
}
const made = (isWanted: (one: StripeObject) => boolean) => {
  const [one, ...more] = [...world.stripe.objects.values()].filter(isWanted);
  if (!one || more.length > 0) throw new Error(`Stripe has ${one ? 'several' : 'none'} of it.`);
  return one;
};
const about = (object: string, id: string) =>
  made((one) => one.object === object && Object.values(one.metadata ?? {}).includes(id));

test.each([
  ['ISK', 10_000, '10000.00 isk', 3000, '3000.00 isk'],
  ['UGX', 10_000, '10000.00 ugx', 3000, '3000.00 ugx'],
  ['MGA', 1_000_000, '10000 mga', 300_000, '3000 mga'],
  ['KWD', 10_000, '10.000 kwd', 3000, '3.000 kwd'],
  ['JPY', 10_000, '10000 jpy', 3000, '3000 jpy'],
  ['HUF', 1_000_000, '10000.00 huf', 300_000, '3000.00 huf'],
  ['EUR', 10_000, '100.00 eur', 3000, '30.00 eur'],
] as const)(
  'a purchase, a refund and a payout in %s move the same money at Stripe as in the ledger',
  async (currency, price, paid, part, refunded) => {
    const { garage, pay } = await sell(price, currency);
    const { payment } = await pay('PURCHASE');
    expect(payment).toMatchObject({ state: 'SUCCEEDED', amountCaptured: { amount: price, currency } });
    const { amount_received, ...intent } = about('payment_intent', payment.id);
    expect(worthOf({ ...intent, amount: amount_received } as never)).toBe(paid);
    const refund = { paymentId: payment.id, amount: { amount: part, currency }, reason: 'OTHER' } as const;
    const { id: refundId } = (await garage.owner.createRefund({ ...refund, ...key() })).refund;
    expect(worthOf(about('refund', refundId) as never)).toBe(refunded);
    const { payout } = await garage.owner.requestPayout({ dealerId: garage.id, ...key() });
    await collection('payouts').updateOne({ _id: payout.id }, { $set: { dueAt: new Date(0) } });
    await world.stack.runJob('identity.payouts');
    expect(await collection('payouts').findOne({ _id: payout.id })).toMatchObject({ state: 'in_transit' });
    const sent = about('payout', payout.id);
    // Decimal digits of the currency by ISO 4217 and at Stripe differ, the worth does not.
    expect(Number.parseFloat(worthOf(sent as never))).toBe(payout.amount.amount / isoUnit[currency]);
    expect(worthOf(about('transfer', payout.id) as never)).toBe(worthOf(sent as never));
  },
);
const isoUnit = { ISK: 1, UGX: 1, JPY: 1, MGA: 100, KWD: 1000, HUF: 100, EUR: 100 } as const;

test('a price in a currency that Stripe does not take, or with digits that it cannot take, is refused clearly', async () => {
  for (const [amount, currency, detail] of [
    [100_000, 'IQD', 'does not take IQD'],
    [123_456, 'KWD', 'multiples of 10'],
    [123_450, 'MGA', 'multiples of 100'],
  ] as const) {
    const { pay } = await sell(amount, currency);
    expect(await pay('PURCHASE')).toBeRefused(422, 'validation_failed', {
      errors: [{ pointer: '#/listingId', detail: expect.stringContaining(detail) }],
    });
  }
  expect(await collection('payments').countDocuments({ currency: 'IQD' })).toBe(0);
});

test('a deposit is a share of the price, rounded down to what Stripe takes', async () => {
  const { pay } = await sell(123_450, 'KWD');
  expect((await pay('DEPOSIT')).payment).toMatchObject({
    state: 'SUCCEEDED',
    amountCaptured: { amount: 12_340, currency: 'KWD' },
  });
});

test('parts that Stripe cannot move are refused for captures, refunds, disputes and payouts', async () => {
  const kwd = (amount: number) => ({ amount, currency: 'KWD' });
  const { garage, buyer, pay } = await sell(10_000, 'KWD');
  const { payment } = await pay('PURCHASE', 'MANUAL');
  const paymentId = payment.id;
  const refusal = { errors: [{ detail: expect.stringContaining('multiples of 10') }] };
  const capture = (amount: number) =>
    garage.owner.capturePayment({ paymentId, amount: kwd(amount), ...key() });
  expect(await capture(9999)).toBeRefused(422, 'validation_failed', refusal);
  expect(await capture(9990)).not.toBeRefused();
  const part = { paymentId, amount: kwd(5), reason: 'OTHER' } as const;
  expect(await garage.owner.createRefund({ ...part, ...key() })).toBeRefused(
    422,
    'validation_failed',
    refusal,
  );
  const dispute = { ...part, text: 'No.' };
  expect(await buyer.openDispute(dispute)).toBeRefused(422, 'validation_failed', refusal);
  const opened = await buyer.openDispute({ ...dispute, amount: kwd(100) });
  const decision = { outcome: 'SPLIT', refundAmount: kwd(55), statement: 'So be it.' } as const;
  const { id: disputeId } = opened.dispute;
  expect(await finance.resolveDispute({ disputeId, ...decision, ...key() })).toBeRefused(
    422,
    'validation_failed',
    refusal,
  );
  const payout = { dealerId: garage.id, amount: kwd(5), ...key() };
  expect(await garage.owner.requestPayout(payout)).toBeRefused(422, 'validation_failed', refusal);
});

test('forints are paid out in whole ones, whether all of them are requested or the schedule pays them', async () => {
  const huf = (amount: number) => ({ amount, currency: 'HUF' });
  const { garage, pay } = await sell(1_000_045, 'HUF');
  expect((await pay('PURCHASE')).payment).toMatchObject({ state: 'SUCCEEDED' });
  const available = async () => {
    const { balances } = await garage.owner.dealerBalance({ dealerId: garage.id });
    return balances.find(({ currency }) => currency === 'HUF')?.available ?? 0;
  };
  const request = (amount?: number) =>
    garage.owner.requestPayout({ dealerId: garage.id, ...(amount && { amount: huf(amount) }), ...key() });
  expect(await request(1045)).toBeRefused(422, 'validation_failed', {
    errors: [{ pointer: '#/amount/amount', detail: expect.stringContaining('multiples of 100') }],
  });
  expect((await request(1000)).payout.amount).toEqual(huf(1000));
  const [before, anchor] = [await available(), new Date(world.stack.platform.now()).getUTCDay() || 7];
  const schedule = { 'payout.schedule': { interval: 'weekly', anchor } };
  await collection('dealers').updateOne({ _id: garage.id }, { $set: schedule });
  await world.stack.runJob('identity.scheduled-payouts');
  expect(await available()).toBe(before % 100);
  expect(await request()).toBeRefused(409, 'insufficient_balance');
});
