import mongoose from 'mongoose';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { CatalogListingModel } from '../../listings/catalog/public-listing/model.ts';
import { FavoriteModel } from '../../listings/favorite/model.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { MediaModel } from '../../media/model.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { UserModel } from '../../people/user/model.ts';
import { personalData } from '../../server.ts';
import { eraseUser } from './eraseUser.ts';

const { market, stack } = product();
const day = 24 * 3600 * 1000;
const users = () => market.records(UserModel);
const listings = () => market.records(ListingModel);
const dealers = () => market.records(DealerModel);

const erase = async ({ id }: { id: string }) => {
  await users().findOneAndUpdate({ _id: id, state: 'active' }, { $set: { state: 'unverified' } });
  return eraseDue(id, { state: 'unverified' });
};
const eraseDue = (id: string, due: object) =>
  eraseUser(
    {
      platform: stack.platform,
      installationId: market.installation.id,
      userId: id,
      job: 'test',
      personalData,
    },
    due,
  );
const stored = ({ id }: { id: string }) => users().findOne({ _id: id });
const schedule = ({ id }: SeededUser, effectiveAt: Date) =>
  users().findOneAndUpdate(
    { _id: id },
    { $set: { state: 'deletion_scheduled', deletion: { requestedAt: new Date(0), effectiveAt } } },
  );

/** A user whose stored texts all contain the mark. */
async function richUser(mark: string): Promise<SeededUser> {
  const user = await market.user({
    email: `${mark}@example.test`,
    displayName: `${mark} display`,
    givenName: `${mark} given`,
    familyName: `${mark} family`,
    password: `${mark}-password`,
    roles: ['buyer', 'seller', 'support'],
  });
  await users().findOneAndUpdate(
    { _id: user.id },
    {
      $set: {
        phone: '+4930123456',
        stateReason: `${mark} reason`,
        consents: [{ purpose: 'terms', version: mark, granted: true, at: new Date(), source: mark }],
        factors: [{ id: 'mfa_1', label: mark, state: 'active', sealedSecret: mark, createdAt: new Date() }],
        recoveryCodeHashes: [mark],
      },
    },
  );
  for (const published of [true, false]) {
    await user.listing({ published, title: `Car of ${mark}`, description: `It was ${mark}’s.` });
  }
  await queueMail(stack.contextFor({ installation: market.installation }), {
    to: user.email,
    locale: 'en',
    template: 'passwordChanged',
    data: { displayName: mark },
  });
  const { id: dealerId, owner, listing } = await market.dealer();
  await owner.inviteDealerMember({ dealerId, email: user.email, role: 'AGENT' });
  await user.createSavedSearch({ name: 'Like mine', query: { q: mark } });
  const { id: listingId } = await listing({ published: true });
  await user.addFavorite({ listingId, note: `Reminds me of ${mark}.` });
  await user.putMyConsent({ purpose: 'marketing', version: '1', granted: true });
  const { report } = await user.createReport({
    target: { type: 'LISTING', id: listingId },
    reason: 'OTHER',
    text: mark,
  });
  const moderator = await market.staff('moderator');
  await moderator.resolveReport({ reportId: report.id, outcome: 'DISMISSED', answer: 'No.' });
  await user.startConversation({ listingId, text: `A question of ${mark}.` });
  await user.blockUser({ userId: moderator.id });
  await user.requestMyDataExport({});
  return user;
}

/** The collections that contain the id of an erased account, with the reason. */
const namedById = {
  audit_events: 'the record of actions',
  conversations: 'the other side keeps that there was one',
  listings: 'archived without a word',
  messages: 'the other side keeps that one was written',
  owners: 'counters',
  sessions: 'ended, without addresses',
  users: 'the anonymous record',
};

/** The names of the collections that contain a word. */
async function collectionsWith(word: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of (await mongoose.connection.db?.listCollections().toArray()) ?? []) {
    const documents = await mongoose.connection.collection(name).find({}).toArray();
    if (JSON.stringify(documents).includes(word)) found.push(name);
  }
  return found.sort();
}

test('an erasure deletes names, texts, sessions and favorites of the user and archives the listings', async () => {
  const mark = unique('marlene').replaceAll('-', '');
  const user = await richUser(mark);
  const texts = ['catalog_listings', 'conversations', 'dealer_invitations', 'favorites', 'listings'];
  const more = ['mails', 'messages', 'reports', 'saved_searches', 'users'];
  expect(await collectionsWith(mark)).toEqual(expect.arrayContaining([...texts, ...more]));
  expect(await erase(user)).toBe('erased');
  expect(await collectionsWith(mark)).toEqual([]);
  expect(await collectionsWith(user.id)).toEqual(Object.keys(namedById).sort());
  expect(await stored(user)).toMatchObject({
    _id: user.id,
    state: 'deleted',
    displayName: 'Deleted account',
    emailVerified: false,
    passwordHash: null,
    givenName: null,
    phone: null,
    roles: [],
    factors: [],
    recoveryCodeHashes: [],
    consents: [],
  });
  const own = { 'owner.id': user.id };
  const archived = await listings().find(own);
  expect(archived.map(({ state }) => state)).toEqual(['archived', 'archived']);
  const ids = archived.map(({ _id }) => _id);
  expect(await market.records(CatalogListingModel).count({ _id: { $in: ids } })).toBe(0);
  expect(await user.me()).toBeRefused(401);
  expect(await market.records(FavoriteModel).count({ userId: user.id })).toBe(0);
});

test('the address of an erased account can be registered again immediately', async () => {
  const user = await market.user({ email: 'again@example.test' });
  await erase(user);
  expect((await market.user({ email: 'again@example.test' })).id).not.toBe(user.id);
});

test('an audit event records the erased account and the job', async () => {
  const user = await market.user();
  await erase(user);
  expect(await market.audits({ 'target.id': user.id })).toMatchObject([
    { action: 'eraseUser', actor: { type: 'system', id: 'test' }, target: { type: 'user', id: user.id } },
  ]);
});

const membersOf = async (id: string) =>
  (await dealers().findOne({ _id: id }))?.members.map(({ userId }) => userId);

test('an erasure removes the user from dealers and raises their version', async () => {
  const person = await market.user();
  const dealer = await market.dealer({ members: [{ userId: person.id, role: 'owner' }] });
  const { id } = await dealer.listing({ contact: { assigneeUserId: person.id } });
  expect(await erase(person)).toBe('erased');
  expect((await listings().findOne({ _id: id }))?.contact.assigneeUserId).toBeNull();
  expect(await membersOf(dealer.id)).toEqual([dealer.owner.id]);
  expect(await dealers().findOne({ _id: dealer.id })).toMatchObject({
    version: 2,
  });
});

test('the erasure of the last owner is postponed until the dealer is closed', async () => {
  const dealer = await market.dealer();
  expect(await erase(dealer.owner)).toBe('postponed');
  expect((await stored(dealer.owner))?.email).toBe(dealer.owner.email);
  await dealers().findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'closed' } });
  expect(await erase(dealer.owner)).toBe('erased');
  expect(await membersOf(dealer.id)).toEqual([dealer.owner.id]);
});

test('one of two owners who are erased concurrently is postponed', async () => {
  const second = await market.user();
  const dealer = await market.dealer({ members: [{ userId: second.id, role: 'owner' }] });
  const outcomes = await Promise.all([erase(dealer.owner), erase(second)]);
  expect(outcomes.sort()).toEqual(['erased', 'postponed']);
  expect(await membersOf(dealer.id)).toHaveLength(1);
});

test('an account that is no longer due is not erased', async () => {
  const user = await market.user();
  expect(await eraseDue(user.id, { state: 'deletion_scheduled' })).toBe('not due');
  expect((await stored(user))?.state).toBe('active');
});

test('twenty concurrent erasures erase an account once', async () => {
  const user = await market.user();
  await schedule(user, new Date(0));
  const due = { state: 'deletion_scheduled' };
  const outcomes = await concurrently(20, () => eraseDue(user.id, due));
  expect(outcomes.filter((outcome) => outcome === 'erased')).toHaveLength(1);
  expect(await market.records(AuditEventModel).count({ 'target.id': user.id })).toBe(1);
});

const run = () => stack.runJob('identity.account-deletions');

test('a job erases the accounts whose deletion is due', async () => {
  const now = stack.platform.now();
  const [due, early, back] = [await market.user(), await market.user(), await market.user()];
  await schedule(due, new Date(now - 1));
  await schedule(early, new Date(now + day));
  await run();
  expect((await stored(due))?.state).toBe('deleted');
  expect((await stored(early))?.state).toBe('deletion_scheduled');
  expect((await stored(back))?.state).toBe('active');
  stack.advance(day + 1);
  await run();
  expect((await stored(early))?.state).toBe('deleted');
});

test('a job completes an interrupted erasure and checks it again after one minute', async () => {
  const user = await richUser(unique('berta').replaceAll('-', ''));
  await erase(user);
  // This is the state if a process ended after the first step, or if a request was in progress.
  await listings().updateMany({ 'owner.id': user.id }, { $set: { state: 'active', title: 'Car' } });
  await run();
  const states = async () => (await listings().find({ 'owner.id': user.id })).map(({ state }) => state);
  expect(await states()).toEqual(['archived', 'archived']);
  expect((await stored(user))?.erasure?.pending).toBe(true);
  stack.advance(61_000);
  await run();
  expect((await stored(user))?.erasure?.pending).toBe(false);
});

test('a file under a legal hold is kept after the erasure of its owner until the hold ends', async () => {
  const user = await market.user();
  const media = market.records(MediaModel);
  const legalHolds = [{ type: 'report', id: 'rep_1' }];
  const _id = await storeMedia(market.installation.id, { type: 'user', id: user.id }, { legalHolds });
  await erase(user);
  stack.advance(61_000);
  await run();
  expect(await media.findOne({ _id })).toMatchObject({ state: 'ready' });
  await media.findOneAndUpdate({ _id }, { $set: { legalHolds: [] } });
  await run();
  expect(await media.findOne({ _id })).toMatchObject({ state: 'deleted' });
  expect((await stored(user))?.erasure?.pending).toBe(false);
});
