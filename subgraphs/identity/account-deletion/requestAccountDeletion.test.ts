import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
const minute = 60_000;
const day = 24 * 60 * minute;

const request = `mutation ($input: RequestAccountDeletionInput!) { requestAccountDeletion(input: $input) {
  deletion { requestedAt effectiveAt } } }`;
const update = `mutation ($input: UpdateMeInput!) { updateMe(input: $input) { me { state version displayName
  permissions deletion { effectiveAt } } } }`;
const me = '{ me { state deletion { requestedAt effectiveAt } session { id } } }';

const call = (source: string, { token }: SeededUser, input?: object) =>
  world.stack.execute(source, input ? { input } : {}, { as: token, installation: market.installation });
const leave = (user: SeededUser, input: object = {}) => call(request, user, input);
const stay = (user: SeededUser, input: object = {}) => call(update, user, { cancelDeletion: true, ...input });
const stored = ({ id }: SeededUser) => scoped(UserModel, market.installation.id).findOne({ _id: id });
const audited = ({ id }: SeededUser) =>
  scoped(AuditEventModel, market.installation.id).find(
    { 'target.id': id, result: 'allowed' },
    { sort: { at: 1, _id: 1 } },
  );

describe('asking for the erasure of one’s account', () => {
  test('schedules it in 30 days, says so by mail and in the audit, and leaves the session alone', async () => {
    const user = await market.user();
    const { data, errors } = await leave(user);
    expect(errors).toBeUndefined();
    const { requestedAt, effectiveAt } = data?.requestAccountDeletion.deletion ?? {};
    expect(Date.parse(effectiveAt) - Date.parse(requestedAt)).toBe(30 * day);
    expect((await call(me, user)).data?.me).toEqual({
      state: 'DELETION_SCHEDULED',
      deletion: { requestedAt, effectiveAt },
      session: { id: user.sessionId },
    });
    expect(await world.stack.mailsTo(user.email)).toHaveLength(1);
    expect(await audited(user)).toMatchObject([
      { action: 'requestAccountDeletion', actor: { type: 'user', id: user.id } },
    ]);
  });

  test.each(['unverified', 'active', 'suspended'] as const)('is open to who is %s', async (state) => {
    const user = await market.user({ state });
    expect((await leave(user)).errors).toBeUndefined();
    expect((await stored(user))?.state).toBe('deletion_scheduled');
  });

  test('needs a sign-in of the last ten minutes', async () => {
    const user = await market.user();
    world.stack.advance(11 * minute);
    const { accessToken } = await renewed(user);
    expect(problemOf(await leave({ ...user, token: accessToken }))).toMatchObject({
      code: 'reauthentication_required',
      status: 401,
    });
    expect((await stored(user))?.state).toBe('active');
  });

  test('made for another version of the profile is refused', async () => {
    const user = await market.user();
    expect(problemOf(await leave(user, { expectedVersion: 7 }))).toMatchObject({
      code: 'precondition_failed',
    });
    expect((await leave(user, { expectedVersion: 1 })).errors).toBeUndefined();
  });

  test('once more is refused as everything else is while it is scheduled', async () => {
    const user = await market.user();
    await leave(user);
    expect(problemOf(await leave(user))).toMatchObject({ code: 'account_deletion_scheduled', status: 403 });
  });

  test('by twenty requests at once schedules it once: one mail, one line in the audit', async () => {
    const user = await market.user();
    const results = await Promise.all(Array.from({ length: 20 }, () => leave(user)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    const codes = results.filter(({ errors }) => errors).map((result) => problemOf(result).code);
    expect(codes.every((code) => ['invalid_transition', 'account_deletion_scheduled'].includes(code))).toBe(
      true,
    );
    expect(await world.stack.mailsTo(user.email)).toHaveLength(1);
    expect(await audited(user)).toHaveLength(1);
  });

  /** A new access token of the session; the sign-in is as old as it was. */
  async function renewed({ refreshToken }: SeededUser): Promise<{ accessToken: string }> {
    const { data } = await world.stack.execute(
      'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }',
      { input: { grantType: 'refresh_token', refreshToken } },
      { installation: market.installation },
    );
    return data?.issueToken.tokens;
  }
});

describe('what others rely on', () => {
  test('a dealer without another owner keeps its owner, who is told which one', async () => {
    const first = await market.dealer();
    await market.dealer({ owner: first.owner });
    const problem = problemOf(await leave(first.owner));
    expect(problem).toMatchObject({ code: 'open_obligations', status: 409 });
    expect(problem.obligations).toHaveLength(2);
    expect(problem.obligations).toContainEqual(
      expect.objectContaining({
        kind: 'sole_dealer_owner',
        id: first.id,
        detail: expect.stringMatching(/only owner/),
      }),
    );
    expect((await stored(first.owner))?.state).toBe('active');
  });

  test('an owner who leaves himself is no other owner', async () => {
    const second = await market.user();
    const dealer = await market.dealer({ members: [{ userId: second.id, role: 'owner' }] });
    expect((await leave(second)).errors).toBeUndefined();
    expect(problemOf(await leave(dealer.owner))).toMatchObject({ code: 'open_obligations' });
    await stay(second);
    expect((await leave(dealer.owner)).errors).toBeUndefined();
  });

  test('of all owners of a dealer who leave at once one stays', async () => {
    const others = await Promise.all(Array.from({ length: 9 }, () => market.user()));
    const dealer = await market.dealer({
      members: others.map(({ id }) => ({ userId: id, role: 'owner' as const })),
    });
    const results = await Promise.all([dealer.owner, ...others].map((owner) => leave(owner)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(9);
    expect(results.filter(({ errors }) => errors).map((result) => problemOf(result).code)).toEqual([
      'open_obligations',
    ]);
  });

  test('a closed dealer, or one that somebody else owns, keeps nobody', async () => {
    const dealer = await market.dealer();
    await scoped(DealerModel, market.installation.id).findOneAndUpdate(
      { _id: dealer.id },
      { $set: { state: 'closed' } },
    );
    expect((await leave(dealer.owner)).errors).toBeUndefined();
    const manager = await market.user();
    await market.dealer({ members: [{ userId: manager.id, role: 'manager' }] });
    expect((await leave(manager)).errors).toBeUndefined();
  });

  test('the last administrator stays, also of many who leave at once', async () => {
    const other = await world.neighbour();
    const administrators = await Promise.all(
      Array.from({ length: 5 }, () => other.staff('installation_admin')),
    );
    const results = await Promise.all(
      administrators.map(({ token }) =>
        world.stack.execute(request, { input: {} }, { as: token, installation: other.installation }),
      ),
    );
    expect(results.filter(({ errors }) => !errors)).toHaveLength(4);
    const [refused] = results.filter(({ errors }) => errors);
    expect(refused && problemOf(refused)).toMatchObject({ code: 'last_admin', status: 409 });
  });
});

describe('taking it back', () => {
  test('makes the account what it was, at once and with all its permissions, and says so', async () => {
    const user = await market.staff('support');
    await leave(user);
    const { data, errors } = await stay(user);
    expect(errors).toBeUndefined();
    expect(data?.updateMe.me).toMatchObject({ state: 'ACTIVE', deletion: null });
    expect(data?.updateMe.me.permissions).toContain('users:read');
    expect((await world.stack.mailsTo(user.email)).length).toBe(2);
    expect((await audited(user)).map(({ action }) => action)).toEqual([
      'requestAccountDeletion',
      'cancelDeletion',
    ]);
    world.stack.advance(31 * day);
    await world.stack.runJob('identity.account-deletions');
    expect((await stored(user))?.state).toBe('active');
  });

  test.each(['unverified', 'suspended'] as const)('is no way out of being %s', async (state) => {
    const user = await market.user({ state, emailVerified: state !== 'unverified' });
    await leave(user);
    expect((await stay(user)).data?.updateMe.me.state).toBe(state.toUpperCase());
  });

  test('is all that a profile takes while the deletion is scheduled', async () => {
    const user = await market.user();
    await leave(user);
    for (const input of [
      {},
      { displayName: 'x' },
      { cancelDeletion: true, displayName: 'x' },
      { cancelDeletion: false },
    ]) {
      expect(problemOf(await call(update, user, input))).toMatchObject({
        code: 'account_deletion_scheduled',
        status: 403,
      });
    }
    expect((await stored(user))?.state).toBe('deletion_scheduled');
  });

  test('made for another version is refused; for the right one it answers the version after it', async () => {
    const user = await market.user();
    await leave(user);
    expect(problemOf(await stay(user, { expectedVersion: 1 }))).toMatchObject({
      code: 'precondition_failed',
    });
    expect((await stay(user, { expectedVersion: 2 })).data?.updateMe.me).toMatchObject({
      state: 'ACTIVE',
      version: 3,
    });
  });

  test('by twenty requests at once happens once, and all of them are answered', async () => {
    const user = await market.user();
    await leave(user);
    const results = await Promise.all(Array.from({ length: 20 }, () => stay(user)));
    expect(results.map(({ data }) => data?.updateMe.me.state)).toEqual(
      Array.from({ length: 20 }, () => 'ACTIVE'),
    );
    expect(await world.stack.mailsTo(user.email)).toHaveLength(2);
    expect(await audited(user)).toHaveLength(2);
  });

  test('loses against the erasure, or wins: nobody is erased who was told that he stays', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => market.user()));
    for (const user of users) await leave(user);
    world.stack.advance(30 * day + 1);
    // Their tokens are long over; what races is the use case behind them.
    const fresh = await Promise.all(users.map((user) => signedIn(user)));
    const [results] = await Promise.all([
      Promise.all(fresh.map((user) => stay(user))),
      world.stack.runJob('identity.account-deletions'),
    ]);
    for (const [index, { errors }] of results.entries()) {
      const state = (await stored(users[index] as SeededUser))?.state;
      expect(state).toBe(errors ? 'deleted' : 'active');
    }
  });

  async function signedIn(user: SeededUser): Promise<SeededUser> {
    const record = await stored(user);
    if (!record) throw new Error('no such user');
    const { openSession } = await import('../session/openSession.ts');
    const context = world.stack.contextFor({ installation: market.installation });
    const { accessToken } = await openSession(context, record, { amr: ['pwd'] });
    return { ...user, token: accessToken };
  }
});
