import { collection } from '../../../../test/authorization/world/collection.ts';
import { unique } from '../../../../test/support/seed.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { forgetPayer } from './forgetPayer.ts';

const world = stripeProduct();
const { market } = world;

/** A user with a kept card of Stripe. */
async function keepCard() {
  const buyer = await market.user();
  const { setup } = await buyer.createPaymentMethodSetup({});
  const paymentMethodId = setup.paymentMethod.id;
  const kept = { state: 'active', methodRef: unique('pm') };
  await collection('payment_methods').updateOne({ _id: paymentMethodId }, { $set: kept });
  return { buyer, paymentMethodId };
}

test('a payment method whose deletion was not answered is deleted by the next request', async () => {
  const { buyer, paymentMethodId } = await keepCard();
  world.stripe.faults = ['lateError'];
  expect(await buyer.deletePaymentMethod({ paymentMethodId })).toBeRefused(502, 'provider_error');
  expect(await buyer.deletePaymentMethod({ paymentMethodId })).not.toBeRefused();
  expect(await buyer.myPaymentMethods()).toEqual([]);
});

test.each(['method', 'customer'])(
  'an erasure whose %s was deleted at Stripe before goes on',
  async (what) => {
    const { buyer } = await keepCard();
    world.stripe.faults = what === 'method' ? ['lateError'] : ['none', 'lateError'];
    const { platform } = world.stack;
    const payer = { platform, installationId: market.installation.id, userId: buyer.id };
    await expect(forgetPayer(payer)).rejects.toMatchObject({ kind: 'unknown' });
    await forgetPayer(payer);
    for (const name of ['payment_methods', 'payment_customers'])
      expect(await collection(name).countDocuments({ userId: buyer.id })).toBe(0);
  },
);
