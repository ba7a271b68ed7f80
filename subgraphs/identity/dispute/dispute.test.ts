import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
  unique,
} from '../../../test/support/seed.ts';
import { sellThrough } from '../../../test/support/sellThrough.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { MediaModel } from '../media/model.ts';
import { buildIdentity } from '../server.ts';
import { DisputeModel } from './model.ts';

const price = 12_300;
const fee = 1000;
const dayMs = 24 * 3600 * 1000;

let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;
let buyer: SeededUser;
let finance: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
  buyer = await shop.user();
  finance = await shop.staff('finance');
});
afterAll(() => rest.close());
beforeEach(async () => {
  garage = await shop.dealer();
});

const sell = (options: Partial<Parameters<typeof sellThrough>[2]> = {}) =>
  sellThrough(rest.stack, shop.installation, { payerId: buyer.id, dealerId: garage.id, ...options });
const post = (path: string, token: string, body: object, key: string | null = null) =>
  rest.call('POST', `/api/v1/${path}`, {
    token,
    body,
    headers: key === null ? {} : { 'idempotency-key': key },
  });
const complaint = { reason: 'not_as_described', text: 'The gearbox is another one.' };
const open = (paymentId: string, body: object = {}, token = buyer.token) =>
  post(`payments/${paymentId}/disputes`, token, { ...complaint, ...body });
const say = (id: string, token: string, body: object = {}) =>
  post(`disputes/${id}/evidence`, token, { text: 'Look at this.', ...body });
const resolve = (id: string, body: object, token = finance.token, key = unique('key')) =>
  post(`admin/disputes/${id}/resolve`, token, { statement: 'As the papers say.', ...body }, key);
const withdraw = (disputeId: string, token: string) =>
  rest.stack.execute(
    'mutation ($input: WithdrawDisputeInput!) { withdrawDispute(input: $input) { dispute { state } } }',
    { input: { disputeId } },
    { as: token },
  );
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const balance = async () =>
  (await rest.call('GET', `/api/v1/dealers/${garage.id}/balance`, { token: garage.owner.token })).body
    .balances[0];
const payment = async (id: string, token = buyer.token) =>
  (await rest.call('GET', `/api/v1/payments/${id}`, { token })).body;
const disputes = () => scoped(DisputeModel, shop.installation.id);
const stored = (id: string) => disputes().findOne({ _id: id });
const kindsOf = async (paymentId: string) =>
  (await scoped(LedgerTransactionModel, shop.installation.id).find({ paymentId }))
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'charge' && kind !== 'fee')
    .sort();
async function evidenceOf(owner: { type: 'user' | 'dealer'; id: string }): Promise<string> {
  const id = await storeMedia(shop.installation.id, owner);
  await scoped(MediaModel, shop.installation.id).updateMany({ _id: id }, { $set: { purpose: 'evidence' } });
  return id;
}

test('a dispute keeps the amount back at once, once, and both sides see it', async () => {
  const id = await sell();
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(id, { amount: eur(5000) })));
  const made = opened.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  for (const { status, body } of opened)
    if (status !== 201) expect(['dispute_exists', 'concurrent_update']).toContain(body.code);
  expect(made[0]?.body).toMatchObject({
    ...complaint,
    paymentId: id,
    amount: eur(5000),
    state: 'needs_response',
    evidence: [],
    outcome: null,
  });
  expect(await balance()).toMatchObject({ pending: price - fee - 5000, available: 0, held: 5000 });
  for (const { token } of [buyer, garage.owner])
    expect((await payment(id, token)).dispute).toMatchObject({ id: made[0]?.body.id });
  const tooMuch = await post(
    `payments/${id}/refunds`,
    garage.owner.token,
    { reason: 'other', amount: eur(price - 4999) },
    unique('key'),
  );
  expect(tooMuch.body.code).toBe('refund_exceeds_captured');
});

test('money that is paid out already is owed', async () => {
  const id = await sell({ heldDays: 0 });
  await open(id);
  expect(await balance()).toMatchObject({ available: -fee, held: price });
});

test('what cannot be disputed is refused with its reason', async () => {
  const id = await sell();
  const late = await sell({ changes: { capturedAt: new Date(Date.now() - 91 * dayMs) } });
  const promotion = await sell({
    changes: { payee: { type: 'installation', id: shop.installation.id } },
  });
  const got = [
    await open(late),
    await open(promotion),
    await open(id, { text: ' ' }),
    await open(id, { amount: eur(0) }),
    await open(id, { amount: { amount: 1, currency: 'USD' } }),
    await open(id, { amount: eur(price + 1) }),
    await open(id, {}, garage.owner.token),
  ].map(({ status, body }) => `${status} ${body.code}`);
  expect(got).toEqual([
    '409 dispute_window_over',
    '409 invalid_transition',
    '422 validation_failed',
    '422 validation_failed',
    '422 validation_failed',
    '409 refund_exceeds_captured',
    '403 ownership_required',
  ]);
});

test('the first words of the dealer begin the review; files are those of the side that shows them', async () => {
  const { id } = (await open(await sell())).body;
  const [own, dealers] = [
    await evidenceOf({ type: 'user', id: buyer.id }),
    await evidenceOf({ type: 'dealer', id: garage.id }),
  ];
  expect((await say(id, buyer.token, { mediaIds: [own] })).body.state).toBe('needs_response');
  expect((await say(id, buyer.token, { mediaIds: [dealers] })).body.errors).toMatchObject([
    { pointer: '#/mediaIds/0' },
  ]);
  const answered = await say(id, garage.owner.token, { mediaIds: [dealers] });
  expect([answered.status, answered.body]).toEqual([
    201,
    expect.objectContaining({
      state: 'under_review',
      evidence: [
        expect.objectContaining({ by: 'payer', mediaIds: [own] }),
        expect.objectContaining({ by: 'payee', mediaIds: [dealers] }),
      ],
    }),
  ]);
  const stranger = await shop.user();
  expect((await say(id, stranger.token)).body.code).toBe('ownership_required');
  const download = async (mediaId: string, { token }: { token: string }) =>
    (await rest.call('GET', `/api/v1/media/${mediaId}/download`, { token })).status;
  expect(await download(own, garage.owner)).toBe(200);
  expect(await download(own, finance)).toBe(200);
  expect(await download(own, stranger)).toBe(403);
  const removed = await rest.call('DELETE', `/api/v1/media/${own}`, { token: buyer.token });
  expect([removed.status, removed.body.code]).toEqual([409, 'media_in_use']);
  const many = await Promise.all(
    Array.from({ length: 10 }, () => evidenceOf({ type: 'user', id: buyer.id })),
  );
  const tooMany = await say(id, buyer.token, { mediaIds: many });
  expect([tooMany.status, tooMany.body.code]).toEqual([422, 'too_many_media']);
});

test('who does not answer for seven days has had the word', async () => {
  const { id } = (await open(await sell())).body;
  await rest.stack.runJob('identity.disputes');
  expect((await stored(id))?.state).toBe('needs_response');
  await disputes().findOneAndUpdate({ _id: id }, { $set: { dueAt: new Date(0) } });
  await rest.stack.runJob('identity.disputes');
  expect(await stored(id)).toMatchObject({ state: 'under_review', dueAt: null });
});

test('an answer that comes before the amount is kept back leaves it to be kept back', async () => {
  const { id } = (await open(await sell())).body;
  // As a process leaves it that dies over it.
  await disputes().findOneAndUpdate({ _id: id }, { $set: { isHeld: false, dueAt: new Date(0) } });
  expect((await say(id, garage.owner.token)).body.state).toBe('under_review');
  expect((await resolve(id, { outcome: 'won' })).body.code).toBe('concurrent_update');
  await rest.stack.runJob('identity.disputes');
  expect(await stored(id)).toMatchObject({ state: 'under_review', isHeld: true });
  expect((await resolve(id, { outcome: 'won' })).body.state).toBe('won');
});

test('won: the dealer has all of it again', async () => {
  const paymentId = await sell();
  const { id } = (await open(paymentId, { amount: eur(5000) })).body;
  expect((await resolve(id, { outcome: 'won' })).body).toMatchObject({
    state: 'won',
    outcome: { refunded: eur(0), statement: 'As the papers say.' },
  });
  expect(await balance()).toMatchObject({ pending: price - fee, available: 0, held: 0 });
  expect(await kindsOf(paymentId)).toEqual(['dispute_hold', 'dispute_release']);
  const late = await say(id, buyer.token);
  expect([late.status, late.body.code]).toEqual([409, 'invalid_transition']);
});

test('lost: the payer has all of it again, and the dealer his commission', async () => {
  const paymentId = await sell({ heldDays: 0 });
  const { id } = (await open(paymentId)).body;
  expect((await resolve(id, { outcome: 'lost' })).body).toMatchObject({ state: 'lost' });
  await rest.stack.runJob('identity.refunds');
  expect(await balance()).toMatchObject({ pending: 0, available: 0, held: 0 });
  expect(await kindsOf(paymentId)).toEqual(['dispute_hold', 'dispute_loss', 'fee_refund']);
  expect(await payment(paymentId)).toMatchObject({
    amountRefunded: eur(price),
    refunds: [{ disputeId: id, state: 'succeeded', amount: eur(price) }],
  });
});

test('split: each has his part', async () => {
  const paymentId = await sell({ heldDays: 0 });
  const { id } = (await open(paymentId, { amount: eur(8000) })).body;
  for (const refundAmount of [undefined, eur(0), eur(8000), { amount: 1, currency: 'USD' }])
    expect((await resolve(id, { outcome: 'split', ...(refundAmount && { refundAmount }) })).status).toBe(422);
  expect((await resolve(id, { outcome: 'lost', refundAmount: eur(5) })).status).toBe(422);
  expect((await resolve(id, { outcome: 'split', refundAmount: eur(3000) })).status).toBe(200);
  await rest.stack.runJob('identity.refunds');
  const { available, held } = await balance();
  expect([available, held]).toEqual([price - fee - 3000 + 205 + 39, 0]);
  expect(await kindsOf(paymentId)).toEqual(['dispute_hold', 'dispute_loss', 'dispute_release', 'fee_refund']);
});

test('of twenty decisions at once one is made, by nobody of either side, and it stands in the audit', async () => {
  const { id } = (await open(await sell())).body;
  const both = await shop.user({ roles: ['finance'] });
  await disputes().findOneAndUpdate({ _id: id }, { $set: { payerId: both.id } });
  expect((await resolve(id, { outcome: 'won' }, both.token)).body.code).toBe('four_eyes');
  await disputes().findOneAndUpdate({ _id: id }, { $set: { payerId: buyer.id } });
  expect((await resolve(id, { outcome: 'won' }, buyer.token)).body.code).toBe('permission_required');
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, index) => resolve(id, { outcome: index % 2 ? 'won' : 'lost' })),
  );
  const made = all.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  for (const { status, body } of all)
    if (status !== 200) expect(['invalid_transition', 'concurrent_update']).toContain(body.code);
  const lines = await scoped(AuditEventModel, shop.installation.id).find({
    'target.id': id,
    action: 'resolveDispute',
    result: 'allowed',
  });
  expect(lines).toHaveLength(1);
});

test('a decision is made once per key, and its books are finished by the job if nobody else does', async () => {
  const paymentId = await sell();
  const { id } = (await open(paymentId)).body;
  const key = unique('key');
  const first = await resolve(id, { outcome: 'won' }, finance.token, key);
  const again = await resolve(id, { outcome: 'won' }, finance.token, key);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(again.body.version).toBe(first.body.version);
  const other = await sell();
  const second = (await open(other)).body.id;
  const outcome = { refunded: 0, statement: 'x', by: finance.id, at: new Date(), key: 'x' };
  await disputes().findOneAndUpdate({ _id: second }, { $set: { state: 'won', outcome, dueAt: new Date(0) } });
  await rest.stack.runJob('identity.disputes');
  expect(await kindsOf(other)).toEqual(['dispute_hold', 'dispute_release']);
  expect((await stored(second))?.dueAt).toBe(null);
});

test('a dispute whose process ended before the amount was kept back is finished, and not decided before', async () => {
  const paymentId = await sell();
  const { id } = (await open(paymentId)).body;
  await disputes().findOneAndUpdate({ _id: id }, { $set: { isHeld: false, dueAt: new Date(0) } });
  expect((await resolve(id, { outcome: 'won' })).body.code).toBe('concurrent_update');
  await rest.stack.runJob('identity.disputes');
  expect((await stored(id))?.isHeld).toBe(true);
  expect(await balance()).toMatchObject({ held: price });
});

test('who complained may take it back, and nobody else', async () => {
  const paymentId = await sell();
  const { id } = (await open(paymentId)).body;
  expect((await withdraw(id, garage.owner.token)).errors?.[0]?.message).toMatch(/somebody else/);
  expect((await withdraw(id, buyer.token)).data?.withdrawDispute.dispute.state).toBe('WITHDRAWN');
  expect(await balance()).toMatchObject({ pending: price - fee, held: 0 });
  expect((await open(paymentId)).body.code).toBe('dispute_exists');
});

test('after all that the balances are what the journal says', async () => {
  expect((await proveLedger(shop.installation.id)).mismatches).toEqual([]);
});
