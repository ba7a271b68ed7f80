import { makeSale, type Sale } from '../../../test/crashes/moneyWorld.ts';
import { unique } from '../../../test/support/seed.ts';
import { stripeProduct } from '../../../test/support/stripeProduct.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { RefundModel } from './model.ts';

const world = stripeProduct({ timeoutMs: 500 });
const { market } = world;
const amount = 5000;
const day = 24 * 3_600_000;
let sale: Sale;
beforeEach(async () => {
  world.stripe.faults = [];
  sale = await makeSale(world);
});
afterEach(() => world.stack.resetClock());

const order = () => ({
  paymentId: sale.paymentId,
  amount: { amount, currency: 'EUR' },
  reason: 'OTHER' as const,
  idempotencyKey: unique('key'),
});
const stored = () => market.records(RefundModel).find({ paymentId: sale.paymentId });
const atStripe = () =>
  [...world.stripe.objects.values()].filter((one) => one.payment_intent === sale.intentId);

test.each(['lostAnswer', 'lateError'] as const)(
  'a refund that Stripe made without an answer (%s) is found a day later and made once',
  async (fault) => {
    world.stripe.faults = [fault, fault];
    const { refund } = await sale.garage.owner.createRefund(order());
    expect(refund).toMatchObject({ state: 'PENDING' });
    world.stripe.faults = [];
    world.stack.advance(day + 3_600_000);
    await world.stack.runJob('identity.refunds');
    expect(atStripe()).toMatchObject([{ amount, metadata: { refundId: refund.id } }]);
    expect(await stored()).toMatchObject([{ state: 'succeeded', ref: atStripe()[0]?.id }]);
    expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
  },
);

test('a refund that Stripe answered with an error it keeps is repeated under another key at once', async () => {
  world.stripe.faults = ['storedError'];
  await sale.garage.owner.createRefund(order());
  world.stack.advance(60_000);
  await world.stack.runJob('identity.refunds');
  expect(await stored()).toMatchObject([{ state: 'succeeded' }]);
  expect(atStripe()).toHaveLength(1);
});

test('a refund of a payment that Stripe does not have is canceled, and the money stays with the dealer', async () => {
  world.stripe.objects.delete(sale.intentId);
  expect(await sale.garage.owner.createRefund(order())).toBeRefused(502, 'provider_error');
  expect(await stored()).toMatchObject([{ state: 'canceled', failureCode: 'resource_missing', dueAt: null }]);
});

test('a refund that Stripe refuses over a revoked key is pending until the key is replaced', async () => {
  world.stripe.faults = ['revokedKey'];
  const { refund } = await sale.garage.owner.createRefund(order());
  expect(refund).toMatchObject({ state: 'PENDING' });
  world.stack.advance(60_000);
  await world.stack.runJob('identity.refunds');
  expect(await stored()).toMatchObject([{ state: 'succeeded', tries: 0 }]);
});
