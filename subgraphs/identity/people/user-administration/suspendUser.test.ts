import { concurrently } from '../../../../test/support/concurrently.ts';
import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { ExecutionModel } from '../../../platform/idempotency/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { CatalogListingModel } from '../../listings/catalog/public-listing/model.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { MailModel } from '../../mail/model.ts';
import { OwnerModel } from '../seller-standing/model.ts';
import { SessionModel } from '../session/model.ts';
import { UserModel } from '../user/model.ts';

const { market, neighbour, stack } = product();
let user: SeededUser;
const moderator = perFile(() => market.staff('moderator'));
const administrator = perFile(() => market.staff('installation_admin'));
beforeEach(async () => {
  user = await market.user();
});

const reason = 'Sold cars of other people.';
const suspend = ({ id: userId } = user, by = moderator, more = {}) =>
  by.suspendUser({ userId, reason, ...more });
const reinstate = ({ id: userId } = user, by = moderator) => by.reinstateUser({ userId });
const signOut = ({ id: userId } = user, by = administrator) => by.revokeUserSessions({ userId });
const stored = ({ id } = user) => market.records(UserModel).findOne({ _id: id });
const auditOf = (action: string) => market.audits({ 'target.id': user.id, action, result: 'allowed' });
const mails = async () => {
  const sent = await market.records(MailModel).find({ to: user.email }, { sort: { createdAt: 1 } });
  return sent.map(({ template }) => template);
};
const isListed = async (listingId: string) =>
  (await market.visitor.catalogListing({ listingId }, 'id')) !== null;
const escalation = [403, 'privilege_escalation'] as const;

test('suspending a user ends sessions, hides listings, sends a mail and records history and audit event', async () => {
  const [live, draft] = [await user.listing({ published: true }), await user.listing()];
  expect(await user.listings()).not.toBeRefused();
  const suspended = await suspend();
  const actor = { type: 'user', id: moderator.id };
  expect(suspended.user).toMatchObject({
    id: user.id,
    state: 'SUSPENDED',
    stateReason: reason,
    version: 2,
    sessions: { active: 0, lastUsedAt: null },
  });
  const line = { state: 'suspended', by: 'suspendUser', actor, reason };
  expect(await stored()).toMatchObject({ stateHistory: [{ state: 'active' }, line] });
  expect(await user.me()).toBeRefused(401, 'session_revoked');
  const session = await market.records(SessionModel).findOne({ _id: user.sessionId });
  expect(session?.revokeReason).toBe('suspended');
  expect(await isListed(live.id)).toBe(false);
  const listings = await market.records(ListingModel).find({ 'owner.id': user.id });
  expect(new Map(listings.map(({ _id, state }) => [_id, state]))).toEqual(
    new Map([
      [live.id, 'active'],
      [draft.id, 'draft'],
    ]),
  );
  expect(await mails()).toEqual(['accountSuspended']);
  expect(await auditOf('suspendUser')).toMatchObject([{ actor, reason }]);
});

test('a suspended user can sign in and read the reason, and cannot change the profile', async () => {
  user = await market.user({ password });
  await suspend();
  const credentials = { grantType: 'password', username: user.email, password };
  const { tokens } = await market.visitor.issueToken(credentials);
  const again = market.caller(tokens.accessToken);
  const seen = { state: 'SUSPENDED', stateReason: reason, permissions: [] };
  expect(await again.me()).toMatchObject(seen);
  expect(await again.mySessions()).not.toBeRefused();
  expect(await again.updateMe({ displayName: 'x' })).toBeRefused(403, 'account_suspended');
});

test('suspending an owner does not hide the listings of the dealer', async () => {
  const dealer = await market.dealer();
  const { id } = await dealer.listing({ published: true });
  await suspend(dealer.owner);
  expect(await isListed(id)).toBe(true);
});

test.each([
  ['an empty reason', ''],
  ['a blank reason', ' \n '],
  ['a reason of 1,001 characters', 'x'.repeat(1001)],
])('a suspension of a user with %s is refused', async (_, text) => {
  expect(await suspend(user, moderator, { reason: text })).toBeInvalid('#/reason');
  expect((await stored())?.state).toBe('active');
});

test('suspending a suspended user, or a user scheduled for deletion, is refused with the state', async () => {
  for (const state of ['suspended', 'deletion_scheduled'] as const) {
    const refused = await suspend(await market.user({ state }));
    expect(refused).toBeRefused(409, 'invalid_transition', { allowedFrom: { state } });
  }
});

test('the stored outcome of a suspension with an idempotency key contains no secrets of the user', async () => {
  user = await market.user({ password });
  await suspend(user, moderator, { idempotencyKey: newId('user') });
  const kept = JSON.stringify(await market.records(ExecutionModel).find({}));
  expect(kept).toContain(user.id);
  expect(kept).not.toMatch(/argon2|passwordHash|sealedSecret|recoveryCodeHashes/);
});

test('a caller cannot suspend their own account', async () => {
  for (const self of [moderator, administrator]) {
    expect(await suspend(self, self)).toBeRefused(...escalation);
    expect((await stored(self))?.state).toBe('active');
  }
});

test.each(['installation_admin', 'editor', 'finance', 'support', 'translator'] as const)(
  'a moderator cannot suspend or reinstate a user with the role %s, and an administrator can',
  async (role) => {
    const staff = await market.staff(role);
    expect(await suspend(staff)).toBeRefused(...escalation);
    expect(await suspend(staff, administrator)).not.toBeRefused();
    expect(await reinstate(staff)).toBeRefused(...escalation);
    expect(await reinstate(staff, administrator)).not.toBeRefused();
  },
);

test('a moderator and an administrator can suspend a moderator', async () => {
  for (const by of [moderator, administrator])
    expect(await suspend(await market.staff('moderator'), by)).not.toBeRefused();
});

test('suspending, reinstating or signing out a user of another installation is refused as unknown', async () => {
  const foreigner = await (await neighbour()).user();
  const detail = 'The user does not exist.';
  for (const id of [foreigner.id, newId('user'), 'usr_x'])
    for (const act of [suspend, reinstate, signOut])
      expect(await act({ ...user, id })).toBeRefused(404, 'not_found', { detail });
});

test('reinstating a user shows the listings again, except expired ones, and sends a mail', async () => {
  const { id: live } = await user.listing({ published: true });
  const { id: expired } = await user.listing({ published: true });
  await suspend();
  const expiresAt = new Date(stack.platform.now() - 1);
  await market.records(CatalogListingModel).findOneAndUpdate({ _id: expired }, { $set: { expiresAt } });
  expect((await reinstate()).user).toMatchObject({ state: 'ACTIVE', stateReason: null, version: 3 });
  expect([await isListed(live), await isListed(expired)]).toEqual([true, false]);
  expect(await mails()).toEqual(['accountSuspended', 'accountReinstated']);
  expect(await auditOf('reinstateUser')).toHaveLength(1);
  expect(await reinstate()).toBeRefused(409, 'invalid_transition');
});

test('a reinstated user with an unconfirmed address is unverified', async () => {
  user = await market.user({ state: 'unverified', emailVerified: false });
  await suspend();
  expect((await reinstate()).user.state).toBe('UNVERIFIED');
});

test('reinstating a user cancels a scheduled deletion', async () => {
  user = await market.user({ state: 'deletion_scheduled' });
  const deletion = { requestedAt: new Date(), effectiveAt: new Date() };
  await market.records(UserModel).findOneAndUpdate({ _id: user.id }, { $set: { deletion } });
  expect((await reinstate()).user).toMatchObject({ state: 'ACTIVE', deletion: null });
  expect(await mails()).toEqual(['accountDeletionCanceled']);
  expect((await user.me()).state).toBe('ACTIVE');
});

test('a forced sign-out by support ends every session immediately and keeps the account', async () => {
  const support = await market.staff('support');
  expect(await user.me()).not.toBeRefused();
  expect(await signOut(user, support)).toEqual({ revokedSessionIds: [user.sessionId] });
  expect(await user.me()).toBeRefused(401, 'session_revoked');
  expect(await stored()).toMatchObject({ state: 'active', version: 1 });
  expect(await signOut(user, support)).toEqual({ revokedSessionIds: [] });
  expect(await auditOf('revokeUserSessions')).toHaveLength(2);
  expect(await signOut(await market.staff('installation_admin'), support)).not.toBeRefused();
});

test('fifty concurrent suspensions and reinstatements alternate, each with a history entry and an audit event', async () => {
  const { id: listingId } = await user.listing({ published: true });
  const answers = await concurrently(50, (index) => (index % 2 ? reinstate() : suspend()));
  const refusals = answers.filter(isRefused);
  for (const refusal of refusals) expect(refusal).toBeRefused(409, 'invalid_transition');
  const done = answers.length - refusals.length;
  const record = await stored();
  expect(record).toMatchObject({ version: 1 + done, stateHistory: { length: 1 + done } });
  const lines = [...(await auditOf('suspendUser')), ...(await auditOf('reinstateUser'))];
  expect(lines).toHaveLength(done);
  for (const [index, { state }] of (record?.stateHistory ?? []).entries())
    expect(state).toBe(index % 2 ? 'suspended' : 'active');
  await stack.runJob('identity.catalog-owners');
  expect(await isListed(listingId)).toBe(record?.state === 'active');
});

test('a job hides the listings of an interrupted suspension', async () => {
  const { id } = await user.listing({ published: true });
  await suspend();
  // This is the state between the commit and the withdrawal.
  await market.records(CatalogListingModel).updateMany({ _id: id }, { $set: { withdrawn: false } });
  await market.records(OwnerModel).updateMany({ _id: user.id }, { $set: { unsettled: true } });
  expect(await isListed(id)).toBe(true);
  await stack.runJob('identity.catalog-owners');
  expect(await isListed(id)).toBe(false);
});
