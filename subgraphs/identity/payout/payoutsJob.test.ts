import { openPayoutDesk, type PayoutDesk } from '../../../test/support/openPayoutDesk.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { ProviderObjectModel } from '../payment-provider/kept/model.ts';
import { PayoutModel } from './model.ts';
import { newPayout } from './newPayout.ts';

const minute = 60_000;

let desk: PayoutDesk;
beforeAll(async () => {
  desk = await openPayoutDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.renew());

test('one that came back goes again with other bank details', async () => {
  await desk.open(1000);
  const { id } = (await desk.request(700)).body;
  await scoped(ProviderObjectModel, desk.shop.installation.id).findOneAndUpdate(
    { kind: 'account', ownId: desk.garage.id },
    { $set: { status: 'restricted' } },
  );
  await desk.work(6 * minute);
  expect(await desk.read(id)).toMatchObject({ state: 'failed', failureCode: expect.any(String) });
  expect(await desk.balance()).toMatchObject({ available: 300, inPayout: 700 });
  await desk.decideAccount('active');
  expect(await desk.read(id)).toMatchObject({ state: 'pending', attempt: 2 });
  await desk.work();
  expect((await desk.read(id))?.state).toBe('in_transit');
});

test('one that came back and was not asked for again is called off after a week, and the money is available', async () => {
  await desk.open(1000);
  const { id } = (await desk.request(700)).body;
  await scoped(ProviderObjectModel, desk.shop.installation.id).findOneAndUpdate(
    { kind: 'account', ownId: desk.garage.id },
    { $set: { status: 'restricted' } },
  );
  await desk.work(6 * minute);
  await desk.work(8 * 24 * 60 * minute);
  await desk.work();
  expect((await desk.read(id))?.state).toBe('canceled');
  expect(await desk.balance()).toMatchObject({ available: 1000, inPayout: 0 });
});

test('an account that the provider refuses calls off what has not gone', async () => {
  await desk.open(1000);
  const { id } = (await desk.request(700)).body;
  await desk.decideAccount('rejected');
  expect((await desk.read(id))?.state).toBe('canceled');
  expect(await desk.balance()).toMatchObject({ available: 1000, inPayout: 0 });
});

test('a request that was cut short is set aside by the worker, or nobody ever hears of it', async () => {
  await desk.open(100);
  const payouts = scoped(PayoutModel, desk.shop.installation.id);
  const make = async (amount: number) => {
    const stated = { dealerId: desk.garage.id, amount: { amount, currency: 'EUR' }, kind: 'manual' as const };
    return (await payouts.insert(newPayout(desk.scope(), { ...stated, _id: newId('payout') })))._id;
  };
  const [good, bad] = [await make(60), await make(60)];
  expect(await desk.list()).toEqual([]);
  expect((await desk.hold(good)).status).toBe(404);
  await desk.work(2 * minute);
  const states = [await desk.read(good), await desk.read(bad)].map(
    (payout) => `${payout?.state} ${payout?.isFunded}`,
  );
  expect(states.sort()).toEqual(['canceled false', 'pending true']);
  expect(await desk.list()).toHaveLength(1);
  expect(await desk.balance()).toMatchObject({ available: 40, inPayout: 60 });
});

test('a schedule pays out on its day, once', async () => {
  await desk.open(900);
  const dealers = scoped(DealerModel, desk.shop.installation.id);
  const today = new Date(desk.rest.stack.platform.now());
  const set = (schedule: object) =>
    dealers.findOneAndUpdate({ _id: desk.garage.id }, { $set: { 'payout.schedule': schedule } });
  await set({ interval: 'weekly', anchor: ((today.getUTCDay() || 7) % 7) + 1 });
  await desk.rest.stack.runJob('identity.scheduled-payouts');
  expect(await desk.list()).toEqual([]);
  await set({ interval: 'weekly', anchor: today.getUTCDay() || 7 });
  await desk.rest.stack.runJob('identity.scheduled-payouts');
  await desk.earn(50);
  await desk.rest.stack.runJob('identity.scheduled-payouts');
  expect(await desk.list()).toMatchObject([{ kind: 'scheduled', state: 'pending', amount: { amount: 900 } }]);
});

test('after all that the balances are what the journal says, and nothing was moved twice', async () => {
  const { mismatches } = await proveLedger(desk.shop.installation.id);
  expect(mismatches).toEqual([]);
  const moved = await scoped(LedgerTransactionModel, desk.shop.installation.id).find({
    'source.type': 'payout',
  });
  expect(moved.length).toBeGreaterThan(3);
});
