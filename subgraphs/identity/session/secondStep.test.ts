import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { activateFactor, enrollFactor, leaveTime } from '../../../test/support/secondFactor.ts';
import {
  openTokenEndpoint,
  goodPassword as password,
  type TokenEndpoint,
  tokensOf,
} from '../../../test/support/tokenEndpoint.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { open } from '../../platform/secrets/seal.ts';
import { MailModel } from '../mail/model.ts';
import { encodeMfaToken } from '../mfa-factor/mfaToken.ts';
import { hashPassword } from '../user/hashPassword.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
const minute = 60_000;

let endpoint: TokenEndpoint;

beforeAll(async () => {
  endpoint = openTokenEndpoint(world.stack, market);
});

async function guarded() {
  const user = await market.user({ password });
  const factor = await activateFactor({ ...market, stack: world.stack, as: user });
  return { user, ...factor, otp: (steps = 0) => factor.app.code(world.stack.platform.now(), steps) };
}

const wrong = (member: 'otp' | 'recoveryCode' | 'mfaToken') => ({
  code: 'invalid_credentials',
  status: 401,
  error: 'invalid_grant',
  errors: [{ pointer: `#/${member}` }],
});

describe('the first step', () => {
  test('of an account with a second factor gives no tokens, but what the second step needs', async () => {
    const { user, factorId } = await guarded();
    const problem = problemOf(await endpoint.firstStep(user)) as unknown as Record<string, unknown>;
    expect(problem).toMatchObject({
      code: 'mfa_required',
      status: 401,
      error: 'invalid_grant',
      challenge: 'error="insufficient_user_authentication", acr_values="mfa"',
      mfaExpiresIn: 300,
      factors: [{ id: factorId, label: 'Phone', type: 'totp' }],
    });
    expect(problem.mfaToken).toMatch(/^[\w-]+\.[\w-]{43}$/);
  });

  test('is the whole of it while the factor is not verified', async () => {
    const user = await market.user({ password });
    await enrollFactor({ ...market, stack: world.stack, as: user });
    expect(tokensOf(await endpoint.firstStep(user)).sessionId).toMatch(/^ses_/);
  });

  test('with a wrong password tells nothing of factors', async () => {
    const { user } = await guarded();
    const problem = problemOf(
      await endpoint.issue({ grantType: 'password', username: user.email, password: 'wrong' }),
    );
    expect(problem).toMatchObject({ code: 'invalid_credentials' });
    expect(problem).not.toHaveProperty('factors');
  });
});

describe('the second step', () => {
  test.each([-1, 0, 1])('by a code %i steps away signs in with both methods', async (steps) => {
    const { user, otp } = await guarded();
    // The step before was used up by the verification.
    world.stack.advance(minute);
    const token = await endpoint.mfaTokenOf(user);
    leaveTime(world.stack);
    const tokens = tokensOf(await endpoint.secondStep(token, { otp: otp(steps) }));
    expect(await endpoint.sessionOf(tokens.accessToken)).toMatchObject({
      id: tokens.sessionId,
      amr: ['pwd', 'otp'],
    });
    const [, payload = ''] = tokens.accessToken.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      amr: ['pwd', 'otp'],
      acr: 'mfa',
    });
  });

  test('takes the code of any factor', async () => {
    const { user } = await guarded();
    const { app } = await activateFactor({ ...market, stack: world.stack, as: user }, 'Tablet');
    const code = app.code(world.stack.platform.now());
    expect(
      tokensOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: code })).sessionId,
    ).toMatch(/^ses_/);
  });

  test('takes no code twice, and none of the step that verified the factor', async () => {
    const { user, otp } = await guarded();
    expect(
      problemOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: otp(-1) })),
    ).toMatchObject(wrong('otp'));
    const code = otp();
    tokensOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: code }));
    expect(
      problemOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: code })),
    ).toMatchObject(wrong('otp'));
    expect(
      tokensOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: otp(1) })).sessionId,
    ).toMatch(/^ses_/);
  });

  test('with one code by many at once signs in exactly one', async () => {
    const { user, otp } = await guarded();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => endpoint.mfaTokenOf(user)));
    const code = otp();
    const results = await Promise.all(tokens.map((token) => endpoint.secondStep(token, { otp: code })));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
  });

  test('uses the token up, whatever code comes next', async () => {
    const { user, otp, recoveryCodes } = await guarded();
    const token = await endpoint.mfaTokenOf(user);
    tokensOf(await endpoint.secondStep(token, { otp: otp() }));
    expect(problemOf(await endpoint.secondStep(token, { otp: otp(1) }))).toMatchObject(wrong('mfaToken'));
    const [recoveryCode] = recoveryCodes;
    expect(problemOf(await endpoint.secondStep(token, { recoveryCode }))).toMatchObject(wrong('mfaToken'));
  });

  test('leaves the token good after a wrong code', async () => {
    const { user, otp, app } = await guarded();
    const token = await endpoint.mfaTokenOf(user);
    const bad = { otp: app.wrongCode(world.stack.platform.now()) };
    expect(problemOf(await endpoint.secondStep(token, bad))).toMatchObject(wrong('otp'));
    expect(tokensOf(await endpoint.secondStep(token, { otp: otp() })).sessionId).toMatch(/^ses_/);
  });

  test('is over after five minutes, and with the password or the factor that began it', async () => {
    const { user, otp, factorId } = await guarded();
    const late = await endpoint.mfaTokenOf(user);
    world.stack.advance(5 * minute + 1);
    expect(problemOf(await endpoint.secondStep(late, { otp: otp() }))).toMatchObject(wrong('mfaToken'));
    const users = scoped(UserModel, market.installation.id);
    const begun = await endpoint.mfaTokenOf(user);
    const passwordHash = await hashPassword(world.stack.platform.secrets, 'another-9-violin');
    const before = await users.findOne({ _id: user.id });
    await users.findOneAndUpdate({ _id: user.id }, { $set: { passwordHash } });
    expect(problemOf(await endpoint.secondStep(begun, { otp: otp() }))).toMatchObject(wrong('mfaToken'));
    await users.findOneAndUpdate(
      { _id: user.id },
      { $set: { passwordHash: before?.passwordHash ?? '' }, $pull: { factors: { id: factorId } } },
    );
    expect(problemOf(await endpoint.secondStep(begun, { otp: otp() }))).toMatchObject(wrong('mfaToken'));
  });

  test('is refused to another application, to another installation, and to a token of one’s own making', async () => {
    const { user, otp } = await guarded();
    const token = await endpoint.mfaTokenOf(user, { clientId: 'ios-app' });
    const code = { otp: otp() };
    const elsewhere = await world.neighbour();
    const [body = '', seal = ''] = token.split('.');
    const members = JSON.parse(Buffer.from(body, 'base64url').toString());
    const [id, userId, installationId, clientId, method, authTime, passwordVersion, expiresAt] = members;
    const forged = { id, userId, installationId, clientId, method, authTime, passwordVersion, expiresAt };
    const strange = encodeMfaToken(Buffer.alloc(32, 1), forged);
    const unchanged = encodeMfaToken(world.stack.platform.secrets.derive('mfaToken'), forged);
    expect(unchanged).toBe(token);
    const later = Buffer.from(JSON.stringify([...members.slice(0, -1), expiresAt + 1])).toString('base64url');
    for (const [text, client, at] of [
      [token, 'web-app', market],
      [token, undefined, market],
      [token, 'ios-app', elsewhere],
      [strange, 'ios-app', market],
      [`${later}.${seal}`, 'ios-app', market],
      [`${token}=`, 'ios-app', market],
      [`${token}.x`, 'ios-app', market],
      [body, 'ios-app', market],
      ['x'.repeat(5000), 'ios-app', market],
    ] as const) {
      const answer = await endpoint.secondStep(
        text,
        { ...code, ...(client ? { clientId: client } : {}) },
        at,
      );
      expect(problemOf(answer)).toMatchObject(wrong('mfaToken'));
    }
    const signedIn = tokensOf(await endpoint.secondStep(token, { ...code, clientId: 'ios-app' }));
    expect(signedIn.sessionId).toMatch(/^ses_/);
  });

  test.each([
    ['without a code', {}],
    ['with two of them', { otp: '123456', recoveryCode: 'ABCD-EFGH-JKMN' }],
  ])('%s is no valid request', async (_, codes) => {
    const { user } = await guarded();
    expect(problemOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), codes))).toMatchObject({
      code: 'validation_failed',
      status: 422,
      error: 'invalid_request',
      errors: [{ pointer: '#/otp' }],
    });
    expect(
      problemOf(await endpoint.issue({ grantType: 'urn:marketplace:mfa-otp', otp: '123456' })),
    ).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/mfaToken' }],
    });
  });

  test('is slowed down after five wrong codes in five minutes, also if they come all at once, and not for good', async () => {
    const { user, otp, app } = await guarded();
    const tokens = [await endpoint.mfaTokenOf(user), await endpoint.mfaTokenOf(user)];
    const bad = { otp: app.wrongCode(world.stack.platform.now()) };
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => endpoint.secondStep(tokens[index % 2], bad)),
    );
    expect(guesses.filter((guess) => problemOf(guess).code === 'invalid_credentials')).toHaveLength(5);
    const slowed = problemOf(await endpoint.secondStep(tokens[0], { otp: otp() }));
    expect(slowed).toMatchObject({ code: 'too_many_attempts', status: 429 });
    expect(slowed.retryAfter).toBeGreaterThan(0);
    world.stack.advance(5 * minute);
    expect(
      tokensOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: otp() })).sessionId,
    ).toMatch(/^ses_/);
  });
});

test('fifty wrong codes in a day are enough, until the password is another one', async () => {
  const { user, otp, app } = await guarded();
  for (let round = 0; round < 10; round += 1) {
    const mfaToken = await endpoint.mfaTokenOf(user);
    const bad = { otp: app.wrongCode(world.stack.platform.now()) };
    for (let guess = 0; guess < 5; guess += 1)
      expect(problemOf(await endpoint.secondStep(mfaToken, bad)).code).toBe('invalid_credentials');
    world.stack.advance(5 * minute + 1);
  }
  const slowed = problemOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: otp() }));
  expect(slowed).toMatchObject({ code: 'too_many_attempts' });
  expect(slowed.retryAfter).toBeGreaterThan(22 * 3600);
  world.stack.advance(5 * minute);
  const passwordHash = await hashPassword(world.stack.platform.secrets, 'another-9-violin');
  await scoped(UserModel, market.installation.id).findOneAndUpdate(
    { _id: user.id },
    { $set: { passwordHash } },
  );
  const renewed = await endpoint.mfaTokenOf(user, { password: 'another-9-violin' });
  expect(tokensOf(await endpoint.secondStep(renewed, { otp: otp() })).sessionId).toMatch(/^ses_/);
});

describe('a recovery code', () => {
  test('stands for a lost factor once, however it is written, and the user is told how many are left', async () => {
    const { user, recoveryCodes } = await guarded();
    const [first = '', second = ''] = recoveryCodes;
    const written = ` ${first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`;
    const tokens = tokensOf(
      await endpoint.secondStep(await endpoint.mfaTokenOf(user), { recoveryCode: written }),
    );
    expect(await endpoint.sessionOf(tokens.accessToken)).toMatchObject({ amr: ['pwd', 'otp'] });
    expect(
      problemOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { recoveryCode: first })),
    ).toMatchObject(wrong('recoveryCode'));
    tokensOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { recoveryCode: second }));
    const mails = await scoped(MailModel, market.installation.id).find(
      { to: user.email, template: 'recoveryCodeUsed' },
      { sort: { createdAt: 1, _id: 1 } },
    );
    const key = world.stack.platform.secrets.derive('mail');
    const left = mails.map(({ _id, sealedData }) =>
      JSON.parse(open(key, sealedData ?? '', _id)?.toString() ?? 'null'),
    );
    expect(new Set(left.map((data) => data.left))).toEqual(new Set(['9', '8']));
  });

  test('used by many at once signs in exactly one', async () => {
    const { user, recoveryCodes } = await guarded();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => endpoint.mfaTokenOf(user)));
    const [recoveryCode] = recoveryCodes;
    const results = await Promise.all(tokens.map((token) => endpoint.secondStep(token, { recoveryCode })));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result).code).toMatch(/^(invalid_credentials|concurrent_update)$/);
  });

  test('of somebody else is none', async () => {
    const [one, other] = [await guarded(), await guarded()];
    const [recoveryCode] = other.recoveryCodes;
    for (const code of [recoveryCode, 'ABCD-EFGH-JKMN', 'x', '💥'.repeat(100)])
      expect(
        problemOf(await endpoint.secondStep(await endpoint.mfaTokenOf(one.user), { recoveryCode: code })),
      ).toMatchObject(wrong('recoveryCode'));
  });
});
