import { collection } from '../../../../test/authorization/world/collection.ts';
import { sellThrough } from '../../../../test/support/people/sellThrough.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { MediaModel } from '../../media/model.ts';
import { UserModel } from '../../people/user/model.ts';
import { eraseUser } from '../../privacy/account-deletion/eraseUser.ts';
import { personalData } from '../../server.ts';

const world = product();
const { market } = world;
const words = 'I live at the sea.';
let garage: SeededDealer;
let manager: SeededUser;
let buyer: SeededUser;
let finance: SeededUser;
let disputeId: string;
let paymentId: string;
beforeAll(async () => {
  finance = await market.staff('finance');
});
beforeEach(async () => {
  [buyer, manager] = [await market.user(), await market.user()];
  garage = await market.dealer({ members: [{ userId: manager.id, role: 'manager' }] });
  paymentId = await sellThrough(world.stack, market.installation, { payerId: buyer.id, dealerId: garage.id });
  const complaint = { reason: 'NOT_AS_DESCRIBED', text: 'I am Anna.' } as const;
  disputeId = (await buyer.openDispute({ paymentId, ...complaint })).dispute.id;
});

const show = async (by: SeededUser) => {
  const owner = { type: 'user', id: by.id } as const;
  const file = await storeMedia(market.installation.id, owner, { purpose: 'evidence' });
  await by.submitDisputeEvidence({ disputeId, text: words, mediaIds: [file] });
  return file;
};
const erase = async ({ id: userId }: SeededUser) => {
  const installationId = market.installation.id;
  const due = { state: 'unverified' } as const;
  await scoped(UserModel, installationId).findOneAndUpdate({ _id: userId }, { $set: due });
  const erasure = { platform: world.stack.platform, installationId, userId, job: 'test', personalData };
  expect(await eraseUser(erasure, due)).toBe('erased');
  await runJob();
};
/** The job of erasures, after every request that was in progress. */
const runJob = async () => {
  world.stack.advance(61_000);
  await world.stack.runJob('identity.account-deletions');
};
const decide = () =>
  finance.resolveDispute({
    disputeId,
    outcome: 'WON',
    statement: 'As the papers say.',
    idempotencyKey: unique('key'),
  });
const read = async () =>
  (await garage.owner.payment({ paymentId }, 'dispute { state text evidence { text mediaIds } }')).dispute;
const download = async (mediaId: string) =>
  (await finance.rest('GET', `/api/v1/media/${mediaId}/download`)).status;
const stored = (_id: string) => scoped(MediaModel, market.installation.id).findOne({ _id });
const isPending = async ({ id }: SeededUser) =>
  (await scoped(UserModel, market.installation.id).findOne({ _id: id }))?.erasure?.pending;

test('what an erased payer showed in an open dispute stays until the dispute is decided', async () => {
  const file = await show(buyer);
  await erase(buyer);
  expect(await read()).toEqual({
    state: 'NEEDS_RESPONSE',
    text: 'I am Anna.',
    evidence: [{ text: words, mediaIds: [file] }],
  });
  expect(await download(file)).toBe(200);
  await decide();
  await runJob();
  expect(await read()).toEqual({ state: 'WON', text: '…', evidence: [{ text: '…', mediaIds: [] }] });
  expect(await stored(file)).toMatchObject({ state: 'deleted', legalHolds: [], usage: [] });
  expect(await isPending(buyer)).toBe(false);
});

test('a file that an erased member of the dealer showed in an open dispute stays until the dispute is decided', async () => {
  const file = await show(manager);
  await erase(manager);
  expect(await download(file)).toBe(200);
  await decide();
  await runJob();
  expect(await stored(file)).toMatchObject({ state: 'deleted' });
  expect((await read())?.evidence).toMatchObject([{ text: words }]);
});

test('a file in an open dispute cannot be deleted, and stays in use after the decision', async () => {
  const mediaId = await show(buyer);
  expect(await buyer.deleteMedia({ mediaId })).toBeRefused(409, 'legal_hold');
  await decide();
  expect(await buyer.deleteMedia({ mediaId })).toBeRefused(409, 'media_in_use');
});

test('a dispute that its payer withdraws lets go of its files', async () => {
  const mediaId = await show(buyer);
  await buyer.withdrawDispute({ disputeId });
  expect(await stored(mediaId)).toMatchObject({ legalHolds: [] });
});

test('the note of a refund is deleted with the account of its payer, and the refund stays', async () => {
  const own = await sellThrough(world.stack, market.installation, { payerId: buyer.id, dealerId: garage.id });
  const note = 'Anna lives at the sea.';
  const key = { idempotencyKey: unique('key') };
  const amount = { amount: 100, currency: 'EUR' };
  const { refund } = await garage.owner.createRefund({
    paymentId: own,
    reason: 'OTHER',
    note,
    amount,
    ...key,
  });
  const kept = async () => {
    const { refunds } = await garage.owner.payment(
      { paymentId: own },
      'refunds { id note amount { amount } }',
    );
    return refunds;
  };
  expect(await kept()).toEqual([{ id: refund.id, note, amount: { amount: 100 } }]);
  await decide();
  await erase(buyer);
  expect(await kept()).toEqual([{ id: refund.id, note: null, amount: { amount: 100 } }]);
});

test('an erasure raises the version of the payments and refunds that it changes, once', async () => {
  const own = await sellThrough(world.stack, market.installation, { payerId: buyer.id, dealerId: garage.id });
  const untouched = paymentId;
  await collection('payments').updateOne({ _id: own }, { $set: { metadata: { order: 'of Anna' } } });
  const key = { idempotencyKey: unique('key') };
  const order = {
    paymentId: own,
    reason: 'OTHER',
    amount: { amount: 100, currency: 'EUR' },
    ...key,
  } as const;
  await garage.owner.createRefund({ ...order, note: 'Anna lives at the sea.' });
  const versions = async (id: string) => {
    const { version, refunds } = await garage.owner.payment({ paymentId: id }, 'version refunds { version }');
    return [version, ...refunds.map((one) => one.version)];
  };
  const [before, other] = [await versions(own), await versions(untouched)];
  await decide();
  await erase(buyer);
  await runJob();
  expect(await versions(own)).toEqual(before.map((version) => version + 1));
  expect(await versions(untouched)).toEqual(other);
});
