import { openRestStack, type RestAnswer, type RestStack } from '../../../test/support/openRestStack.ts';
import type { TestStack } from '../../../test/support/openTestStack.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { ExecutionModel } from '../../platform/idempotency/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ListingModel } from '../listing/model.ts';
import { MailModel } from '../mail/model.ts';
import { OwnerModel } from '../owner/model.ts';
import { buildIdentity } from '../server.ts';
import { SessionModel } from '../session/model.ts';
import { UserModel } from '../user/model.ts';

let rest: RestStack;
let stack: TestStack;
let shop: SeededInstallation;
let moderator: SeededUser;
let administrator: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  stack = rest.stack;
  shop = await seed(stack).in(stack.demo);
  [moderator, administrator] = [await shop.staff('moderator'), await shop.staff('installation_admin')];
});
afterAll(() => rest.close());

const reason = 'Sold cars that were not his.';
const suspend = (id: string, { token } = moderator, body: object = { reason }, headers = {}) =>
  rest.call('POST', `/api/v1/admin/users/${id}/suspend`, { token, body, headers });
const reinstate = (id: string, { token } = moderator) =>
  rest.call('POST', `/api/v1/admin/users/${id}/reinstate`, { token, body: {} });
const signOut = (id: string, { token } = moderator) =>
  rest.call('DELETE', `/api/v1/admin/users/${id}/sessions`, { token });
const words = ({ status, body }: RestAnswer) => (status < 300 ? `${status}` : `${status} ${body.code}`);
const stored = async (id: string) => scoped(UserModel, shop.installation.id).findOne({ _id: id });
const auditOf = (id: string, action: string) =>
  scoped(AuditEventModel, shop.installation.id).find({ 'target.id': id, action, result: 'allowed' });
const mailsTo = ({ email }: SeededUser) =>
  scoped(MailModel, shop.installation.id).find({ to: email }, { sort: { createdAt: 1 } });
const listed = async (id: string) =>
  (await rest.call('GET', `/api/v1/catalog/listings/${id}`)).status === 200;

describe('a suspension', () => {
  test('bars the user at once: sessions, listings, mail, history and audit in one', async () => {
    const user = await shop.user();
    const [live, draft] = [await user.listing({ published: true }), await user.listing()];
    expect((await rest.call('GET', '/api/v1/listings', { token: user.token })).status).toBe(200);
    const answer = await suspend(user.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: user.id,
      state: 'suspended',
      stateReason: reason,
      version: 2,
      sessions: { active: 0, lastUsedAt: null },
      stateHistory: [
        { state: 'active' },
        { state: 'suspended', trigger: 'suspendUser', actor: { type: 'user', id: moderator.id }, reason },
      ],
    });
    expect(words(await rest.call('GET', '/api/v1/me', { token: user.token }))).toBe('401 session_revoked');
    const session = await scoped(SessionModel, shop.installation.id).findOne({ _id: user.sessionId });
    expect(session?.revokeReason).toBe('suspended');
    expect(await listed(live.id)).toBe(false);
    const listings = await scoped(ListingModel, shop.installation.id).find(
      { 'owner.id': user.id },
      { sort: { createdAt: 1 } },
    );
    expect(listings.map(({ _id, state }) => [_id, state])).toEqual([
      [live.id, 'active'],
      [draft.id, 'draft'],
    ]);
    expect(await mailsTo(user)).toMatchObject([{ template: 'accountSuspended' }]);
    expect(await auditOf(user.id, 'suspendUser')).toMatchObject([
      { actor: { type: 'user', id: moderator.id }, reason },
    ]);
  });

  test('lets him sign in again, to see why and to leave, and to do nothing else', async () => {
    const password = 'plum-tractor-9-violin';
    const user = await shop.user({ password });
    await suspend(user.id);
    const body = { grant_type: 'password', username: user.email, password };
    const signedIn = await rest.call('POST', '/api/v1/auth/token', { body });
    const token = signedIn.body.access_token;
    const me = await rest.call('GET', '/api/v1/me', { token });
    expect(me.body).toMatchObject({ state: 'suspended', stateReason: reason, permissions: [] });
    expect((await rest.call('GET', '/api/v1/me/sessions', { token })).status).toBe(200);
    const patch = await rest.call('PATCH', '/api/v1/me', { token, body: { displayName: 'x' } });
    expect(words(patch)).toBe('403 account_suspended');
  });

  test('leaves the dealers he acts for alone', async () => {
    const dealer = await shop.dealer();
    const { id } = await dealer.listing({ published: true });
    await suspend(dealer.owner.id);
    expect(await listed(id)).toBe(true);
  });

  test.each([
    ['nothing', {}, '#/reason'],
    ['an empty text', { reason: '' }, '#/reason'],
    ['blanks', { reason: ' \n ' }, '#/reason'],
    ['a text that is too long', { reason: 'x'.repeat(1001) }, '#/reason'],
  ])('needs a reason, and %s is none', async (_, body, pointer) => {
    const user = await shop.user();
    const answer = await suspend(user.id, moderator, body);
    expect(words(answer)).toBe('422 validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer }]);
    expect((await stored(user.id))?.state).toBe('active');
  });

  test('is refused where it was made before, with the states there are', async () => {
    const user = await shop.user();
    await suspend(user.id);
    const again = await suspend(user.id);
    expect(words(again)).toBe('409 invalid_transition');
    expect(again.body.allowedFrom.state).toBe('suspended');
    const leaving = await shop.user({ state: 'deletion_scheduled' });
    expect(words(await suspend(leaving.id))).toBe('409 invalid_transition');
  });

  test('under one key is made once, and answers the same again', async () => {
    const user = await shop.user();
    const key = { 'idempotency-key': newId('user') };
    const first = await suspend(user.id, moderator, { reason }, key);
    const second = await suspend(user.id, moderator, { reason }, key);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.stateHistory).toEqual(first.body.stateHistory);
    expect(words(await suspend(user.id, moderator, { reason: 'Another.' }, key))).toBe(
      '422 idempotency_key_reused',
    );
    expect(await auditOf(user.id, 'suspendUser')).toHaveLength(1);
  });

  test('keeps nothing under its key that proves who somebody is', async () => {
    const user = await shop.user({ password: 'plum-tractor-9-violin' });
    await suspend(user.id, moderator, { reason }, { 'idempotency-key': newId('user') });
    const kept = await scoped(ExecutionModel, shop.installation.id).find({});
    expect(JSON.stringify(kept)).toContain(user.id);
    expect(JSON.stringify(kept)).not.toMatch(/argon2|passwordHash|sealedSecret|recoveryCodeHashes/);
  });
});

describe('who is suspended by whom:', () => {
  const attempt = async (by: SeededUser, whom: SeededUser) => words(await suspend(whom.id, by));

  test('nobody himself', async () => {
    expect(await attempt(moderator, moderator)).toBe('403 privilege_escalation');
    expect(await attempt(administrator, administrator)).toBe('403 privilege_escalation');
    expect((await stored(moderator.id))?.state).toBe('active');
  });

  test('a moderator nobody who holds a permission he lacks, also when that one is barred', async () => {
    for (const role of ['installation_admin', 'editor', 'finance', 'support', 'translator'] as const)
      expect([role, await attempt(moderator, await shop.staff(role))]).toEqual([
        role,
        '403 privilege_escalation',
      ]);
    const barred = await shop.staff('installation_admin');
    expect(await attempt(administrator, barred)).toBe('200');
    expect(words(await reinstate(barred.id))).toBe('403 privilege_escalation');
    expect(words(await reinstate(barred.id, administrator))).toBe('200');
  });

  test('a moderator his like, an administrator everybody else', async () => {
    expect(await attempt(moderator, await shop.staff('moderator'))).toBe('200');
    for (const role of ['installation_admin', 'finance', 'moderator'] as const)
      expect([role, await attempt(administrator, await shop.staff(role))]).toEqual([role, '200']);
  });

  test('nobody by those who have not the permission, before anything is looked at', async () => {
    for (const by of [await shop.user(), await shop.staff('support'), await shop.staff('editor')])
      for (const id of [moderator.id, newId('user')]) {
        const answer = await suspend(id, by, {});
        expect([words(answer), answer.body.requiredPermission]).toEqual([
          '403 permission_required',
          'users:suspend',
        ]);
      }
  });

  test('nobody of another installation, in the words for one who never was', async () => {
    const stranger = await (await seed(stack).in(stack.other)).user();
    for (const act of [suspend, reinstate, (id: string) => signOut(id, administrator)])
      for (const id of [stranger.id, newId('user'), 'usr_x']) {
        const { status, body } = await act(id);
        expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'The user does not exist.']);
      }
  });
});

describe('a reinstatement', () => {
  test('brings the user and his listings back, and tells him', async () => {
    const user = await shop.user();
    const [live, expired] = [
      await user.listing({ published: true }),
      await user.listing({ published: true }),
    ];
    await suspend(user.id);
    await scoped(CatalogListingModel, shop.installation.id).findOneAndUpdate(
      { _id: expired.id },
      { $set: { expiresAt: new Date(stack.platform.now() - 1) } },
    );
    const answer = await reinstate(user.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ state: 'active', stateReason: null, version: 3 });
    expect([await listed(live.id), await listed(expired.id)]).toEqual([true, false]);
    expect((await mailsTo(user)).map(({ template }) => template)).toEqual([
      'accountSuspended',
      'accountReinstated',
    ]);
    expect(await auditOf(user.id, 'reinstateUser')).toHaveLength(1);
    expect(words(await reinstate(user.id))).toBe('409 invalid_transition');
  });

  test('leaves an address that was never confirmed unconfirmed', async () => {
    const user = await shop.user({ state: 'unverified', emailVerified: false });
    await suspend(user.id);
    expect((await reinstate(user.id)).body.state).toBe('unverified');
  });

  test('keeps one who asked for his deletion, and takes the date away', async () => {
    const user = await shop.user({ state: 'deletion_scheduled' });
    await scoped(UserModel, shop.installation.id).findOneAndUpdate(
      { _id: user.id },
      { $set: { deletion: { requestedAt: new Date(), effectiveAt: new Date() } } },
    );
    const { body } = await reinstate(user.id);
    expect(body).toMatchObject({ state: 'active', deletion: null });
    expect(await mailsTo(user)).toMatchObject([{ template: 'accountDeletionCanceled' }]);
    expect((await rest.call('GET', '/api/v1/me', { token: user.token })).body.state).toBe('active');
  });
});

describe('a forced sign-out', () => {
  test('ends every session at once, says which, and leaves the account as it is', async () => {
    const support = await shop.staff('support');
    const user = await shop.user();
    expect((await rest.call('GET', '/api/v1/me', { token: user.token })).status).toBe(200);
    const { status, body } = await signOut(user.id, support);
    expect([status, body]).toEqual([200, { revokedSessionIds: [user.sessionId] }]);
    expect(words(await rest.call('GET', '/api/v1/me', { token: user.token }))).toBe('401 session_revoked');
    expect(await stored(user.id)).toMatchObject({ state: 'active', version: 1 });
    expect((await signOut(user.id, support)).body).toEqual({ revokedSessionIds: [] });
    expect(await auditOf(user.id, 'revokeUserSessions')).toHaveLength(2);
  });

  test('is for those who may, and may be of anybody', async () => {
    const support = await shop.staff('support');
    expect(words(await signOut(support.id))).toBe('403 permission_required');
    const other = await shop.staff('installation_admin');
    expect(words(await signOut(other.id, support))).toBe('200');
  });
});

test('fifty suspensions and reinstatements of one user at once follow each other, each with its line', async () => {
  const user = await shop.user();
  const { id: listingId } = await user.listing({ published: true });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? reinstate(user.id) : suspend(user.id))),
  );
  const refused = answers.map(words).filter((answer) => answer !== '200');
  expect(new Set(refused)).toEqual(new Set(['409 invalid_transition']));
  const made = answers.filter(({ status }) => status === 200).length;
  const record = await stored(user.id);
  expect(record).toMatchObject({ version: 1 + made, stateHistory: { length: 1 + made } });
  const lines = [...(await auditOf(user.id, 'suspendUser')), ...(await auditOf(user.id, 'reinstateUser'))];
  expect(lines).toHaveLength(made);
  for (const [index, { state }] of (record?.stateHistory ?? []).entries())
    expect(state).toBe(index % 2 ? 'suspended' : 'active');
  await stack.runJob('identity.catalog-owners');
  expect(await listed(listingId)).toBe(record?.state === 'active');
});

test('what a process that dies leaves of a suspension is withdrawn by the job', async () => {
  const user = await shop.user();
  const { id } = await user.listing({ published: true });
  await suspend(user.id);
  // As it is between the commit and the withdrawal.
  await scoped(CatalogListingModel, shop.installation.id).updateMany(
    { _id: id },
    { $set: { withdrawn: false } },
  );
  await scoped(OwnerModel, shop.installation.id).updateMany({ _id: user.id }, { $set: { unsettled: true } });
  expect(await listed(id)).toBe(true);
  await stack.runJob('identity.catalog-owners');
  expect(await listed(id)).toBe(false);
});
