import { post } from '../../../../test/support/post.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededInstallation } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dealerAccount, noAmounts } from './accounts.ts';
import { LedgerBalanceModel, LedgerTransactionModel } from './model.ts';
import { proveLedger } from './proveLedger.ts';

const world = product();
let place: SeededInstallation;
beforeEach(async () => {
  place = await world.neighbour();
});

const prove = (assertHeld?: () => Promise<void>) => proveLedger(place.installation.id, assertHeld);
const balances = () => scoped(LedgerBalanceModel, place.installation.id);
/** Books earnings of a dealer that exists in the ledger only. */
async function earn(amount: number, { dealerId = newId('dealer'), currency = 'EUR' } = {}): Promise<string> {
  const postings = [
    { account: 'psp_clearing', amount: -amount, currency },
    { account: dealerAccount(dealerId, 'available'), amount, currency },
  ];
  await post(
    { installationId: place.installation.id, platform: world.stack.platform },
    {
      kind: 'adjustment',
      source: { type: 'adjustment', id: newId('ledgerTransaction') },
      dealerId,
      currency,
      postings,
    },
  );
  return dealerId;
}

test('a proof counts the accounts and states what the house holds in each currency', async () => {
  const dealerId = await earn(300);
  await earn(50);
  await earn(7, { dealerId, currency: 'USD' });
  expect(await prove()).toEqual({
    accounts: 2 + 3 * 4,
    house: [
      { account: 'psp_clearing', currency: 'EUR', amount: -350 },
      { account: 'psp_clearing', currency: 'USD', amount: -7 },
    ],
    mismatches: [],
  });
});

test('a balance that lost what the journal has is a mismatch, of its own currency alone', async () => {
  const dealerId = await earn(300);
  await earn(7, { dealerId, currency: 'USD' });
  await balances().findOneAndUpdate({ dealerId, currency: 'EUR' }, { $set: { 'accounts.available': 0 } });
  const account = dealerAccount(dealerId, 'available');
  expect((await prove()).mismatches).toEqual([{ account, currency: 'EUR', balance: 0, journal: 300 }]);
});

test('a journal that does not sum to zero is a mismatch of all accounts in that currency', async () => {
  await earn(300);
  const id = newId('ledgerTransaction');
  await scoped(LedgerTransactionModel, place.installation.id).insert({
    _id: id,
    kind: 'adjustment',
    source: { type: 'adjustment', id },
    dealerId: null,
    currency: 'USD',
    postings: [{ account: 'fees', currency: 'USD', amount: 5 }],
    availableAt: null,
    paymentId: null,
    payoutId: null,
    reason: null,
    at: new Date(world.stack.platform.now()),
  });
  expect((await prove()).mismatches).toEqual([{ account: 'all', currency: 'USD', balance: 0, journal: 5 }]);
});

test('more balances than one batch are all compared', async () => {
  for (let index = 0; index < 201; index += 1) {
    const dealerId = newId('dealer');
    const _id = `${place.installation.id}:${dealerId}:EUR`;
    await balances().insert({
      _id,
      dealerId,
      currency: 'EUR',
      accounts: noAmounts(),
    });
  }
  const [last] = await balances().find({}, { sort: { _id: -1 }, limit: 1 });
  await balances().findOneAndUpdate({ _id: last?._id ?? '' }, { $inc: { 'accounts.held': 1 } });
  const { accounts, mismatches } = await prove();
  expect(accounts).toBe(201 * 4);
  expect(mismatches).toMatchObject([{ account: dealerAccount(last?.dealerId ?? '', 'held'), balance: 1 }]);
});

test('a proof during concurrent posts compares each balance with its journal as of one moment', async () => {
  const dealerId = await earn(300);
  const posts = Promise.all(Array.from({ length: 30 }, () => earn(7, { dealerId })));
  for (let time = 0; time < 5; time += 1) expect((await prove()).mismatches).toEqual([]);
  await posts;
});

test('a proof goes on only while its lease is held, at each batch and at each account that differs', async () => {
  const dealerId = await earn(300);
  let asked = 0;
  const count = async (): Promise<void> => void (asked += 1);
  await prove(count);
  expect(asked).toBe(1);
  await balances().findOneAndUpdate({ dealerId }, { $inc: { 'accounts.held': 1 } });
  await prove(count);
  expect(asked).toBe(3);
  await expect(prove(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});
