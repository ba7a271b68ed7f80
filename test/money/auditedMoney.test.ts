import { collection } from '../authorization/world/collection.ts';
import { makeSale } from '../crashes/moneyWorld.ts';
import { unique } from '../support/seed.ts';
import { dieWithin } from '../support/stack/mortality.ts';
import { stripeProduct } from '../support/stripeProduct.ts';

const world = stripeProduct();

test('a refund has exactly one audit event, at whichever write its process dies', async () => {
  let [isDead, write] = [true, 0];
  for (; isDead; write += 1) {
    const { paymentId, garage } = await makeSale(world);
    const idempotencyKey = unique('key');
    const make = () => garage.owner.createRefund({ paymentId, reason: 'OTHER', idempotencyKey });
    const audited = async () => {
      const refund = await collection('refunds').findOne({ paymentId });
      const filter = { action: 'createRefund', 'target.id': refund?._id ?? 'none' };
      return [refund !== null, await collection('audit_events').countDocuments(filter)];
    };
    isDead = await dieWithin({ write, isBehind: false }, make);
    const [isStored, events] = await audited();
    expect([write, events]).toEqual([write, isStored ? 1 : 0]);
    const over = { $set: { leaseUntil: new Date(0) } };
    await collection('idempotency_keys').updateMany({ state: 'running' }, over);
    await make();
    expect([write, ...(await audited())]).toEqual([write, true, 1]);
  }
  expect(write).toBeGreaterThan(5);
});
