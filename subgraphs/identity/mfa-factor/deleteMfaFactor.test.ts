import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { activateFactor, enrollFactor } from '../../../test/support/secondFactor.ts';
import { type SeededUser, seed } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MailModel } from '../mail/model.ts';
import { openSession } from '../session/openSession.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
const source = 'mutation ($input: DeleteMfaFactorInput!) { deleteMfaFactor(input: $input) { id } }';
const remove = (user: SeededUser, factorId: string, at = market) =>
  world.stack.execute(source, { input: { factorId } }, { ...at, as: user.token });
const mfaOf = async ({ token }: SeededUser) => {
  const me = '{ me { mfa { enabled factors { id } recoveryCodesLeft } } }';
  return (await world.stack.execute(me, {}, { ...market, as: token })).data?.me.mfa;
};
const isLive = async ({ token }: SeededUser) =>
  !(await world.stack.execute('{ me { id } }', {}, { ...market, as: token })).errors;
const mailsTo = async ({ email }: SeededUser) => {
  const mails = await scoped(MailModel, market.installation.id).find({ to: email }, { sort: { _id: 1 } });
  return mails.map(({ template }) => template);
};

/** Another session of the same user. */
async function signInElsewhere(user: SeededUser): Promise<SeededUser> {
  const record = await scoped(UserModel, market.installation.id).findOne({ _id: user.id });
  if (!record) throw new Error('This user is not stored.');
  const { accessToken, sessionId } = await openSession(world.stack.contextFor(market), record, {
    amr: ['pwd'],
  });
  return { ...user, token: accessToken, sessionId };
}

test('one of two keeps the recovery codes, the last takes them along; the other sessions end', async () => {
  const user = await market.user();
  const enrolling = { ...market, stack: world.stack, as: user };
  const [one, two] = [await activateFactor(enrolling), await activateFactor(enrolling)];
  const elsewhere = await signInElsewhere(user);
  expect((await remove(user, one.factorId)).data).toEqual({ deleteMfaFactor: { id: one.factorId } });
  expect([await isLive(user), await isLive(elsewhere)]).toEqual([true, false]);
  expect(await mfaOf(user)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
  expect((await remove(user, two.factorId)).errors).toBeUndefined();
  expect(await mfaOf(user)).toEqual({ enabled: false, factors: [], recoveryCodesLeft: 0 });
  expect(await mailsTo(user)).toEqual([
    'mfaFactorAdded',
    'mfaFactorAdded',
    'mfaFactorRemoved',
    'mfaFactorRemoved',
  ]);
  const events = await scoped(AuditEventModel, market.installation.id).find({ action: 'deleteMfaFactor' });
  expect(new Set(events.map(({ target }) => target?.id))).toEqual(new Set([one.factorId, two.factorId]));
  expect(problemOf(await remove(user, two.factorId))).toMatchObject({ code: 'not_found', status: 404 });
});

test('one that never counted ends no session and is told nobody', async () => {
  const user = await market.user();
  const elsewhere = await signInElsewhere(user);
  const { factorId } = await enrollFactor({ ...market, stack: world.stack, as: user });
  expect((await remove(user, factorId)).errors).toBeUndefined();
  expect(await isLive(elsewhere)).toBe(true);
  expect(await mailsTo(user)).toEqual([]);
});

test('needs a sign-in of the last ten minutes, and to be one’s own', async () => {
  const [user, other] = [await market.user(), await market.user()];
  const { factorId } = await enrollFactor({ ...market, stack: world.stack, as: user });
  expect(problemOf(await remove(other, factorId))).toMatchObject({ code: 'ownership_required' });
  world.stack.advance(9 * 60_000);
  const kept = await activateFactor({ ...market, stack: world.stack, as: user });
  world.stack.advance(61_000);
  expect(problemOf(await remove(user, kept.factorId))).toMatchObject({
    code: 'reauthentication_required',
    challenge: 'error="insufficient_user_authentication", max_age=600',
  });
});

test('the last one is refused to whose role demands one, also when both last ones go at once', async () => {
  const strict = await seed(world.stack).installation({ settings: { mfaRequiredRoles: ['moderator'] } });
  const user = await strict.user({ roles: ['buyer', 'moderator'] });
  const enrolling = { ...strict, stack: world.stack, as: user };
  const both = [await activateFactor(enrolling), await activateFactor(enrolling)];
  const results = await Promise.all(both.map(({ factorId }) => remove(user, factorId, strict)));
  const refused = results.filter(({ errors }) => errors).map(problemOf);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.code).toMatch(/^(mfa_required_by_role|concurrent_update)$/);
  const record = await scoped(UserModel, strict.installation.id).findOne({ _id: user.id });
  expect(record?.factors).toHaveLength(1);
  const last = record?.factors[0]?.id ?? '';
  expect(problemOf(await remove(user, last, strict))).toMatchObject({
    code: 'mfa_required_by_role',
    status: 409,
  });
});
