import { concurrently } from '../../../../test/support/concurrently.ts';
import { signInAgain } from '../../../../test/support/people/signInAgain.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import type { Caller, SeededUser } from '../../../../test/support/seed.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { UserModel } from '../../people/user/model.ts';

const { market, stack } = product();
const day = 24 * 3_600_000;
let user: SeededUser;
beforeEach(async () => {
  user = await market.user();
});

const leave = (by: Caller = user) => by.requestAccountDeletion({});
const stay = (by: Caller = user) => by.updateMe({ cancelDeletion: true });
const stored = ({ id } = user) => market.records(UserModel).findOne({ _id: id });
const actions = async () => {
  const events = await market.audits({ 'target.id': user.id, result: 'allowed' });
  return events.map(({ action }) => action);
};
const twenty = <Answer>(call: () => Promise<Answer>) => concurrently(20, () => call());
const sole = [409, 'open_obligations'] as const;

test('a deletion is scheduled in 30 days with a mail and an audit event, and keeps the session', async () => {
  const { deletion } = await leave();
  const { requestedAt, effectiveAt } = deletion;
  expect(Date.parse(String(effectiveAt)) - Date.parse(String(requestedAt))).toBe(30 * day);
  const me = await user.me({}, 'state deletion { requestedAt effectiveAt } session { id }');
  expect(me).toEqual({ state: 'DELETION_SCHEDULED', deletion, session: { id: user.sessionId } });
  expect(await stack.mailsTo(user.email)).toHaveLength(1);
  expect(await actions()).toEqual(['requestAccountDeletion']);
});

test.each(['unverified', 'active', 'suspended'] as const)(
  'a user who is %s can request the deletion of the account once',
  async (state) => {
    user = await market.user({ state });
    expect(await leave()).not.toBeRefused();
    expect((await stored())?.state).toBe('deletion_scheduled');
    expect(await leave()).toBeRefused(403, 'account_deletion_scheduled');
  },
);

test('twenty concurrent requests schedule one deletion with one mail and one audit event', async () => {
  expect(await twenty(leave)).toBeRefusedTimes(19);
  expect(await stack.mailsTo(user.email)).toHaveLength(1);
  expect(await actions()).toHaveLength(1);
});

test('a deletion of the only owner of dealers is refused with each dealer', async () => {
  const { id, owner } = await market.dealer();
  await market.dealer({ owner });
  const obligation = { kind: 'sole_dealer_owner', id, detail: expect.stringMatching(/only owner/) };
  const obligations = expect.arrayContaining([expect.objectContaining(obligation)]);
  expect(await leave(owner)).toBeRefused(...sole, { obligations });
  expect(await leave(owner)).toBeRefused(...sole, { obligations: { length: 2 } });
  expect((await stored(owner))?.state).toBe('active');
});

test('an owner whose deletion is scheduled is not counted as a remaining owner', async () => {
  const { owner } = await market.dealer({ members: [{ userId: user.id, role: 'owner' }] });
  expect(await leave()).not.toBeRefused();
  expect(await leave(owner)).toBeRefused(...sole);
  await stay();
  expect(await leave(owner)).not.toBeRefused();
});

test('one of ten owners of a dealer who concurrently request the deletion is refused', async () => {
  const others = await concurrently(9, () => market.user());
  const members = others.map(({ id: userId }) => ({ userId, role: 'owner' as const }));
  const { owner } = await market.dealer({ members });
  expect(await Promise.all([owner, ...others].map(leave))).toBeRefusedTimes(1, ...sole);
});

test('the owner of a closed dealer and a manager can request the deletion', async () => {
  const { id: _id, owner } = await market.dealer({ members: [{ userId: user.id, role: 'manager' }] });
  expect(await leave()).not.toBeRefused();
  const closed = { $set: { state: 'closed' as const } };
  await market.records(DealerModel).findOneAndUpdate({ _id }, closed);
  expect(await leave(owner)).not.toBeRefused();
});

test('cancelling a deletion restores the account and its permissions, with a mail and an audit event', async () => {
  user = await market.staff('support');
  await leave();
  const { me } = await stay();
  expect(me).toMatchObject({ state: 'ACTIVE', deletion: null });
  expect(me.permissions).toContain('users:read');
  expect(await stack.mailsTo(user.email)).toHaveLength(2);
  expect(await actions()).toEqual(['requestAccountDeletion', 'cancelDeletion']);
  stack.advance(31 * day);
  await stack.runJob('identity.account-deletions');
  expect((await stored())?.state).toBe('active');
});

test.each(['unverified', 'suspended'] as const)(
  'cancelling a deletion returns the account to the state %s',
  async (state) => {
    user = await market.user({ state, emailVerified: state !== 'unverified' });
    await leave();
    expect((await stay()).me.state).toBe(state.toUpperCase());
  },
);

test('a scheduled deletion allows no other change of the profile', async () => {
  await leave();
  const cancelled = { cancelDeletion: true, displayName: 'x' };
  for (const input of [{}, { displayName: 'x' }, cancelled, { cancelDeletion: false }])
    expect(await user.updateMe(input)).toBeRefused(403, 'account_deletion_scheduled');
  expect((await stored())?.state).toBe('deletion_scheduled');
});

test('twenty concurrent cancellations of a deletion all succeed and take effect once', async () => {
  await leave();
  for (const answer of await twenty(stay)) expect(answer.me.state).toBe('ACTIVE');
  expect(await stack.mailsTo(user.email)).toHaveLength(2);
  expect(await actions()).toHaveLength(2);
});

test('an account whose cancellation is accepted during the erasure job is not erased', async () => {
  const users = await concurrently(8, () => market.user());
  await Promise.all(users.map(leave));
  stack.advance(30 * day + 1);
  const again = await Promise.all(users.map(signIn));
  const [answers] = await Promise.all([
    Promise.all(again.map(stay)),
    stack.runJob('identity.account-deletions'),
  ]);
  for (const [index, one] of users.entries())
    expect((await stored(one))?.state).toBe(isRefused(answers[index]) ? 'deleted' : 'active');
});

async function signIn(one: SeededUser): Promise<Caller> {
  const { accessToken } = await signInAgain({ stack, market }, one);
  return market.caller(accessToken);
}
