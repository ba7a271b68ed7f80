import { product } from '../../../test/support/product.ts';
import { type SeededDealer } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { dealerAccount, type Posting } from './accounts.ts';
import { balanceId } from './changeBalance.ts';
import { toOperation, transactionId } from './journal.ts';
import { LedgerBalanceModel, LedgerTransactionModel } from './model.ts';
import type { NewTransaction } from './NewTransaction.ts';
import { type Capture, postCapture } from './postCapture.ts';
import { postTransaction } from './postTransaction.ts';
import { proveLedger } from './proveLedger.ts';

const world = product();
const { market } = world;
const dayMs = 24 * 3600 * 1000;

let garage: SeededDealer;

beforeEach(async () => {
  garage = await market.dealer();
});

const scope = () => ({ installationId: market.installation.id, platform: world.stack.platform });
const balance = async (currency = 'EUR') => {
  const _id = balanceId(market.installation.id, garage.id, currency);
  return (await scoped(LedgerBalanceModel, market.installation.id).findOne({ _id }))?.accounts;
};
const journal = () => scoped(LedgerTransactionModel, market.installation.id).find({ dealerId: garage.id });
const line = (account: string, amount: number, currency = 'EUR'): Posting => ({ account, amount, currency });
const own = (name: 'pending' | 'available' | 'held' | 'in_payout') => dealerAccount(garage.id, name);

const earn = (amount: number, changes: Partial<NewTransaction> = {}): NewTransaction => ({
  kind: 'adjustment',
  source: { type: 'adjustment', id: newId('ledgerTransaction') },
  dealerId: garage.id,
  currency: 'EUR',
  postings: [line('psp_clearing', -amount), line(own('available'), amount)],
  ...changes,
});
const withdraw = (amount: number): NewTransaction =>
  earn(0, {
    kind: 'payout',
    source: { type: 'payout', id: newId('payout') },
    postings: [line(own('available'), -amount), line(own('in_payout'), amount)],
  });
const capture = (changes: Partial<Capture> = {}): Capture => ({
  paymentId: newId('listing').replace('lst', 'pay'),
  dealerId: garage.id,
  currency: 'EUR',
  amount: 10_000,
  feeAmount: 250,
  feeTaxAmount: 48,
  capturedAt: new Date(world.stack.platform.now()),
  ...changes,
});

test('of fifty at once with one source and kind one has an effect, and all of them answer it', async () => {
  const one = earn(700);
  const posted = await Promise.all(Array.from({ length: 50 }, () => postTransaction(scope(), one)));
  expect(posted.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(posted.map(({ transaction }) => transaction?._id)).size).toBe(1);
  expect(await balance()).toEqual({ pending: 0, available: 700, held: 0, in_payout: 0 });
  expect(await journal()).toHaveLength(1);
});

test('of fifty withdrawals at once as many are made as the balance covers', async () => {
  await postTransaction(scope(), earn(105));
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => postTransaction(scope(), withdraw(10))),
  );
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  expect(refused).toHaveLength(40);
  expect(new Set(refused)).toEqual(new Set(['insufficient_balance']));
  expect(await balance()).toEqual({ pending: 0, available: 5, held: 0, in_payout: 100 });
});

test('lines that do not sum to zero, of two currencies or of another dealer, are never written', async () => {
  const other = await market.dealer();
  const wrong: Posting[][] = [
    [line('psp_clearing', -2), line(own('available'), 1)],
    [line('psp_clearing', -1, 'USD'), line(own('available'), 1)],
    [line('psp_clearing', -1), line(dealerAccount(other.id, 'available'), 1)],
    [line('psp_clearing', -0.5), line(own('available'), 0.5)],
    [line('nowhere', -1), line(own('available'), 1)],
    [line(own('available'), 1)],
  ];
  for (const postings of wrong)
    await expect(postTransaction(scope(), earn(1, { postings }))).rejects.toThrow('No transaction');
  expect(await journal()).toEqual([]);
});

test('an entry can be neither changed nor removed', async () => {
  await postTransaction(scope(), earn(1));
  const entries = scoped(LedgerTransactionModel, market.installation.id);
  const all = { dealerId: garage.id };
  await expect(entries.updateMany(all, { $set: { reason: 'x' } })).rejects.toThrow('written once');
  await expect(entries.findOneAndUpdate(all, { $set: { reason: 'x' } })).rejects.toThrow('written once');
  await expect(entries.deleteMany(all)).rejects.toThrow('written once');
});

test('a balance whose process ended before the journal was written is finished, once', async () => {
  await postTransaction(scope(), earn(500));
  const wanted = withdraw(200);
  const _id = transactionId(market.installation.id, wanted);
  const operation = toOperation(scope(), _id, wanted, wanted.postings as Posting[]);
  await scoped(LedgerBalanceModel, market.installation.id).findOneAndUpdate(
    { _id: balanceId(market.installation.id, garage.id, 'EUR') },
    {
      $inc: { version: 1, 'accounts.available': -200, 'accounts.in_payout': 200 },
      $push: { operations: operation },
    },
  );
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
  expect(await journal()).toHaveLength(1);
  world.stack.advance(10_000);
  await world.stack.runJob('identity.ledger-recovery');
  await world.stack.runJob('identity.ledger-recovery');
  expect(await journal()).toHaveLength(2);
  expect((await postTransaction(scope(), wanted)).created).toBe(false);
  expect(await balance()).toEqual({ pending: 0, available: 300, held: 0, in_payout: 200 });
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});

test('whoever repeats a withdrawal that was cut short finishes it himself', async () => {
  await postTransaction(scope(), earn(500));
  const wanted = withdraw(200);
  const operation = toOperation(
    scope(),
    transactionId(market.installation.id, wanted),
    wanted,
    wanted.postings as Posting[],
  );
  await scoped(LedgerBalanceModel, market.installation.id).findOneAndUpdate(
    { _id: balanceId(market.installation.id, garage.id, 'EUR') },
    {
      $inc: { version: 1, 'accounts.available': -200, 'accounts.in_payout': 200 },
      $push: { operations: operation },
    },
  );
  expect((await postTransaction(scope(), wanted)).transaction?._id).toBe(operation._id);
  expect(await journal()).toHaveLength(2);
  expect(await balance()).toEqual({ pending: 0, available: 300, held: 0, in_payout: 200 });
});

test('what a payment earned, less commission and tax, waits for seven days and is then available', async () => {
  const captured = capture();
  for (let count = 0; count < 3; count += 1) await postCapture(scope(), captured, 7);
  expect(await balance()).toEqual({ pending: 9702, available: 0, held: 0, in_payout: 0 });
  await world.stack.runJob('identity.ledger-releases');
  expect((await balance())?.available).toBe(0);
  world.stack.advance(7 * dayMs);
  await world.stack.runJob('identity.ledger-releases');
  await world.stack.runJob('identity.ledger-releases');
  expect(await balance()).toEqual({ pending: 0, available: 9702, held: 0, in_payout: 0 });
  expect((await journal()).map(({ kind }) => kind).sort()).toEqual(['charge', 'fee', 'release']);
});

test('where nothing waits, earnings are available at once', async () => {
  await postCapture(scope(), capture(), 0);
  expect(await balance()).toEqual({ pending: 0, available: 9702, held: 0, in_payout: 0 });
});

test('of a payment only what is left of it is released', async () => {
  const [first, second] = [capture(), capture()];
  for (const captured of [first, second]) await postCapture(scope(), captured, 7);
  await postTransaction(
    scope(),
    earn(0, {
      kind: 'refund',
      paymentId: first.paymentId,
      postings: [line(own('pending'), -9702), line('psp_clearing', 9702)],
    }),
  );
  world.stack.advance(8 * dayMs);
  await world.stack.runJob('identity.ledger-releases');
  expect(await balance()).toEqual({ pending: 0, available: 9702, held: 0, in_payout: 0 });
});

test('earnings whose charge is not booked yet are not forgotten', async () => {
  const captured = capture();
  await postCapture(scope(), { ...captured, amount: 0, feeAmount: 0, feeTaxAmount: 0 }, 7).catch(() => null);
  world.stack.advance(8 * dayMs);
  await world.stack.runJob('identity.ledger-releases');
  await postCapture(scope(), captured, 7);
  world.stack.advance(dayMs);
  await world.stack.runJob('identity.ledger-releases');
  expect((await balance())?.available).toBe(9702);
});

test('what the installation sells itself is its own', async () => {
  const captured = capture({ dealerId: null, feeAmount: 0, feeTaxAmount: 0 });
  const posted = await Promise.all([1, 2, 3].map(() => postCapture(scope(), captured, 7)));
  expect(posted).toHaveLength(3);
  const { house } = await proveLedger(market.installation.id);
  expect(house).toContainEqual(expect.objectContaining({ account: 'psp_clearing' }));
  const booked = await scoped(LedgerTransactionModel, market.installation.id).find({
    paymentId: captured.paymentId,
  });
  expect(booked.map(({ kind }) => kind)).toEqual(['charge']);
});

test('the nightly proof finds a balance that is not what the journal says, tells of it once a day, and mends nothing', async () => {
  const place = await world.neighbour();
  const dealer = await place.dealer();
  const inPlace = { installationId: place.installation.id, platform: world.stack.platform };
  const account = dealerAccount(dealer.id, 'available');
  await postTransaction(inPlace, {
    ...earn(300),
    dealerId: dealer.id,
    postings: [line('psp_clearing', -300), line(account, 300)],
  });
  expect((await proveLedger(place.installation.id)).mismatches).toEqual([]);
  await scoped(LedgerBalanceModel, place.installation.id).findOneAndUpdate(
    { dealerId: dealer.id },
    { $inc: { 'accounts.available': 1 } },
  );
  await world.stack.runJob('identity.ledger-proof');
  await world.stack.runJob('identity.ledger-proof');
  const administrator = await place.staff('installation_admin');
  const { data } = await world.stack.execute(
    '{ auditEvents(action: "ledgerMismatch") { nodes { target { id } reason } } }',
    {},
    { as: administrator, installation: place.installation },
  );
  expect(data?.auditEvents.nodes).toEqual([
    { target: { id: `${account} EUR` }, reason: 'balance 301, journal 300' },
  ]);
  const { mismatches } = await proveLedger(place.installation.id);
  expect(mismatches).toEqual([{ account, currency: 'EUR', balance: 301, journal: 300 }]);
});

test('a journal that lost the balance beside it is a mismatch as well', async () => {
  const place = await world.neighbour();
  const dealer = await place.dealer();
  const account = dealerAccount(dealer.id, 'held');
  await postTransaction(
    { installationId: place.installation.id, platform: world.stack.platform },
    { ...earn(9), dealerId: dealer.id, postings: [line('losses', -9), line(account, 9)] },
  );
  await scoped(LedgerBalanceModel, place.installation.id).deleteMany({ dealerId: dealer.id });
  const { mismatches } = await proveLedger(place.installation.id);
  expect(mismatches).toEqual([{ account, currency: 'EUR', balance: 0, journal: 9 }]);
});
