import { URI } from 'otpauth';
import { type Authenticator, openAuthenticator } from '../../../test/support/authenticator.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { leaveTime } from '../../../test/support/secondFactor.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { ExecutionModel } from '../../platform/idempotency/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MailModel } from '../mail/model.ts';
import { openSession } from '../session/openSession.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
const minute = 60_000;

const factor = 'factor { id type label state createdAt }';
const documents = {
  enrollMfaFactor: `enrollment { ${factor} secret otpauthUri expiresAt }`,
  verifyMfaFactor: `${factor} recoveryCodes`,
} as const;

const run = (field: keyof typeof documents, input: object, { token }: SeededUser, at = market) => {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const source = `mutation ($input: ${type}) { ${field}(input: $input) { ${documents[field]} } }`;
  return world.stack.execute(source, { input }, { as: token, installation: at.installation });
};
const dataOf = (result: Awaited<ReturnType<typeof run>>) => {
  if (result.errors) throw result.errors[0];
  return Object.values(result.data ?? {})[0];
};
const mfaOf = async ({ token }: SeededUser) => {
  const source = '{ me { mfa { enabled requiredByRole factors { id state } recoveryCodesLeft } } }';
  const { data } = await world.stack.execute(source, {}, { as: token, installation: market.installation });
  return data?.me.mfa;
};
const stored = ({ id }: SeededUser) => scoped(UserModel, market.installation.id).findOne({ _id: id });
const mailsTo = async ({ email }: SeededUser) => {
  const mails = await scoped(MailModel, market.installation.id).find({ to: email }, { sort: { _id: 1 } });
  return mails.map(({ template }) => template);
};

interface Enrolled {
  id: string;
  app: Authenticator;
}

async function enroll(user: SeededUser, label = 'Phone'): Promise<Enrolled> {
  const { enrollment } = dataOf(await run('enrollMfaFactor', { label }, user));
  return { id: enrollment.factor.id, app: openAuthenticator(enrollment.secret) };
}

/** Another session of the same user, of this moment. */
async function signInElsewhere(user: SeededUser): Promise<SeededUser> {
  const record = await stored(user);
  if (!record) throw new Error('This user is not stored.');
  const context = world.stack.contextFor({ installation: market.installation });
  const { accessToken, sessionId } = await openSession(context, record, { amr: ['pwd'] });
  return { ...user, token: accessToken, sessionId };
}

const verify = (user: SeededUser, { id, app }: Enrolled, otp = app.code(world.stack.platform.now())) =>
  run('verifyMfaFactor', { factorId: id, otp }, user);

describe('enrolling', () => {
  test('shows the secret once, as text and as the address of a QR code, and seals it', async () => {
    const user = await market.user();
    const { enrollment } = dataOf(await run('enrollMfaFactor', { label: ' Phone ' }, user));
    expect(enrollment.factor).toMatchObject({ type: 'TOTP', label: 'Phone', state: 'UNVERIFIED' });
    expect(enrollment.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Date(enrollment.expiresAt).getTime() - new Date(enrollment.factor.createdAt).getTime()).toBe(
      10 * minute,
    );
    const read = URI.parse(enrollment.otpauthUri);
    expect(read).toMatchObject({
      issuer: market.installation.name,
      label: user.email,
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    });
    expect(read.secret.base32).toBe(enrollment.secret);
    expect(JSON.stringify(await stored(user))).not.toContain(enrollment.secret);
    expect(await mfaOf(user)).toEqual({
      enabled: false,
      requiredByRole: false,
      factors: [{ id: enrollment.factor.id, state: 'UNVERIFIED' }],
      recoveryCodesLeft: 0,
    });
  });

  test.each([
    ['', 'an empty one'],
    ['   ', 'a blank one'],
    ['x'.repeat(61), 'a long one'],
    ['Ph\u202eone', 'one that turns its direction'],
  ])('refuses the label %j: %s', async (label) => {
    const user = await market.user();
    expect(problemOf(await run('enrollMfaFactor', { label }, user))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/label' }],
    });
  });

  test('needs a sign-in of the last ten minutes', async () => {
    const user = await market.user();
    world.stack.advance(9 * minute);
    expect((await run('enrollMfaFactor', { label: 'Phone' }, user)).errors).toBeUndefined();
    const late = await world.stack.signIn({ installation: market.installation, signedInSecondsAgo: 601 });
    expect(problemOf(await run('enrollMfaFactor', { label: 'Phone' }, late as never))).toMatchObject({
      code: 'reauthentication_required',
      status: 401,
      challenge: 'error="insufficient_user_authentication", max_age=600',
    });
  });

  test('ends at five factors, also when twenty are asked for at once', async () => {
    const user = await market.user();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => run('enrollMfaFactor', { label: `Phone ${index}` }, user)),
    );
    const refused = results.filter(({ errors }) => errors).map(problemOf);
    expect(refused).toHaveLength(15);
    for (const problem of refused) expect(problem).toMatchObject({ code: 'factor_limit', status: 409 });
    expect((await stored(user))?.factors).toHaveLength(5);
  });

  test('makes room by forgetting what was not verified for ten minutes', async () => {
    const user = await market.user();
    const old = await enroll(user);
    for (let index = 0; index < 4; index += 1) await enroll(user);
    expect(problemOf(await run('enrollMfaFactor', { label: 'x' }, user))).toMatchObject({
      code: 'factor_limit',
    });
    world.stack.advance(10 * minute);
    const later = await signInElsewhere(user);
    expect((await mfaOf(later)).factors).toEqual([]);
    expect(problemOf(await verify(later, old))).toMatchObject({ code: 'not_found', status: 404 });
    await enroll(later);
    expect((await stored(user))?.factors).toHaveLength(1);
  });

  test('answers again under its key until it is verified, and keeps no secret for that', async () => {
    const user = await market.user();
    const input = { label: 'Phone', idempotencyKey: 'k1' };
    const first = dataOf(await run('enrollMfaFactor', input, user)).enrollment;
    expect(dataOf(await run('enrollMfaFactor', input, user)).enrollment).toEqual(first);
    expect((await stored(user))?.factors).toHaveLength(1);
    const kept = await scoped(ExecutionModel, market.installation.id).find({});
    expect(kept.map(({ payload }) => payload)).toContainEqual({ factorId: first.factor.id });
    expect(JSON.stringify(kept)).not.toContain(first.secret);
    expect(problemOf(await run('enrollMfaFactor', { ...input, label: 'Other' }, user))).toMatchObject({
      code: 'idempotency_key_reused',
    });
    await verify(user, { id: first.factor.id, app: openAuthenticator(first.secret) });
    expect(problemOf(await run('enrollMfaFactor', input, user))).toMatchObject({
      code: 'invalid_transition',
    });
  });
});

describe('verifying', () => {
  test('by the code of another implementation makes the factor count, with ten recovery codes', async () => {
    const user = await market.user();
    const enrolled = await enroll(user);
    const verified = dataOf(await verify(user, enrolled));
    expect(verified.factor).toMatchObject({ id: enrolled.id, state: 'ACTIVE' });
    expect(new Set(verified.recoveryCodes).size).toBe(10);
    for (const code of verified.recoveryCodes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    const record = JSON.stringify(await stored(user));
    for (const code of verified.recoveryCodes) expect(record).not.toContain(code);
    expect(await mfaOf(user)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
    expect(await mailsTo(user)).toEqual(['mfaFactorAdded']);
    expect(
      await scoped(AuditEventModel, market.installation.id).findOne({ 'target.id': enrolled.id }),
    ).toMatchObject({ action: 'verifyMfaFactor', actor: { type: 'user', id: user.id }, result: 'allowed' });
  });

  test.each([-1, 0, 1])('takes a code %i steps away', async (steps) => {
    const user = await market.user();
    const enrolled = await enroll(user);
    const { code } = enrolled.app;
    leaveTime(world.stack);
    expect((await verify(user, enrolled, code(world.stack.platform.now(), steps))).errors).toBeUndefined();
  });

  test.each([
    ['two steps ago', ({ code }: Authenticator) => code(world.stack.platform.now(), -2)],
    ['two steps ahead', ({ code }: Authenticator) => code(world.stack.platform.now(), 2)],
    ['with a letter', () => '12345x'],
    ['with five digits', () => '12345'],
    ['in other digits', () => '١٢٣٤٥٦'],
    ['of nothing', () => ''],
  ])('refuses a code %s', async (_, otpOf) => {
    const user = await market.user();
    const enrolled = await enroll(user);
    expect(problemOf(await verify(user, enrolled, otpOf(enrolled.app)))).toMatchObject({
      code: 'otp_invalid',
      status: 422,
      errors: [{ pointer: '#/otp' }],
    });
    expect((await mfaOf(user)).enabled).toBe(false);
  });

  test('gives recovery codes for the first factor only, also when two are verified at once', async () => {
    const user = await market.user();
    const [one, two] = [await enroll(user), await enroll(user)];
    const both = (await Promise.all([verify(user, one), verify(user, two)])).map(dataOf);
    expect(both.filter(({ recoveryCodes }) => recoveryCodes !== null)).toHaveLength(1);
    expect((await mfaOf(user)).recoveryCodesLeft).toBe(10);
    const third = dataOf(await verify(user, await enroll(user)));
    expect(third.recoveryCodes).toBeNull();
  });

  test('is over once it is done, also when it is asked for four times at once', async () => {
    const user = await market.user();
    const enrolled = await enroll(user);
    const results = await Promise.all(Array.from({ length: 4 }, () => verify(user, enrolled)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result).code).toMatch(/^(invalid_transition|concurrent_update)$/);
    expect(problemOf(await verify(user, enrolled))).toMatchObject({
      code: 'invalid_transition',
      status: 409,
    });
    expect(await mailsTo(user)).toEqual(['mfaFactorAdded']);
  });

  test('is slowed down after five wrong codes in five minutes, made one by one or all at once', async () => {
    const user = await market.user();
    const enrolled = await enroll(user);
    const wrong = enrolled.app.wrongCode(world.stack.platform.now());
    const results = await Promise.all(Array.from({ length: 12 }, () => verify(user, enrolled, wrong)));
    const codes = results.map((result) => problemOf(result).code);
    expect(codes.filter((code) => code === 'otp_invalid')).toHaveLength(5);
    const slowed = problemOf(await verify(user, enrolled));
    expect(slowed).toMatchObject({ code: 'too_many_attempts', status: 429 });
    expect(slowed.retryAfter).toBeLessThanOrEqual(300);
    expect((await mfaOf(user)).enabled).toBe(false);
    world.stack.advance(5 * minute + 1000);
    expect((await verify(user, enrolled)).errors).toBeUndefined();
  });

  test('of somebody else’s factor is refused, and of none not found', async () => {
    const [user, other] = [await market.user(), await market.user()];
    const enrolled = await enroll(user);
    expect(problemOf(await verify(other, enrolled))).toMatchObject({
      code: 'ownership_required',
      status: 403,
    });
    for (const id of ['mfa_01J00000000000000000000000', user.id])
      expect(problemOf(await verify(user, { ...enrolled, id }))).toMatchObject({ code: 'not_found' });
    const elsewhere = await world.neighbour();
    const stranger = await elsewhere.user();
    const input = { factorId: enrolled.id, otp: '123456' };
    expect(problemOf(await run('verifyMfaFactor', input, stranger, elsewhere))).toMatchObject({
      code: 'not_found',
    });
  });
});
