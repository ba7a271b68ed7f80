import { sellThrough } from '../../../../test/support/people/sellThrough.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { ExecutionModel } from '../../../platform/idempotency/model.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { MediaModel } from '../../media/model.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { ProviderObjectModel } from '../payment-provider/kept/model.ts';
import { DisputeModel, type DisputeRecord } from './record/model.ts';

const world = product();
const { market } = world;
const price = 12_300;
const fee = 1000;
const dayMs = 24 * 3600 * 1000;

let garage: SeededDealer;
let buyer: SeededUser;
let finance: SeededUser;
beforeAll(async () => {
  buyer = await market.user();
  finance = await market.staff('finance');
});
beforeEach(async () => {
  garage = await market.dealer();
});
afterEach(async () => {
  expect((await proveLedger(market.installation.id)).mismatches).toEqual([]);
});

type Changes<Name extends 'openDispute' | 'submitDisputeEvidence' | 'resolveDispute'> = Partial<
  Parameters<SeededUser[Name]>[0]
>;

const eur = (amount: number, currency = 'EUR') => ({ amount, currency });
const sell = (options: Partial<Parameters<typeof sellThrough>[2]> = {}) =>
  sellThrough(world.stack, market.installation, { payerId: buyer.id, dealerId: garage.id, ...options });
const complaint = { reason: 'NOT_AS_DESCRIBED', text: 'The gearbox is another one.' } as const;
const open = (paymentId: string, changes: Changes<'openDispute'> = {}) =>
  buyer.openDispute({ paymentId, ...complaint, ...changes });
/** Opens a dispute about a payment that was just made; answers its id. */
const dispute = async () => (await open(await sell())).dispute.id;
const say = (disputeId: string, by: SeededUser, changes: Changes<'submitDisputeEvidence'> = {}) =>
  by.submitDisputeEvidence({ disputeId, text: 'Look at this.', ...changes });
const resolve = (
  disputeId: string,
  outcome: 'WON' | 'LOST' | 'SPLIT',
  changes: Changes<'resolveDispute'> = {},
  by = finance,
) =>
  by.resolveDispute({
    disputeId,
    outcome,
    statement: 'As the papers say.',
    idempotencyKey: unique('key'),
    ...changes,
  });
const balance = async () => (await garage.owner.dealerBalance({ dealerId: garage.id })).balances[0];
const disputes = () => scoped(DisputeModel, market.installation.id);
const stored = (_id: string) => disputes().findOne({ _id });
const put = (_id: string, set: Partial<DisputeRecord>) => disputes().findOneAndUpdate({ _id }, { $set: set });
const paymentOf = (_id: string) => market.records(PaymentModel).findOne({ _id });
/** Does what a process does that ends before it has stored its answer. */
const forgetAnswers = () =>
  market.records(ExecutionModel).updateMany({}, { $set: { state: 'running', leaseUntil: new Date(0) } });
const auditOf = async (id: string) =>
  (await market.audits({ 'target.id': id })).map(({ action, result, reason }) => [action, result, reason]);
const runJob = () => world.stack.runJob('identity.disputes');
const kindsOf = async (paymentId: string) =>
  (await scoped(LedgerTransactionModel, market.installation.id).find({ paymentId }))
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('dispute') || kind === 'fee_refund')
    .sort();
const evidenceOf = (owner: { type: 'user' | 'dealer'; id: string }) =>
  storeMedia(market.installation.id, owner, { purpose: 'evidence' });

test('of ten concurrent disputes about a payment one is opened; it holds the amount, and both sides see it', async () => {
  const paymentId = await sell();
  const before = await paymentOf(paymentId);
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(paymentId, { amount: eur(5000) })));
  const [made, ...more] = answers.filter((answer) => !isRefused(answer));
  expect(more).toEqual([]);
  expect(made?.dispute).toMatchObject({
    ...complaint,
    paymentId,
    amount: eur(5000),
    state: 'NEEDS_RESPONSE',
    evidence: [],
    outcome: null,
  });
  const { createdAt, respondBy } = made?.dispute ?? { createdAt: 0, respondBy: 0 };
  expect(Number(new Date(respondBy)) - Number(new Date(createdAt))).toBe(7 * dayMs);
  expect(await paymentOf(paymentId)).toMatchObject({
    disputeId: made?.dispute.id,
    version: (before?.version ?? 0) + 1,
    updatedAt: new Date(createdAt),
  });
  expect(await balance()).toMatchObject({ pending: price - fee - 5000, available: 0, held: 5000 });
  for (const side of [buyer, garage.owner])
    expect((await side.payment({ paymentId })).dispute?.id).toBe(made?.dispute.id);
  const refund = { paymentId, reason: 'OTHER', amount: eur(price - 4999), idempotencyKey: 'k' } as const;
  expect(await garage.owner.createRefund(refund)).toBeRefused(409, 'refund_exceeds_captured');
  expect(await open(paymentId)).toBeRefused(409, 'dispute_exists');
});

test('a dispute about money that was paid out takes the balance below zero', async () => {
  await open(await sell({ heldDays: 0 }));
  expect(await balance()).toMatchObject({ available: -fee, held: price });
});

test('a payment is disputed for 90 days', async () => {
  const soldBefore = (days: number) => sell({ changes: { capturedAt: new Date(Date.now() - days * dayMs) } });
  expect(await open(await soldBefore(89))).not.toBeRefused();
  expect(await open(await soldBefore(91))).toBeRefused(409, 'dispute_window_over');
});

test('a dispute is about what was not refunded, at most, and there is none about a payment that was refunded whole', async () => {
  const paymentId = await sell();
  const refund = (about: string, amount: number) =>
    garage.owner.createRefund({
      paymentId: about,
      reason: 'OTHER',
      amount: eur(amount),
      idempotencyKey: unique('key'),
    });
  await refund(paymentId, 300);
  expect(await open(paymentId, { amount: eur(price - 299) })).toBeRefused(409, 'refund_exceeds_captured');
  expect((await open(paymentId)).dispute.amount).toEqual(eur(price - 300));
  const whole = await sell();
  await refund(whole, price);
  expect(await open(whole)).toBeRefused(409, 'refund_exceeds_captured');
});

test('a dispute about a promotion or about a payment that was not captured is refused', async () => {
  const payee = { type: 'installation', id: market.installation.id } as const;
  expect(await open(await sell({ changes: { payee } }))).toBeRefused(409, 'invalid_transition');
  const authorized = await sell();
  const changes = { state: 'authorized', capturedAt: null } as const;
  await market.records(PaymentModel).findOneAndUpdate({ _id: authorized }, { $set: changes });
  expect(await open(authorized)).toBeRefused(409, 'invalid_transition');
});

test('invalid members of a dispute are refused with the place of the mistake', async () => {
  const paymentId = await sell();
  for (const [changes, pointer] of [
    [{ text: ' ' }, '#/text'],
    [{ text: 'x'.repeat(4001) }, '#/text'],
    [{ amount: eur(0) }, '#/amount/amount'],
    [{ amount: eur(1, 'USD') }, '#/amount/currency'],
  ] as const)
    expect(await open(paymentId, changes)).toBeRefused(422, 'validation_failed', { errors: [{ pointer }] });
  expect(await open(paymentId, { amount: eur(price) })).not.toBeRefused();
});

test('the payment of a dispute that was just opened leads back to the dispute', async () => {
  const { dispute } = await open(await sell());
  expect(dispute.payment?.dispute?.id).toBe(dispute.id);
});

test('a dispute, its decision and its withdrawal that are repeated under their keys after a crash answer again', async () => {
  const paymentId = await sell();
  const idempotencyKey = unique('key');
  const repeat = async <T>(act: () => Promise<T>): Promise<T> => {
    const first = await act();
    await forgetAnswers();
    expect(await act()).toEqual(first);
    return first;
  };
  const { id: disputeId } = (await repeat(() => open(paymentId, { idempotencyKey }))).dispute;
  await repeat(() => resolve(disputeId, 'LOST', { idempotencyKey }));
  const withdrawn = await dispute();
  await repeat(() => buyer.withdrawDispute({ disputeId: withdrawn, idempotencyKey }));
});

test('the evidence of all disputes of a page of payments is read by one command', async () => {
  const files: string[] = [];
  const store = async (disputeId: string) => {
    const mediaId = await evidenceOf({ type: 'user', id: buyer.id });
    await say(disputeId, buyer, { mediaIds: [mediaId] });
    files.push(mediaId);
  };
  await store(await dispute());
  await store(await dispute());
  const read = () =>
    buyer
      .payments({ first: 2 }, 'nodes { dispute { evidence { media { id } } } }')
      .then(({ nodes }) => nodes);
  const shown = (await read()).flatMap(
    ({ dispute: one }) => one?.evidence.flatMap(({ media }) => media) ?? [],
  );
  expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(files));
  expect((await commandsOf(read)).filter((command) => command === 'find media')).toHaveLength(1);
});

test('each side shows files of its own, which both sides and the staff download', async () => {
  const disputeId = await dispute();
  const own = await evidenceOf({ type: 'user', id: buyer.id });
  const ofGarage = await evidenceOf({ type: 'dealer', id: garage.id });
  const first = await say(disputeId, buyer, { mediaIds: [own] });
  expect(first.dispute.state).toBe('NEEDS_RESPONSE');
  expect(await say(disputeId, buyer, { mediaIds: [ofGarage] })).toBeRefused(422, 'validation_failed', {
    errors: [{ pointer: '#/mediaIds/0' }],
  });
  const second = await say(disputeId, garage.owner, { mediaIds: [ofGarage] });
  expect(second.dispute).toMatchObject({
    state: 'UNDER_REVIEW',
    evidence: [
      { by: 'PAYER', mediaIds: [own] },
      { by: 'PAYEE', mediaIds: [ofGarage] },
    ],
  });
  const download = async (by: SeededUser) => (await by.rest('GET', `/api/v1/media/${own}/download`)).status;
  expect(await Promise.all([garage.owner, finance, await market.user()].map(download))).toEqual([
    200, 200, 403,
  ]);
  expect(await buyer.deleteMedia({ mediaId: own })).toBeRefused(409, 'legal_hold');
  const mediaIds = [];
  for (let count = 0; count < 10; count += 1) mediaIds.push(await evidenceOf({ type: 'user', id: buyer.id }));
  expect(await say(disputeId, buyer, { mediaIds })).toBeRefused(422, 'too_many_media');
});

test('a file that is evidence in two disputes is downloaded by both dealers, and no other file of the payer', async () => {
  const rival = await market.dealer();
  const owner = { type: 'user', id: buyer.id } as const;
  const own = await evidenceOf(owner);
  const attachment = await storeMedia(market.installation.id, owner, { purpose: 'message' });
  for (const dealer of [garage, rival]) {
    const { id } = (await open(await sell({ dealerId: dealer.id }))).dispute;
    await say(id, buyer, { mediaIds: [own] });
  }
  for (const dealer of [garage, rival]) {
    const download = (id: string) => dealer.owner.rest('GET', `/api/v1/media/${id}/download`);
    expect((await download(own)).status).toBe(200);
    expect(await download(attachment)).toBeRefused(403, 'ownership_required');
  }
});

test('a dispute that the dealer does not answer for seven days goes to review', async () => {
  const id = await dispute();
  await runJob();
  expect(await stored(id)).toMatchObject({ state: 'needs_response' });
  await put(id, { dueAt: new Date(0) });
  await runJob();
  expect(await stored(id)).toMatchObject({ state: 'under_review', dueAt: null });
});

test('a dispute that the dealer wins releases the amount', async () => {
  const paymentId = await sell();
  const { id } = (await open(paymentId, { amount: eur(5000) })).dispute;
  expect((await resolve(id, 'WON')).dispute).toMatchObject({
    state: 'WON',
    outcome: { refunded: eur(0), statement: 'As the papers say.' },
  });
  expect(await balance()).toMatchObject({ pending: price - fee, available: 0, held: 0 });
  expect(await kindsOf(paymentId)).toEqual(['dispute_hold', 'dispute_release']);
  const ofDispute = { 'source.type': 'dispute', 'source.id': id } as const;
  expect(await market.records(LedgerTransactionModel).count(ofDispute)).toBe(2);
  expect(await say(id, buyer)).toBeRefused(409, 'invalid_transition');
});

test.each([
  ['would become available within the hour', () => new Date(world.stack.platform.now() + 1_800_000)],
  ['has no date of its availability', () => null],
])('an amount that %s is available once it is released', async (_, availableAt) => {
  const id = await dispute();
  await put(id, { availableAt: availableAt() });
  await resolve(id, 'WON');
  expect(await balance()).toMatchObject({ pending: 0, available: price - fee, held: 0 });
});

test('a dispute that the dealer loses refunds the payer and returns the commission', async () => {
  let signals = 0;
  const stop = world.stack.platform.signals.listen('identity.refunds', () => (signals += 1));
  const paymentId = await sell({ heldDays: 0 });
  const { id } = (await open(paymentId)).dispute;
  expect((await resolve(id, 'LOST')).dispute.state).toBe('LOST');
  stop();
  expect(signals).toBe(1);
  await world.stack.runJob('identity.refunds');
  expect(await balance()).toMatchObject({ pending: 0, available: 0, held: 0 });
  expect(await kindsOf(paymentId)).toEqual(['dispute_hold', 'dispute_loss', 'fee_refund']);
  const select = 'amountRefunded { amount } refunds { disputeId state reason amount { amount } }';
  expect(await buyer.payment({ paymentId }, select)).toEqual({
    amountRefunded: { amount: price },
    refunds: [{ disputeId: id, state: 'SUCCEEDED', reason: 'OTHER', amount: { amount: price } }],
  });
});

test('the refund of a lost dispute that the provider refuses counts against the payment until finance retries it', async () => {
  const paymentId = await sell({ heldDays: 0 });
  const { id } = (await open(paymentId)).dispute;
  await resolve(id, 'LOST');
  const provided = scoped(ProviderObjectModel, market.installation.id);
  const setCaptured = (amountCaptured: number) =>
    provided.findOneAndUpdate({ ownId: paymentId }, { $set: { amountCaptured } });
  await setCaptured(0);
  await world.stack.runJob('identity.refunds');
  const select = 'amountRefunded { amount } refunds { id state }';
  const refused = await buyer.payment({ paymentId }, select);
  expect(refused).toMatchObject({ amountRefunded: { amount: price }, refunds: [{ state: 'FAILED' }] });
  const again = { paymentId, reason: 'OTHER', idempotencyKey: unique('key') } as const;
  expect(await garage.owner.createRefund(again)).toBeRefused(409, 'refund_exceeds_captured');
  await setCaptured(price);
  await finance.retryRefund({ refundId: refused.refunds[0]?.id ?? '' });
  await world.stack.runJob('identity.refunds');
  const [made, ...more] = (await buyer.payment({ paymentId }, select)).refunds;
  expect([made?.state, more]).toEqual(['SUCCEEDED', []]);
  expect((await provided.findOne({ ownId: paymentId }))?.refunds).toMatchObject([{ amount: price }]);
  expect(await kindsOf(paymentId)).toEqual(['dispute_hold', 'dispute_loss', 'fee_refund']);
});

test('a split dispute refunds the stated part, which is less than the disputed amount', async () => {
  const paymentId = await sell({ heldDays: 0 });
  const { id } = (await open(paymentId, { amount: eur(8000) })).dispute;
  for (const [outcome, changes, pointer] of [
    ['SPLIT', { refundAmount: null }, '#/refundAmount'],
    ['SPLIT', { refundAmount: eur(0) }, '#/refundAmount'],
    ['SPLIT', { refundAmount: eur(8000) }, '#/refundAmount'],
    ['SPLIT', { refundAmount: eur(1, 'USD') }, '#/refundAmount/currency'],
    ['LOST', { refundAmount: eur(5) }, '#/refundAmount'],
    ['WON', { statement: ' ' }, '#/statement'],
    ['WON', { statement: 'x'.repeat(2001) }, '#/statement'],
  ] as const)
    expect(await resolve(id, outcome, changes)).toBeRefused(422, 'validation_failed', {
      errors: [{ pointer }],
    });
  expect(await resolve(id, 'SPLIT', { refundAmount: eur(3000) })).not.toBeRefused();
  await world.stack.runJob('identity.refunds');
  expect(await balance()).toMatchObject({ available: price - fee - 3000 + 205 + 39, held: 0 });
  expect(await kindsOf(paymentId)).toEqual(['dispute_hold', 'dispute_loss', 'dispute_release', 'fee_refund']);
});

test('a member of the staff cannot decide a dispute of its own, or of a dealer that it belongs to', async () => {
  const id = await dispute();
  const own = await market.dealer({ owner: finance });
  for (const side of [{ payerId: finance.id }, { payerId: buyer.id, dealerId: own.id }]) {
    await put(id, side);
    expect(await resolve(id, 'WON')).toBeRefused(403, 'four_eyes');
  }
  await put(id, { dealerId: garage.id });
});

test('of twenty concurrent decisions one is made and audited', async () => {
  const id = await dispute();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => resolve(id, index % 2 ? 'WON' : 'LOST')),
  );
  expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
  for (const answer of answers.filter(isRefused)) expect(answer).toBeRefused(409);
  const allowed = (await auditOf(id)).filter(([, result]) => result === 'allowed');
  expect(allowed).toEqual([
    ['resolveDispute', 'allowed', expect.stringMatching(/^(won|lost): As the papers say\.$/)],
  ]);
});

test('a dispute that its payer withdraws releases the amount and the files, and cannot be opened again', async () => {
  const paymentId = await sell();
  const { id: disputeId } = (await open(paymentId)).dispute;
  const mediaId = await evidenceOf({ type: 'user', id: buyer.id });
  await say(disputeId, buyer, { mediaIds: [mediaId] });
  expect(await buyer.deleteMedia({ mediaId })).toBeRefused(409, 'legal_hold');
  expect(await garage.owner.withdrawDispute({ disputeId })).toBeRefused(403, 'ownership_required');
  expect((await buyer.withdrawDispute({ disputeId })).dispute).toMatchObject({
    state: 'WITHDRAWN',
    outcome: { refunded: eur(0), statement: '-' },
  });
  expect(await auditOf(disputeId)).toContainEqual(['withdrawDispute', 'allowed', 'withdrawn: -']);
  expect(await balance()).toMatchObject({ pending: price - fee, held: 0 });
  expect(await market.records(MediaModel).findOne({ _id: mediaId })).toMatchObject({ legalHolds: [] });
  expect(await open(paymentId)).toBeRefused(409, 'dispute_exists');
});
