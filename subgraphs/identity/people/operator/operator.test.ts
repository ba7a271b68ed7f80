import { decodeJwt } from 'jose';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { type Authenticator, openAuthenticator } from '../../../../test/support/people/authenticator.ts';
import { leaveTime } from '../../../../test/support/people/secondFactor.ts';
import { product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';
import { SessionModel } from '../session/model.ts';
import { addOperator, removeOperator } from './addOperator.ts';
import { OperatorModel } from './model.ts';

const { market, neighbour, stack } = product();

/** An operator with an authenticator application. */
interface Person {
  id: string;
  username: string;
  password: string;
  codes: Authenticator;
}

async function hire(password?: string): Promise<Person> {
  leaveTime(stack);
  const added = await add(unique('ada'), password);
  const secret = new URL(added.otpauthUri).searchParams.get('secret') ?? '';
  const { _id: id, name: username } = added.operator;
  return { id, username, password: added.password, codes: openAuthenticator(secret) };
}

const add = (name: string, password?: string) =>
  addOperator({ name, password }, { ...stack.platform, issuer: 'trigate.test' });
const now = () => stack.platform.now();
const signIn = ({ username, password, codes }: Person, members: object = {}, { visitor } = market) =>
  visitor.rest('POST', '/api/v1/auth/token', {
    body: { grant_type: 'password', username, password, otp: codes.code(now()), ...members },
  });
const me = (token: string, at = market) => at.caller(token).rest('GET', '/api/v1/me');

test('an operator signs in with name, password and code, and receives a token of 10 minutes', async () => {
  const ada = await hire();
  const { status, body } = await signIn(ada);
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'operator',
      session_id: expect.stringMatching(/^ses_/),
    },
  ]);
  const claims = decodeJwt(body.access_token);
  expect(claims).toMatchObject({
    sub: ada.id,
    act: { sub: ada.id },
    installation: market.installation.id,
    roles: ['operator'],
    amr: ['pwd', 'otp'],
    acr: 'mfa',
  });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600);
  expect((await me(body.access_token)).body).toMatchObject({
    id: ada.id,
    type: 'operator',
    permissions: ['ledger:adjust', 'payouts:hold', 'payouts:release', 'plans:read', 'usage:read'],
  });
});

test('the session of an operator expires after 10 minutes and can be revoked', async () => {
  const ada = await hire();
  const { body } = await signIn(ada);
  await market.visitor.revokeToken({ token: body.access_token });
  expect(await me(body.access_token)).toBeRefused(401, 'session_revoked');
  const sessions = await market.records(SessionModel).find({ userId: ada.id });
  expect(sessions.map(({ absoluteExpiresAt, createdAt }) => +absoluteExpiresAt - +createdAt)).toEqual([
    600_000,
  ]);
});

test.each([
  ['a wrong code', ({ codes }: Person) => ({ otp: codes.wrongCode(now()) })],
  ['a wrong password', () => ({ password: 'wrong-password-of-length' })],
  ['another name', () => ({ username: 'nobody' })],
  ['no code', () => ({ otp: undefined })],
  ['an empty code', () => ({ otp: '' })],
  ['a code of another time', ({ codes }: Person) => ({ otp: codes.code(now(), 5) })],
])('a sign-in of an operator with %s is refused with the same error', async (_, members) => {
  const ada = await hire();
  const refused = await signIn(ada, members(ada));
  expect(refused).toBeRefused(401, 'invalid_credentials', { error: 'invalid_grant' });
});

test('a code of an operator is accepted once in the whole deployment, also in concurrent requests', async () => {
  const ada = await hire();
  const shops = [market, await neighbour()];
  const answers = await concurrently(6, (index) => signIn(ada, {}, shops[index % 2]));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await signIn(ada)).toBeRefused();
});

test('sign-ins of an operator are limited after five wrong codes', async () => {
  const ada = await hire();
  const otp = ada.codes.wrongCode(now());
  for (let guess = 0; guess < 5; guess += 1)
    expect(await signIn(ada, { otp })).toBeRefused(401, 'invalid_credentials');
  const refused = await signIn(ada);
  expect(refused).toBeRefused(429, 'too_many_attempts');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a token of an operator is valid in one installation, whose audit events record its use', async () => {
  const ada = await hire();
  const there = await neighbour();
  const { body } = await signIn(ada, {}, there);
  expect(await me(body.access_token)).toBeRefused(403, 'installation_mismatch');
  expect((await me(body.access_token, there)).status).toBe(200);
  await signIn(ada, { otp: ada.codes.wrongCode(now()) }, there);
  const events = await there.audits({ 'actor.id': ada.id });
  const lines = events.map(({ actor, action, result, reason }) => [actor.type, action, result, reason]);
  expect(lines).toEqual(
    expect.arrayContaining([
      ['operator', 'issueToken', 'allowed', null],
      ['operator', 'me', 'allowed', null],
      ['operator', 'issueToken', 'denied', 'invalid_credentials'],
    ]),
  );
});

test('a removed operator can neither sign in nor use a token', async () => {
  const ada = await hire();
  const { access_token: token } = (await signIn(ada)).body;
  expect((await me(token)).status).toBe(200);
  await removeOperator(ada.username, now);
  stack.platform.forgetPrincipal({ userId: ada.id });
  expect(await me(token)).toBeRefused(401, 'subject_unknown');
  const otp = ada.codes.code(now(), 1);
  expect(await signIn(ada, { otp })).toBeRefused(401, 'invalid_credentials');
  await expect(removeOperator(ada.username, now)).rejects.toThrow(/the operator .* does not exist/);
});

test('a user whose address begins with the name of an operator signs in as a user', async () => {
  const ada = await hire();
  const { email } = await market.user({ email: `${ada.username}@example.test`, password: ada.password });
  const { body } = await signIn(ada, { username: email, otp: undefined });
  expect((await me(body.access_token)).body.email).toBe(email);
});

test('an added operator is stored without the password in plain text', async () => {
  const ada = await hire('a-password-of-my-own');
  const stored = await OperatorModel.findOne({ _id: ada.id }).lean();
  expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(stored)).not.toContain('a-password-of-my-own');
});

test.each([
  ['an email address as name', 'ada@example.test', undefined, /the name must have/],
  ['a short name', 'ad', undefined, /the name must have/],
  ['a short password', 'ada-short', 'short-password', /15 to 128/],
])('adding an operator with %s is refused with the reason', async (_, name, password, reason) => {
  await expect(add(name, password)).rejects.toThrow(reason);
});

test('the name of an operator cannot be used again, even after its removal', async () => {
  const { username } = await hire();
  await expect(add(username)).rejects.toThrow(/Names cannot be reused/);
  await removeOperator(username, now);
  await expect(add(username)).rejects.toThrow(/Names cannot be reused/);
});
