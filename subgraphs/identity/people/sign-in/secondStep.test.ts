import { decodeJwt } from 'jose';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { activateFactor, enrollFactor, leaveTime } from '../../../../test/support/people/secondFactor.ts';
import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused, type Refusal } from '../../../../test/support/Refusal.ts';
import { encodeMfaToken } from '../mfa-factor/mfaToken.ts';
import { hashPassword } from '../user/hashPassword.ts';
import { UserModel } from '../user/model.ts';

const { market, neighbour, stack } = product();
const minute = 60_000;
const grantType = 'urn:marketplace:mfa-otp';

async function guarded() {
  const user = await market.user({ password });
  const factor = await activateFactor({ ...market, stack, as: user });
  const { app } = factor;
  return {
    ...factor,
    user,
    otp: (steps = 0) => app.code(stack.platform.now(), steps),
    wrongOtp: () => app.wrongCode(stack.platform.now()),
    mfaToken: (more?: object) => mfaTokenOf(user.email, more),
  };
}

const firstStep = (username: string, more = {}) =>
  market.visitor.issueToken({ grantType: 'password', username, password, ...more });
const secondStep = (mfaToken: string, code: object, { visitor } = market) =>
  visitor.issueToken({ grantType, mfaToken, ...code });
/** The token that a first step returns for the second one. */
async function mfaTokenOf(username: string, more = {}): Promise<string> {
  const refusal: unknown = await firstStep(username, more);
  return String((refusal as Refusal).problem?.mfaToken);
}
const users = () => market.records(UserModel);
const setPassword = async (_id: string, text: string) => {
  const passwordHash = await hashPassword(stack.platform.secrets, text);
  await users().findOneAndUpdate({ _id }, { $set: { passwordHash } });
};
const wrong = (member: 'otp' | 'recoveryCode' | 'mfaToken') =>
  [401, 'invalid_credentials', { error: 'invalid_grant', errors: [{ pointer: `#/${member}` }] }] as const;

test('the first step of an account with a second factor returns a token for the second step', async () => {
  const { user, factorId } = await guarded();
  expect(await firstStep(user.email)).toBeRefused(401, 'mfa_required', {
    error: 'invalid_grant',
    challenge: 'error="insufficient_user_authentication", acr_values="mfa"',
    mfaExpiresIn: 300,
    mfaToken: expect.stringMatching(/^[\w-]+\.[\w-]{43}$/),
    factors: [{ id: factorId, label: 'Phone', type: 'totp' }],
  });
});

test('an account whose factor is not verified can sign in with the password alone', async () => {
  const user = await market.user({ password });
  await enrollFactor({ ...market, stack, as: user });
  expect(await firstStep(user.email)).not.toBeRefused();
});

test('a first step with a wrong password reveals no factors', async () => {
  const { user } = await guarded();
  const refused: unknown = await firstStep(user.email, { password: 'wrong' });
  expect(refused).toBeRefused(401, 'invalid_credentials');
  expect((refused as Refusal).problem).not.toHaveProperty('factors');
});

test.each([-1, 0, 1])('a code that is %i steps away signs in with both methods', async (steps) => {
  const { otp, mfaToken } = await guarded();
  // The verification has used the step before.
  stack.advance(minute);
  const token = await mfaToken();
  leaveTime(stack);
  const { tokens } = await secondStep(token, { otp: otp(steps) });
  const { sessionId } = tokens;
  expect(decodeJwt(tokens.accessToken)).toMatchObject({ sid: sessionId, amr: ['pwd', 'otp'], acr: 'mfa' });
});

test('a code of any verified factor can be used to sign in', async () => {
  const { user, mfaToken } = await guarded();
  const { app } = await activateFactor({ ...market, stack, as: user }, 'Tablet');
  const otp = app.code(stack.platform.now());
  expect(await secondStep(await mfaToken(), { otp })).not.toBeRefused();
});

test('a code is refused when it is used again, and so is one of the step that verified the factor', async () => {
  const { otp, mfaToken } = await guarded();
  expect(await secondStep(await mfaToken(), { otp: otp(-1) })).toBeRefused(...wrong('otp'));
  const code = { otp: otp() };
  expect(await secondStep(await mfaToken(), code)).not.toBeRefused();
  expect(await secondStep(await mfaToken(), code)).toBeRefused(...wrong('otp'));
  expect(await secondStep(await mfaToken(), { otp: otp(1) })).not.toBeRefused();
});

test.each(['otp', 'recoveryCode'] as const)(
  'one of five concurrent second steps with the same %s succeeds',
  async (by) => {
    const { otp, recoveryCodes, mfaToken } = await guarded();
    const tokens = await concurrently(5, () => mfaToken());
    const code = { [by]: by === 'otp' ? otp() : recoveryCodes[0] };
    const answers = await Promise.all(tokens.map((token) => secondStep(token, code)));
    const refusals: unknown[] = answers.filter(isRefused);
    expect(refusals).toHaveLength(4);
    for (const refusal of refusals)
      expect((refusal as Refusal).problem?.code).toMatch(/^(invalid_credentials|concurrent_update)$/);
  },
);

test('the token of the first step is valid after a wrong code and consumed by a correct one', async () => {
  const { otp, wrongOtp, recoveryCodes, mfaToken } = await guarded();
  const token = await mfaToken();
  expect(await secondStep(token, { otp: wrongOtp() })).toBeRefused(...wrong('otp'));
  expect(await secondStep(token, { otp: otp() })).not.toBeRefused();
  const [recoveryCode] = recoveryCodes;
  for (const next of [{ otp: otp(1) }, { recoveryCode }])
    expect(await secondStep(token, next)).toBeRefused(...wrong('mfaToken'));
});

test('the token of the first step is invalid after 5 minutes, a change of the password or without its factor', async () => {
  const { user, otp, factorId, mfaToken } = await guarded();
  const late = await mfaToken();
  stack.advance(5 * minute + 1);
  expect(await secondStep(late, { otp: otp() })).toBeRefused(...wrong('mfaToken'));
  const begun = await mfaToken();
  const passwordHash = (await users().findOne({ _id: user.id }))?.passwordHash ?? '';
  await setPassword(user.id, 'another-9-violin');
  expect(await secondStep(begun, { otp: otp() })).toBeRefused(...wrong('mfaToken'));
  const withoutFactor = { $set: { passwordHash }, $pull: { factors: { id: factorId } } };
  await users().findOneAndUpdate({ _id: user.id }, withoutFactor);
  expect(await secondStep(begun, { otp: otp() })).toBeRefused(...wrong('mfaToken'));
});

test('the token of the first step is refused for another client or installation and if it is changed', async () => {
  const { otp, mfaToken } = await guarded();
  const token = await mfaToken({ clientId: 'ios-app' });
  const code = { otp: otp(), clientId: 'ios-app' };
  const [body = '', seal = ''] = token.split('.');
  const members = JSON.parse(Buffer.from(body, 'base64url').toString());
  const [id, userId, installationId, clientId, method, authTime, passwordVersion, expiresAt] = members;
  const facts = { id, userId, installationId, clientId, method, authTime, passwordVersion, expiresAt };
  expect(encodeMfaToken(stack.platform.secrets.derive('mfaToken'), facts)).toBe(token);
  const signedByOther = encodeMfaToken(Buffer.alloc(32, 1), facts);
  const later = Buffer.from(JSON.stringify([...members.slice(0, -1), expiresAt + 1])).toString('base64url');
  const changed = [`${later}.${seal}`, `${token}=`, `${token}.x`, body, 'x'.repeat(5000)];
  for (const text of [signedByOther, ...changed])
    expect(await secondStep(text, code)).toBeRefused(...wrong('mfaToken'));
  for (const client of ['web-app', undefined])
    expect(await secondStep(token, { ...code, clientId: client })).toBeRefused(...wrong('mfaToken'));
  expect(await secondStep(token, code, await neighbour())).toBeRefused(...wrong('mfaToken'));
  expect(await secondStep(token, code)).not.toBeRefused();
});

test('a second step without a code, with two codes or without a token is refused', async () => {
  const { mfaToken } = await guarded();
  const token = await mfaToken();
  const invalid = (member: string) =>
    [422, 'validation_failed', { error: 'invalid_request', errors: [{ pointer: `#/${member}` }] }] as const;
  for (const codes of [{}, { otp: '123456', recoveryCode: 'ABCD-EFGH-JKMN' }])
    expect(await secondStep(token, codes)).toBeRefused(...invalid('otp'));
  const withoutToken = await market.visitor.issueToken({ grantType, otp: '123456' });
  expect(withoutToken).toBeRefused(...invalid('mfaToken'));
});

test('a second step is refused after five wrong codes within 5 minutes, also concurrent ones', async () => {
  const { otp, wrongOtp, mfaToken } = await guarded();
  const tokens = [await mfaToken(), await mfaToken()];
  const bad = { otp: wrongOtp() };
  const guesses = await concurrently(12, (index) => secondStep(tokens[index % 2] ?? '', bad));
  const codes = guesses.map((guess) => (guess as unknown as Refusal).problem?.code);
  expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5);
  const retryAfter = expect.any(Number);
  const slowed = await secondStep(tokens[0] ?? '', { otp: otp() });
  expect(slowed).toBeRefused(429, 'too_many_attempts', { retryAfter });
  stack.advance(5 * minute);
  expect(await secondStep(await mfaToken(), { otp: otp() })).not.toBeRefused();
});

test('a second step is refused after fifty wrong codes within a day, until the password is changed', async () => {
  const { user, otp, wrongOtp, mfaToken } = await guarded();
  for (let round = 0; round < 10; round += 1) {
    const token = await mfaToken();
    const bad = { otp: wrongOtp() };
    for (let guess = 0; guess < 5; guess += 1)
      expect(await secondStep(token, bad)).toBeRefused(401, 'invalid_credentials');
    stack.advance(5 * minute + 1);
  }
  const slowed: unknown = await secondStep(await mfaToken(), { otp: otp() });
  expect(slowed).toBeRefused(429, 'too_many_attempts');
  expect((slowed as Refusal).problem?.retryAfter).toBeGreaterThan(22 * 3600);
  stack.advance(5 * minute);
  await setPassword(user.id, 'another-9-violin');
  const renewed = await mfaToken({ password: 'another-9-violin' });
  expect(await secondStep(renewed, { otp: otp() })).not.toBeRefused();
});

test('a recovery code is accepted once in any spelling, and a mail states the number of remaining ones', async () => {
  const { user, recoveryCodes, mfaToken } = await guarded();
  const [first = '', second = ''] = recoveryCodes;
  const spelled = ` ${first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`;
  const { tokens } = await secondStep(await mfaToken(), { recoveryCode: spelled });
  const { session } = await market.caller(tokens.accessToken).me({}, 'session { amr }');
  expect(session).toEqual({ amr: ['pwd', 'otp'] });
  expect(await secondStep(await mfaToken(), { recoveryCode: first })).toBeRefused(...wrong('recoveryCode'));
  expect(await secondStep(await mfaToken(), { recoveryCode: second })).not.toBeRefused();
  const mails = await stack.mailsTo(user.email);
  const texts = mails.map(({ text }) => text).filter((text) => /recovery code/i.test(text));
  for (const [index, left] of ['9', '8'].entries()) expect(texts.at(index - 2)).toContain(left);
});

test('a recovery code of another user and a text that is not a recovery code are refused', async () => {
  const [one, other] = [await guarded(), await guarded()];
  const [recoveryCode] = other.recoveryCodes;
  for (const code of [recoveryCode, 'ABCD-EFGH-JKMN', 'x', '💥'.repeat(100)])
    expect(await secondStep(await one.mfaToken(), { recoveryCode: code })).toBeRefused(
      ...wrong('recoveryCode'),
    );
});
