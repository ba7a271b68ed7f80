import { post as postAlone } from '../../../../test/support/post.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededDealer } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { type Death, dieWithin } from '../../../../test/support/stack/mortality.ts';
import { isId, newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dealerAccount, type Posting } from './accounts.ts';
import { LedgerBalanceModel, LedgerTransactionModel, MaturityModel } from './model.ts';
import { type Capture, postCapture } from './postCapture.ts';
import {
  amountsOfPayment,
  balanceId,
  type NewTransaction,
  postTransaction,
  transactionId,
} from './postTransaction.ts';
import { proveLedger } from './proveLedger.ts';

const world = product();
const { market } = world;
const dayMs = 24 * 3600 * 1000;
const none = { pending: 0, available: 0, held: 0, in_payout: 0 };

let garage: SeededDealer;
beforeEach(async () => {
  garage = await market.dealer();
});

const scope = () => ({ installationId: market.installation.id, platform: world.stack.platform });
const balances = () => scoped(LedgerBalanceModel, market.installation.id);
const transactions = () => scoped(LedgerTransactionModel, market.installation.id);
const balance = async () => (await balances().findOne({ dealerId: garage.id }))?.accounts;
const kinds = async (filter: object = { dealerId: garage.id }) =>
  (await transactions().find(filter)).map(({ kind }) => kind).sort();
const mismatches = async () => (await proveLedger(market.installation.id)).mismatches;
const line = (account: string, amount: number, currency = 'EUR'): Posting => ({ account, amount, currency });
const own = (name: keyof typeof none, dealer = garage) => dealerAccount(dealer.id, name);
const fifty = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: 50 }, work));

const earning = (amount: number, changes: Partial<NewTransaction> = {}): NewTransaction => ({
  kind: 'adjustment',
  source: { type: 'adjustment', id: newId('ledgerTransaction') },
  dealerId: garage.id,
  currency: 'EUR',
  postings: [line('psp_clearing', -amount), line(own('available'), amount)],
  ...changes,
});
const withdrawal = (amount: number): NewTransaction =>
  earning(0, {
    kind: 'payout',
    source: { type: 'payout', id: newId('payout') },
    postings: [line(own('available'), -amount), line(own('in_payout'), amount)],
  });
const post = (wanted: NewTransaction) => postAlone(scope(), wanted);
const book = (captured: Capture, heldDays: number) =>
  inTransaction((session) => postCapture(scope(), captured, heldDays, session));
/** A payment that earns 9702. */
const capture = (changes: Partial<Capture> = {}): Capture => ({
  paymentId: newId('payment'),
  dealerId: garage.id,
  currency: 'EUR',
  amount: 10_000,
  feeAmount: 250,
  feeTaxAmount: 48,
  capturedAt: new Date(world.stack.platform.now()),
  ...changes,
});
/** Moves the clock, then releases twice what is due. */
const releaseAfter = async (days: number) => {
  world.stack.advance(days * dayMs);
  for (let time = 0; time < 2; time += 1) await world.stack.runJob('identity.ledger-releases');
};

test('fifty concurrent posts of one source and kind write one transaction, which all of them return', async () => {
  const ofHouse = { dealerId: null, postings: [line('psp_clearing', -5), line('fees', 5)] };
  for (const one of [earning(700), earning(0, ofHouse)]) {
    const posted = await Promise.all(Array.from({ length: 50 }, () => post(one)));
    expect(new Set(posted.map(({ _id }) => _id)).size).toBe(1);
    expect(await kinds({ 'source.id': one.source.id })).toEqual(['adjustment']);
  }
  expect(await balance()).toEqual({ ...none, available: 700 });
  expect(await balances().count({ _id: balanceId(market.installation.id, 'null', 'EUR') })).toBe(0);
});

test('posting a source and kind again returns the stored transaction and reports that it is not new', async () => {
  const wanted = earning(700);
  const posts = () => inTransaction((session) => postTransaction(scope(), wanted, session));
  const first = await posts();
  const second = await posts();
  expect([first.isNew, second.isNew]).toEqual([true, false]);
  expect(second.transaction).toEqual(first.transaction);
  expect(await balance()).toEqual({ ...none, available: 700 });
});

test('a capture reads each of its transactions once, and a repeated capture only its charge', async () => {
  const captured = capture();
  const reads = async () => {
    const commands = await commandsOf(() => book(captured, 7));
    return commands.filter((command) => command === 'find ledger_transactions').length;
  };
  expect([await reads(), await reads()]).toEqual([2, 1]);
});

test('a hundred concurrent posts of one dealer, the first of whom opens its balance, are all written', async () => {
  await Promise.all(Array.from({ length: 100 }, () => post(earning(7))));
  expect(await balance()).toEqual({ ...none, available: 700 });
  expect(await kinds()).toHaveLength(100);
});

test('a post whose database transaction fails writes nothing', async () => {
  const cut = inTransaction(async (session) => {
    await postTransaction(scope(), earning(700), session);
    throw new Error('No.');
  });
  await expect(cut).rejects.toThrow('No.');
  expect([await balance(), await kinds()]).toEqual([undefined, []]);
});

test('of fifty concurrent withdrawals only those that the balance covers are written', async () => {
  await post(earning(105));
  const results = await fifty(() => post(withdrawal(10)));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  expect(refused).toEqual(Array.from({ length: 40 }, () => 'insufficient_balance'));
  expect(await balance()).toEqual({ ...none, available: 5, in_payout: 100 });
});

test('postings that are not balanced, mix currencies or name another dealer are never written', async () => {
  const other = await market.dealer();
  for (const postings of [
    [line('psp_clearing', -2), line(own('available'), 1)],
    [line('psp_clearing', -1, 'USD'), line(own('available'), 1)],
    [line('psp_clearing', -1), line(own('available', other), 1)],
    [line('psp_clearing', -0.5), line(own('available'), 0.5)],
    [line('nowhere', -1), line(own('available'), 1)],
    [line(own('available'), 1)],
  ])
    await expect(post(earning(1, { postings }))).rejects.toThrow('The ledger transaction is invalid');
  expect(await kinds()).toEqual([]);
});

test('a transaction can be neither changed nor deleted', async () => {
  await post(earning(1));
  const all = { dealerId: garage.id };
  const change = { $set: { reason: 'x' } };
  await expect(transactions().updateMany(all, change)).rejects.toThrow('written once');
  await expect(transactions().findOneAndUpdate(all, change)).rejects.toThrow('written once');
  await expect(transactions().deleteMany(all)).rejects.toThrow('written once');
});

test('exactly what a balance has can be taken, and no more', async () => {
  await post(earning(10));
  await expect(post(withdrawal(11))).rejects.toMatchObject({ code: 'insufficient_balance', status: 409 });
  await post(withdrawal(10));
  await expect(post(withdrawal(1))).rejects.toMatchObject({ code: 'insufficient_balance' });
  expect(await balance()).toEqual({ ...none, in_payout: 10 });
});

test('an account that is overdrawn takes earnings, and does not keep other accounts from changing', async () => {
  await post(earning(-50, { mayOverdraw: true }));
  await post(earning(20));
  await post(earning(0, { postings: [line('psp_clearing', -7), line(own('pending'), 7)] }));
  expect(await balance()).toEqual({ ...none, available: -30, pending: 7 });
});

test('lines of 0 are left out, and what a transaction does not state is null', async () => {
  const wanted = earning(5);
  const postings = [...wanted.postings, line('fees', 0)];
  expect(await post({ ...wanted, postings })).toMatchObject({
    postings: wanted.postings,
    availableAt: null,
    paymentId: null,
    payoutId: null,
    reason: null,
    at: expect.any(Date),
  });
});

test('what a transaction states is stored', async () => {
  const stated = { availableAt: new Date(5), paymentId: 'pay_1', payoutId: 'pot_1', reason: 'Goodwill' };
  expect(await post(earning(5, stated))).toMatchObject(stated);
});

test('a transaction whose lines are all 0 is an error', async () => {
  await expect(post(earning(0))).rejects.toThrow('it has fewer than two lines');
});

test('a transaction has an id of its own for each installation, source and kind', async () => {
  const one = earning(1);
  const { source } = one;
  const ids = [
    transactionId('ins_demo', one),
    transactionId('ins_other', one),
    transactionId('ins_demo', { ...one, kind: 'fee' }),
    transactionId('ins_demo', { ...one, source: { ...source, type: 'refund' } }),
    transactionId('ins_demo', earning(1)),
  ];
  expect(isId('ledgerTransaction', ids[0] ?? '')).toBe(true);
  expect(new Set(ids).size).toBe(5);
});

test('what a payment has left counts its own transactions alone', async () => {
  const [paymentId, another] = [newId('payment'), newId('payment')];
  const toPending = (amount: number, ofPayment: string) =>
    post(
      earning(0, {
        paymentId: ofPayment,
        postings: [line('psp_clearing', -amount), line(own('pending'), amount)],
      }),
    );
  await toPending(100, paymentId);
  await toPending(1000, another);
  await toPending(-11, paymentId);
  const ofPayment = { paymentId, dealerId: garage.id };
  const left = await inTransaction((session) => amountsOfPayment(scope(), ofPayment, session));
  expect(left).toEqual({ ...none, pending: 89 });
});

const deaths = [0, 1, 2].flatMap((write): Death[] => [
  { write, isBehind: false },
  { write, isBehind: true },
]);
test.each(deaths)(
  'a withdrawal whose process ends at %j is written whole or not at all, and once',
  async (death) => {
    await post(earning(500));
    const wanted = withdrawal(100);
    expect(await dieWithin(death, () => post(wanted))).toBe(true);
    const isWritten = death.write === 2 && death.isBehind;
    expect(await balance()).toEqual(
      isWritten ? { ...none, available: 400, in_payout: 100 } : { ...none, available: 500 },
    );
    expect(await transactions().find({ 'source.id': wanted.source.id })).toHaveLength(isWritten ? 1 : 0);
    await post(wanted);
    expect(await balance()).toEqual({ ...none, available: 400, in_payout: 100 });
    expect(await mismatches()).toEqual([]);
  },
);

test('the earnings of a payment, less commission and tax, are pending for seven days', async () => {
  const captured = capture();
  for (let time = 0; time < 3; time += 1) await book(captured, 7);
  await releaseAfter(6.99);
  expect(await balance()).toEqual({ ...none, pending: 9702 });
  await releaseAfter(0.01);
  expect(await balance()).toEqual({ ...none, available: 9702 });
  expect(await kinds()).toEqual(['charge', 'fee', 'release']);
});

test('earnings are available at once where no days are set', async () => {
  const captured = capture();
  await book(captured, 0);
  expect(await balance()).toEqual({ ...none, available: 9702 });
  const due = scoped(MaturityModel, market.installation.id);
  expect(await due.count({ _id: captured.paymentId })).toBe(0);
});

test.each([
  [0, 0, ['charge'], 10_000],
  [19, 19, ['charge', 'fee'], 9962],
  [10_000, 1900, ['charge', 'fee'], -1900],
])(
  'a payment of 10,000 with a commission of %i and a tax of %i books %j',
  async (feeAmount, feeTaxAmount, booked, left) => {
    const captured = capture({ feeAmount, feeTaxAmount });
    await book(captured, 0);
    expect(await kinds()).toEqual(booked);
    expect(await balance()).toEqual({ ...none, available: left });
    const source = { type: 'payment', id: captured.paymentId };
    expect(await transactions().find({ dealerId: garage.id })).toEqual(
      booked.map(() => expect.objectContaining({ source })),
    );
  },
);

test('only the part of a payment that was not refunded is released', async () => {
  const [first, second] = [capture(), capture()];
  for (const captured of [first, second]) await book(captured, 7);
  const { paymentId } = first;
  const postings = [line(own('pending'), -9702), line('psp_clearing', 9702)];
  await post(earning(0, { kind: 'refund', paymentId, postings }));
  await releaseAfter(8);
  expect(await balance()).toEqual({ ...none, available: 9702 });
});

test('a commission above the price is taken from what is available once the payment is released', async () => {
  const captured = capture({ amount: 100 });
  await book(captured, 7);
  await releaseAfter(7);
  expect(await balance()).toEqual({ ...none, available: 100 - 298 });
  expect(await transactions().find({ paymentId: captured.paymentId, kind: 'release' })).toMatchObject([
    { source: { type: 'payment', id: captured.paymentId } },
  ]);
});

test('a payment of which nothing is left is released alone, and later ones wait on', async () => {
  const { paymentId } = capture();
  await book(capture({ paymentId }), 7);
  await post(
    earning(0, {
      kind: 'refund',
      paymentId,
      postings: [line(own('pending'), -9702), line('psp_clearing', 9702)],
    }),
  );
  world.stack.advance(6 * dayMs);
  const later = capture();
  await book(later, 7);
  await releaseAfter(2);
  const waiting = await scoped(MaturityModel, market.installation.id).find({ dealerId: garage.id });
  expect(waiting.map(({ _id }) => _id)).toEqual([later.paymentId]);
});

test('a payment to the installation is booked once, without a dealer', async () => {
  const captured = capture({ dealerId: null, feeAmount: 0, feeTaxAmount: 0 });
  await Promise.all([1, 2, 3].map(() => book(captured, 7)));
  expect(await kinds({ paymentId: captured.paymentId, dealerId: null })).toEqual(['charge']);
});

test('the daily proof reports balances that differ from the journal once a day, and changes nothing', async () => {
  const unbooked = await market.dealer();
  const postings = [line('losses', -9), line(own('held', unbooked), 9)];
  await post(earning(300));
  await post(earning(9, { dealerId: unbooked.id, postings }));
  await balances().findOneAndUpdate({ dealerId: garage.id }, { $inc: { 'accounts.available': 1 } });
  await balances().deleteMany({ dealerId: unbooked.id });
  for (let time = 0; time < 2; time += 1) await world.stack.runJob('identity.ledger-proof');
  const administrator = await market.staff('installation_admin');
  const { nodes } = await administrator.auditEvents({ action: 'ledgerMismatch' });
  expect(nodes).toHaveLength(2);
  expect(Object.fromEntries(nodes.map(({ target, reason }) => [target?.targetId, reason]))).toEqual({
    [`${own('available')} EUR`]: 'balance 301, journal 300',
    [`${own('held', unbooked)} EUR`]: 'balance 0, journal 9',
  });
  expect(await mismatches()).toHaveLength(2);
});
