import { product } from '../../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { LedgerTransactionModel } from './model.ts';
import { postCapture } from './postCapture.ts';

const world = product();
const { market } = world;
let operator: SeededUser;
let garage: SeededDealer;
beforeAll(async () => {
  operator = await market.user({ roles: ['operator' as never] });
});
beforeEach(async () => {
  garage = await market.dealer();
});

/** Books a payment with a commission of 119. */
const sell = async (amount: number) => {
  const { platform } = world.stack;
  const paymentId = newId('payment');
  const fee = { feeAmount: 100, feeTaxAmount: 19 };
  const scope = { installationId: market.installation.id, platform };
  const capturedAt = new Date(platform.now());
  const capture = { paymentId, dealerId: garage.id, currency: 'EUR', amount, ...fee, capturedAt };
  await inTransaction((session) => postCapture(scope, capture, 7, session));
  return paymentId;
};
const balances = async () => (await garage.owner.dealerBalance({ dealerId: garage.id })).balances;
const entries = (filter: Parameters<SeededUser['dealerLedgerEntries']>[0] = {}) =>
  garage.owner.dealerLedgerEntries({ dealerId: garage.id, ...filter });
const line = (account: string, amount: number, currency = 'EUR') => ({
  account,
  amount: { amount, currency },
});
const adjust = (postings: ReturnType<typeof line>[], reason = 'Goodwill for a lost parcel') =>
  operator.createLedgerAdjustment({ reason, postings, idempotencyKey: unique('key') });
const available = ({ id } = garage) => `dealer:${id}:available`;

test('a dealer reads its balance by currency, and has none before its first sale', async () => {
  const balance = await garage.owner.dealerBalance(
    { dealerId: garage.id },
    'dealerId balances { currency } payoutAccountState requirementsDue',
  );
  expect(balance).toEqual({
    dealerId: garage.id,
    balances: [],
    payoutAccountState: 'NONE',
    requirementsDue: [],
  });
  await sell(10_000);
  const earned = { currency: 'EUR', pending: 9881, available: 0, held: 0, inPayout: 0 };
  expect(await balances()).toEqual([earned]);
});

test('ledger entries are listed in descending order of time, and filtered by payment, kind and time', async () => {
  const paymentId = await sell(10_000);
  const middle = new Date(world.stack.platform.now() + 1).toISOString();
  world.stack.advance(60_000);
  await sell(500);
  const { nodes } = await entries();
  expect(nodes.map(({ kind, pending, total }) => [kind, pending, total])).toEqual([
    ['FEE', -119, -119],
    ['CHARGE', 500, 500],
    ['FEE', -119, -119],
    ['CHARGE', 10_000, 10_000],
  ]);
  const first = await entries({ first: 3 });
  const second = await entries({ first: 3, after: first.pageInfo.endCursor ?? null });
  expect([...first.nodes, ...second.nodes]).toEqual(nodes);
  const [fee, charge, ...earlier] = nodes;
  for (const [filter, found] of [
    [{ paymentId }, earlier],
    [{ kind: ['CHARGE'] }, [charge, earlier[1]]],
    [{ to: middle }, earlier],
    [{ from: middle }, [fee, charge]],
    [{ payoutId: 'pot_x' }, []],
  ] as const)
    expect((await entries(filter as never)).nodes).toEqual(found);
  expect(await entries({ from: middle, to: middle } as never)).toBeRefused(400);
});

test('the ledger entries are a CSV statement for a client that accepts CSV', async () => {
  const paymentId = await sell(10_000);
  const path = `/api/v1/dealers/${garage.id}/ledger-entries`;
  const answer = await garage.owner.rest('GET', path, { headers: { accept: 'text/csv' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/csv/),
  ]);
  const [head, ...rows] = answer.body.trim().split('\r\n');
  expect(head).toContain('paymentId,payoutId,currency,pending,available,held,inPayout,total');
  expect(rows).toEqual([1, 2].map(() => expect.stringContaining(`${paymentId},,EUR,`)));
});

test('an adjustment changes the balance, also below zero, and is audited with its reason', async () => {
  const { transaction } = await adjust([line('losses', 50), line(available(), -50)]);
  expect(await balances()).toMatchObject([{ available: -50 }]);
  const audited = scoped(AuditEventModel, market.installation.id).find({ 'target.id': transaction.id });
  expect(await audited).toMatchObject([
    { action: 'createLedgerAdjustment', reason: 'Goodwill for a lost parcel' },
  ]);
});

test('an invalid adjustment is refused with the place of the mistake, and writes nothing', async () => {
  const other = await market.dealer();
  const abroad = await (await world.neighbour()).dealer();
  const own = available();
  const pair = (account: string, amount: number, currency = 'EUR') => [
    line('losses', -1),
    line(account, amount, currency),
  ];
  for (const [postings, pointers, reason] of [
    [pair(own, 1), ['#/reason'], ' '],
    [pair(own, 1), ['#/reason'], 'x'.repeat(501)],
    [[], ['#/postings']],
    [
      [line('losses', 0), line(own, 0)],
      ['#/postings/0/amount/amount', '#/postings/1/amount/amount'],
    ],
    [pair('cash', 1), ['#/postings/1/account']],
    [[line(own, -1), line(available(other), 1)], ['#/postings/1/account']],
    [pair(available(abroad), 1), ['#/postings/1/account']],
    [pair(own, 1, 'USD'), ['#/postings/1/amount/currency']],
    [[line('losses', -1), line(own, 1, 'ZZZ')], ['#/postings/1/amount/currency']],
  ] as const) {
    const errors = pointers.map((pointer) => ({ pointer }));
    expect(await adjust([...postings], reason)).toBeRefused(422, 'validation_failed', { errors });
  }
  expect(await adjust(pair(own, 2))).toBeRefused(422, 'unbalanced', { errors: [{ pointer: '#/postings' }] });
  const journal = scoped(LedgerTransactionModel, market.installation.id);
  expect(await journal.count({ dealerId: { $in: [garage.id, other.id, abroad.id] } })).toBe(0);
});

test('an adjustment that takes a balance beyond the greatest safe integer is refused', async () => {
  const greatest = Number.MAX_SAFE_INTEGER;
  const huge = [line('losses', -greatest), line(available(), greatest)];
  expect(await adjust(huge)).not.toBeRefused();
  expect(await adjust(huge)).toBeRefused(422, 'validation_failed');
  expect(await balances()).toMatchObject([{ available: greatest }]);
});
