import { interceptWrites } from '../../../test/support/interceptWrites.ts';
import { payableDealer } from '../../../test/support/payableDealer.ts';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { sellThrough } from '../../../test/support/sellThrough.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { RefundModel } from '../refund/model.ts';
import { PayoutModel } from './model.ts';

const world = product();
const { market } = world;

afterEach(() => interceptWrites(null));

/** A dealer with an available balance, and the payment that it comes from. */
async function earn() {
  const [garage, buyer] = [await payableDealer(market), await market.user()];
  const sale = { payerId: buyer.id, dealerId: garage.id, heldDays: 0 };
  return { garage, paymentId: await sellThrough(world.stack, market.installation, sale) };
}

/** Lets other writers win every race for a balance while `work` runs. */
async function losingRaces<T>(work: () => Promise<T>): Promise<T> {
  interceptWrites(async (write, proceed) =>
    write === 'ledger_balances.findOneAndUpdate' ? null : proceed(),
  );
  const answer = await work();
  interceptWrites(null);
  return answer;
}

test('a payout and a refund whose balance was contended are made once when the same request is repeated', async () => {
  const [{ garage, paymentId }, other] = [await earn(), await earn()];
  const order = { amount: { amount: 1000, currency: 'EUR' }, idempotencyKey: unique('key') };
  const payOut = () => other.garage.owner.requestPayout({ dealerId: other.garage.id, ...order });
  const giveBack = () => garage.owner.createRefund({ paymentId, reason: 'OTHER', ...order });
  for (const refused of await losingRaces(() => Promise.all([payOut(), giveBack()])))
    expect(refused).toBeRefused(409, 'concurrent_update');
  const [{ payout }, { refund }] = [await payOut(), await giveBack()];
  world.stack.advance(60_000);
  for (const job of ['payouts', 'refunds']) await world.stack.runJob(`identity.${job}`);
  world.stack.resetClock();
  const payouts = await market.records(PayoutModel).find({ dealerId: other.garage.id });
  expect(payouts).toMatchObject([{ _id: payout.id, isFunded: true }]);
  const refunds = await market.records(RefundModel).find({ paymentId });
  expect(refunds).toMatchObject([{ _id: refund.id, state: 'succeeded' }]);
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});
