import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededDealer, type SeededInstallation, seed, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { LedgerTransactionModel } from './model.ts';
import { postCapture } from './postCapture.ts';

let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;
let operator: string;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
  operator = (await shop.user({ roles: ['operator' as never] })).token;
});
afterAll(() => rest.close());
beforeEach(async () => {
  garage = await shop.dealer();
});

const sell = async (amount: number) => {
  const paymentId = newId('listing').replace('lst', 'pay');
  const scope = { installationId: shop.installation.id, platform: rest.stack.platform };
  const capturedAt = new Date(rest.stack.platform.now());
  const capture = {
    paymentId,
    dealerId: garage.id,
    currency: 'EUR',
    amount,
    feeAmount: 100,
    feeTaxAmount: 19,
  };
  await postCapture(scope, { ...capture, capturedAt }, 7);
  return paymentId;
};
const get = (path: string) =>
  rest.call('GET', `/api/v1/dealers/${garage.id}/${path}`, { token: garage.owner.token });
const adjust = (body: object, key: string | null = unique('key'), token = operator) =>
  rest.call('POST', '/api/v1/admin/ledger-adjustments', {
    token,
    body,
    headers: key === null ? {} : { 'idempotency-key': key },
  });
const line = (account: string, amount: number, currency = 'EUR') => ({
  account,
  amount: { amount, currency },
});

test('a dealer reads what it has in each currency, and one without any sale has nothing', async () => {
  expect((await get('balance')).body).toEqual({
    dealerId: garage.id,
    balances: [],
    payoutAccountState: 'none',
    requirementsDue: [],
  });
  await sell(10_000);
  const { status, body } = await get('balance');
  expect([status, body.balances]).toEqual([
    200,
    [{ currency: 'EUR', pending: 9881, available: 0, held: 0, inPayout: 0 }],
  ]);
});

test('entries come the newest first, page by page, and by payment, kind and time', async () => {
  const paymentId = await sell(10_000);
  const before = new Date(rest.stack.platform.now() + 1).toISOString();
  rest.stack.advance(60_000);
  await sell(500);
  const all = await get('ledger-entries');
  expect(all.body.data.map((entry: any) => [entry.kind, entry.pending, entry.total])).toEqual([
    ['fee', -119, -119],
    ['charge', 500, 500],
    ['fee', -119, -119],
    ['charge', 10_000, 10_000],
  ]);
  const first = await get('ledger-entries?limit=3');
  const second = await get(`ledger-entries?limit=3&cursor=${first.body.page.nextCursor}`);
  expect([...first.body.data, ...second.body.data]).toEqual(all.body.data);
  const idsOf = async (query: string) =>
    (await get(`ledger-entries?${query}`)).body.data.map(({ id }: any) => id);
  const ids = all.body.data.map(({ id }: any) => id);
  expect(await idsOf(`paymentId=${paymentId}`)).toEqual(ids.slice(2));
  expect(await idsOf('type=charge')).toEqual([ids[1], ids[3]]);
  expect(await idsOf(`to=${before}`)).toEqual(ids.slice(2));
  expect(await idsOf(`from=${before}`)).toEqual(ids.slice(0, 2));
  expect(await idsOf('payoutId=pot_x')).toEqual([]);
  expect((await get(`ledger-entries?from=${before}&to=${before}`)).status).toBe(400);
});

test('the statement is CSV for whoever asks for it', async () => {
  const paymentId = await sell(10_000);
  const answer = await fetch(`${rest.origin}/api/v1/dealers/${garage.id}/ledger-entries`, {
    headers: { authorization: `Bearer ${garage.owner.token}`, accept: 'text/csv' },
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/csv/),
  ]);
  const [head, ...rows] = (await answer.text()).trim().split('\r\n');
  expect(head).toContain('paymentId,payoutId,currency,pending,available,held,inPayout,total');
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).toContain(`${paymentId},,EUR,`);
});

test('an adjustment is written once per key, with its reason in the audit', async () => {
  const body = {
    reason: 'Goodwill for a lost parcel',
    postings: [line('losses', -700), line(`dealer:${garage.id}:available`, 700)],
  };
  const key = unique('key');
  const made = await Promise.all(Array.from({ length: 10 }, () => adjust(body, key)));
  const done = made.filter(({ status }) => status === 201);
  expect(done.length).toBeGreaterThan(0);
  expect(made.every(({ status, body }) => status === 201 || body.code === 'idempotency_in_progress')).toBe(
    true,
  );
  const again = await adjust(body, key);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(new Set([...done, again].map(({ body: { id } }) => id)).size).toBe(1);
  expect((await get('balance')).body.balances[0].available).toBe(700);
  const lines = await scoped(AuditEventModel, shop.installation.id).find({ 'target.id': again.body.id });
  expect(lines.map(({ action, reason }) => [action, reason])).toEqual([
    ['createLedgerAdjustment', body.reason],
  ]);
  expect((await adjust({ ...body, reason: 'Another' }, key)).body.code).toBe('idempotency_key_reused');
});

test('an adjustment may take an account below zero', async () => {
  const postings = [line('losses', 50), line(`dealer:${garage.id}:available`, -50)];
  expect((await adjust({ reason: 'Owed', postings })).status).toBe(201);
  expect((await get('balance')).body.balances[0].available).toBe(-50);
});

test('what is no adjustment is refused with its reason, and nothing is written', async () => {
  const other = await shop.dealer();
  const abroad = await seed(rest.stack).installation();
  const foreign = await abroad.dealer();
  const own = `dealer:${garage.id}:available`;
  const good = [line('losses', -1), line(own, 1)];
  const rows: [object, number, string, string?][] = [
    [{ reason: 'x', postings: [line('losses', -1), line(own, 2)] }, 422, 'unbalanced', '#/postings'],
    [{ reason: ' ', postings: good }, 422, 'validation_failed', '#/reason'],
    [{ reason: 'x'.repeat(501), postings: good }, 422, 'validation_failed', '#/reason'],
    [{ postings: good }, 422, 'validation_failed', '#/reason'],
    [{ reason: 'x', postings: [] }, 422, 'validation_failed', '#/postings'],
    [{ reason: 'x', postings: [line('losses', 0), line(own, 0)] }, 422, 'validation_failed'],
    [
      { reason: 'x', postings: [line('bank', -1), line(own, 1)] },
      422,
      'validation_failed',
      '#/postings/0/account',
    ],
    [
      { reason: 'x', postings: [line(own, -1), line(`dealer:${other.id}:available`, 1)] },
      422,
      'validation_failed',
      '#/postings/1/account',
    ],
    [
      { reason: 'x', postings: [line('losses', -1), line(`dealer:${foreign.id}:available`, 1)] },
      422,
      'validation_failed',
      '#/postings/1/account',
    ],
    [
      { reason: 'x', postings: [line('losses', -1), line(own, 1, 'USD')] },
      422,
      'validation_failed',
      '#/postings/1/amount/currency',
    ],
    [{ reason: 'x', postings: [line('losses', -1, 'ZZZ'), line(own, 1, 'ZZZ')] }, 422, 'validation_failed'],
  ];
  for (const [body, status, code, pointer] of rows) {
    const refused = await adjust(body);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    if (pointer) expect(refused.body.errors[0].pointer).toBe(pointer);
  }
  const keyless = await adjust({ reason: 'x', postings: good }, null);
  expect([keyless.status, keyless.body.code]).toEqual([400, 'idempotency_key_required']);
  const greatest = Number.MAX_SAFE_INTEGER;
  const huge = { reason: 'x', postings: [line('losses', -greatest), line(own, greatest)] };
  expect((await adjust(huge)).status).toBe(201);
  expect((await adjust(huge)).body.code).toBe('validation_failed');
  const entries = scoped(LedgerTransactionModel, shop.installation.id);
  expect(await entries.count({ dealerId: { $in: [garage.id, other.id, foreign.id] } })).toBe(1);
});

test('in GraphQL an adjustment without a key is refused as well', async () => {
  const postings = [line('losses', -1), line('fees', 1)];
  const refused = await rest.stack.execute(
    'mutation ($input: CreateLedgerAdjustmentInput!) { createLedgerAdjustment(input: $input) { transaction { id } } }',
    { input: { reason: 'x', postings } },
    { as: operator },
  );
  expect(problemOf(refused).code).toBe('idempotency_key_required');
});

test('members below a manager, other dealers and strangers read neither balance nor entries', async () => {
  const agent = await shop.user();
  const dealer = await shop.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
  for (const path of ['balance', 'ledger-entries']) {
    const read = async (token: string) =>
      (await rest.call('GET', `/api/v1/dealers/${dealer.id}/${path}`, { token })).body.code;
    expect(await read(agent.token)).toBe('dealer_role_required');
    expect(await read(garage.owner.token)).toBe('ownership_required');
  }
});
