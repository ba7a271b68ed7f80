import { storePayment } from '../../../test/authorization/storePayment.ts';
import { storeRefund } from '../../../test/authorization/storeRefund.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DisputeModel } from '../dispute/model.ts';
import { PayoutModel } from '../payout/model.ts';
import { newPayout } from '../payout/newPayout.ts';

const world = product();
const { market } = world;
// However long a list is, what hangs on its entries is asked for once.

let finance: SeededUser;
beforeAll(async () => {
  finance = await market.staff('finance');
});

const at = new Date();
const own = { currency: 'EUR', version: 1, createdAt: at, updatedAt: at } as const;

/** A dealer with so many payments, each refunded in part and disputed, and as many payouts. */
async function dealerWith(count: number) {
  const dealer = await market.dealer();
  const buyer = await market.user();
  const installationId = market.installation.id;
  for (let index = 0; index < count; index += 1) {
    const disputeId = newId('dispute');
    const paymentId = await storePayment(installationId, buyer.id, dealer.id, {
      state: 'succeeded',
      amountCaptured: 12_300,
      amountRefunded: 100,
      disputeId,
    });
    await storeRefund(installationId, { paymentId, dealerId: dealer.id });
    await scoped(DisputeModel, installationId).insert({
      ...own,
      _id: disputeId,
      paymentId,
      payerId: buyer.id,
      dealerId: dealer.id,
      amount: 100,
      reason: 'other',
      text: 'No.',
      state: 'needs_response',
      respondBy: at,
      evidence: [],
      outcome: null,
      isHeld: true,
      availableAt: null,
      dueAt: null,
    });
    const amount = { amount: 100, currency: 'EUR' };
    const payout = newPayout(world.stack, {
      _id: newId('payout'),
      dealerId: dealer.id,
      amount,
      kind: 'manual',
    });
    await scoped(PayoutModel, installationId).insert({ ...payout, isFunded: true, dueAt: null });
  }
  return { dealer, buyer };
}

const entry = 'nodes { id state refunds { id state } dispute { id state } }';
const lists = {
  payments: `query ($id: ID!) { list: payments(dealerId: $id, first: 100) { ${entry} } }`,
  'payments of a payer': `query { list: payments(role: PAYER, first: 100) { ${entry} } }`,
  adminPayments: `query { list: adminPayments(first: 100) { ${entry} } }`,
  dealerPayouts: `query ($id: ID!) { list: dealerPayouts(dealerId: $id, first: 100) { nodes { id state } } }`,
};

test('lists of 1, 10 and 100 payments, with refunds and disputes, and of payouts cost the same commands', async () => {
  const costs: Record<string, string[][]> = {};
  let total = 0;
  for (const count of [1, 10, 100]) {
    const { dealer, buyer } = await dealerWith(count);
    total += count;
    for (const [name, source] of Object.entries(lists)) {
      const as = { payments: dealer.owner, dealerPayouts: dealer.owner, 'payments of a payer': buyer }[name];
      const read = () =>
        world.stack.execute(
          source,
          { id: dealer.id },
          { installation: market.installation, as: as ?? finance },
        );
      // Who asks is remembered for a moment: not what is measured here.
      const { data, errors } = await read();
      expect([name, errors]).toEqual([name, undefined]);
      const expected = name === 'adminPayments' ? Math.min(total, 100) : count;
      expect([name, data?.list.nodes.length]).toEqual([name, expected]);
      (costs[name] ??= []).push(await commandsOf(read));
    }
  }
  for (const [name, [one, ten, hundred]] of Object.entries(costs)) {
    expect([name, ten]).toEqual([name, one]);
    expect([name, hundred]).toEqual([name, one]);
    expect(one?.length).toBeLessThanOrEqual(8);
  }
}, 120_000);
