import { interceptWrites } from '../../../test/support/interceptWrites.ts';
import { dieWithin } from '../../../test/support/mortality.ts';
import { product } from '../../../test/support/product.ts';
import type { SeededDealer } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import {
  type DealerAccount,
  type DealerAmounts,
  dealerAccount,
  noAmounts,
  type Posting,
} from './accounts.ts';
import { LedgerBalanceModel, LedgerTransactionModel } from './model.ts';
import type { NewTransaction } from './NewTransaction.ts';
import { postTransaction } from './postTransaction.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;
beforeEach(async () => {
  garage = await market.dealer();
});
afterEach(() => interceptWrites(null));

const balances = () => scoped(LedgerBalanceModel, market.installation.id);
const balance = () => balances().findOne({ dealerId: garage.id });
const line = (account: string, amount: number): Posting => ({ account, amount, currency: 'EUR' });
const own = (name: DealerAccount) => dealerAccount(garage.id, name);

/** Adds to one account of the dealer. */
const change = (
  amount: number,
  { account = 'available', ...rest }: Partial<NewTransaction> & { account?: DealerAccount } = {},
): NewTransaction => ({
  kind: 'adjustment',
  source: { type: 'adjustment', id: newId('ledgerTransaction') },
  dealerId: garage.id,
  currency: 'EUR',
  postings: [line('psp_clearing', -amount), line(own(account), amount)],
  ...rest,
});
const post = (wanted: NewTransaction) =>
  postTransaction({ installationId: market.installation.id, platform: world.stack.platform }, wanted);
/** What another process does meanwhile: the balance has another version, and 1 more. */
const moveOn = () =>
  balances().findOneAndUpdate({ dealerId: garage.id }, { $inc: { version: 1, 'accounts.available': 1 } });

test('each transaction of a balance moves its version on', async () => {
  await post(change(1));
  await post(change(2));
  expect(await balance()).toMatchObject({ version: 2, accounts: { available: 3 } });
});

test('a transaction is planned again when another process has changed the balance meanwhile', async () => {
  await post(change(10));
  const seen: number[] = [];
  const postings: NewTransaction['postings'] = async ({ accounts: { available } }) => {
    seen.push(available);
    if (seen.length === 1) await moveOn();
    return [line(own('available'), -available), line('psp_clearing', available)];
  };
  expect(await post(change(0, { postings }))).toMatchObject({ created: true });
  expect(seen).toEqual([10, 11]);
  expect(await balance()).toMatchObject({ accounts: { available: 0 }, operations: [] });
});

test('a balance that changes all the time is a conflict that says when to repeat the request', async () => {
  await post(change(10));
  const { random } = Math;
  Math.random = () => 0;
  const postings: NewTransaction['postings'] = async () => {
    await moveOn();
    return [line(own('available'), -1), line('psp_clearing', 1)];
  };
  const refusal = await post(change(0, { postings })).catch((error: unknown) => error);
  Math.random = random;
  expect(refusal).toMatchObject({ code: 'concurrent_update', status: 409, details: { retryAfter: 1 } });
});

test('a transaction without lines writes nothing', async () => {
  expect(await post(change(0, { postings: () => [] }))).toEqual({ transaction: null, created: false });
  expect(await post(change(0, { postings: () => [line('fees', 0)] }))).toMatchObject({ transaction: null });
  expect(await balance()).toMatchObject({ version: 0, operations: [] });
});

test.each([
  [0, true],
  [1, false],
  [2, false],
])(
  'a transaction whose process ended before its write %i is created by the next call: %s',
  async (write, created) => {
    await post(change(10));
    const wanted = change(5);
    await dieWithin({ write, isBehind: false }, () => post(wanted));
    expect(await post(wanted)).toMatchObject({ created });
    expect(await post(wanted)).toMatchObject({ created: false });
    expect(await balance()).toMatchObject({ accounts: { available: 15 }, operations: [] });
  },
);

test('a journal that cannot be written is an error, and the balance keeps the transaction', async () => {
  await post(change(10));
  const wanted = change(5);
  interceptWrites((write, run) =>
    write.startsWith('ledger_transactions.') ? Promise.reject(new Error('away')) : run(),
  );
  await expect(post(wanted)).rejects.toThrow('away');
  interceptWrites(null);
  expect((await balance())?.operations).toHaveLength(1);
  await post(wanted);
  expect(await balance()).toMatchObject({ accounts: { available: 15 }, operations: [] });
});

test('exactly what a balance has can be taken, and no more', async () => {
  await post(change(10));
  await expect(post(change(-11))).rejects.toMatchObject({ code: 'insufficient_balance', status: 409 });
  await post(change(-10));
  await expect(post(change(-1))).rejects.toMatchObject({ code: 'insufficient_balance' });
  expect(await balance()).toMatchObject({ accounts: noAmounts() });
});

test('an account that is overdrawn takes earnings, and does not keep other accounts from changing', async () => {
  await post(change(-50, { mayOverdraw: true }));
  await post(change(20));
  await post(change(7, { account: 'pending' }));
  expect(await balance()).toMatchObject({ accounts: { ...noAmounts(), available: -30, pending: 7 } });
});

test('what a payment has left counts its own transactions once, also those that the journal lacks', async () => {
  const [paymentId, another] = [newId('payment'), newId('payment')];
  await post(change(100, { account: 'pending', paymentId }));
  await post(change(1000, { account: 'pending', paymentId: another }));
  // The first two stay as tags: one is in the journal already.
  await dieWithin({ write: 2, isBehind: false }, () => post(change(-1, { account: 'pending', paymentId })));
  await dieWithin({ write: 1, isBehind: false }, () => post(change(-10, { account: 'pending', paymentId })));
  await dieWithin({ write: 1, isBehind: false }, () =>
    post(change(-7, { account: 'pending', paymentId: another })),
  );
  let left: DealerAmounts | null = null;
  const postings: NewTransaction['postings'] = async ({ ofPayment }) => {
    left = await ofPayment(paymentId);
    return [];
  };
  await post(change(0, { postings }));
  expect(left).toEqual({ ...noAmounts(), pending: 89 });
  expect((await balance())?.operations).toHaveLength(3);
});

test('a balance that another process opens at the same time is used', async () => {
  await post(change(1, { dealerId: (await market.dealer()).id, postings: () => [] }));
  interceptWrites(async (write, run) => {
    if (!write.startsWith('ledger_balances.insert')) return run();
    interceptWrites(null);
    const _id = `${market.installation.id}:${garage.id}:EUR`;
    await balances().insert({
      _id,
      dealerId: garage.id,
      currency: 'EUR',
      accounts: { ...noAmounts(), available: 7 },
      version: 3,
      operations: [],
    });
    return run();
  });
  await post(change(1));
  expect(await balance()).toMatchObject({ version: 4, accounts: { available: 8 } });
});

test('a balance that cannot be opened is an error', async () => {
  interceptWrites((write, run) =>
    write.startsWith('ledger_balances.insert') ? Promise.reject(new Error('away')) : run(),
  );
  await expect(post(change(1))).rejects.toThrow('away');
});

test('a transaction of the house is created once, and planned without a balance', async () => {
  const postings = [line('psp_clearing', -5), line('fees', 5)];
  const wanted = change(0, { dealerId: null, postings });
  expect(await post(wanted)).toMatchObject({ created: true });
  expect(await post(wanted)).toMatchObject({ created: false });
  const journal = scoped(LedgerTransactionModel, market.installation.id);
  expect(await journal.count({ 'source.id': wanted.source.id })).toBe(1);
  const planned = change(0, { dealerId: null, postings: () => postings });
  await expect(post(planned)).rejects.toThrow('The house plans nothing by a balance');
});
