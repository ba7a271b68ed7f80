import { type Authenticator, openAuthenticator } from '../../../test/support/authenticator.ts';
import type { HttpAnswer } from '../../../test/support/openHttpClient.ts';
import { openTestApp, type TestApp } from '../../../test/support/openTestApp.ts';
import { leaveTime } from '../../../test/support/secondFactor.ts';
import { seed, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { SessionModel } from '../session/model.ts';
import { addOperator, removeOperator } from './addOperator.ts';
import { OperatorModel } from './model.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** An operator with his authenticator application. */
interface Person {
  id: string;
  username: string;
  password: string;
  codes: Authenticator;
}

async function hire(password?: string): Promise<Person> {
  const { platform } = app.stack;
  leaveTime(app.stack);
  const added = await addOperator({ name: unique('ada'), password }, { ...platform, issuer: 'trigate.test' });
  const secret = new URL(added.otpauthUri).searchParams.get('secret') ?? '';
  const { _id: id, name: username } = added.operator;
  return { id, username, password: added.password, codes: openAuthenticator(secret) };
}

const now = () => app.stack.platform.now();
const signIn = ({ username, password, codes }: Person, members: object = {}, host = 'demo.localhost') =>
  app.send({
    method: 'POST',
    path: '/api/v1/auth/token',
    host,
    body: { grant_type: 'password', username, password, otp: codes.code(now()), ...members },
  });
const me = (token: string, host = 'demo.localhost') => app.send({ path: '/api/v1/me', host, token });
const words = ({ status, json }: HttpAnswer) => `${status} ${json.code}`;
const eventsOf = (id: string, installation: Installation = app.stack.demo) =>
  scoped(AuditEventModel, installation.id).find({ 'actor.id': id }, { sort: { at: 1, _id: 1 } });

test('name, password and code give a token of ten minutes, delegated and without a refresh token', async () => {
  const ada = await hire();
  const { status, json: body } = await signIn(ada);
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
  const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({
    sub: ada.id,
    act: { sub: ada.id },
    installation: app.stack.demo.id,
    roles: ['operator'],
    amr: ['pwd', 'otp'],
    acr: 'mfa',
  });
  expect(claims.exp - claims.iat).toBe(600);
  expect((await me(body.access_token)).json).toMatchObject({
    id: ada.id,
    type: 'operator',
    permissions: ['ledger:adjust', 'payouts:hold', 'payouts:release', 'plans:read'],
  });
});

test('the token is over after ten minutes, and ends with the session before', async () => {
  const ada = await hire();
  const { json: body } = await signIn(ada);
  await app.send({ method: 'POST', path: '/api/v1/auth/revoke', body: { token: body.access_token } });
  expect(words(await me(body.access_token))).toBe('401 session_revoked');
  const sessions = await scoped(SessionModel, app.stack.demo.id).find({ userId: ada.id });
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
])('%s is one and the same refusal', async (_, members) => {
  const ada = await hire();
  const answer = await signIn(ada, members(ada));
  expect([words(answer), answer.json.error]).toEqual(['401 invalid_credentials', 'invalid_grant']);
});

test('a code is good once in the whole deployment, however often it is sent at once', async () => {
  const ada = await hire();
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      signIn(ada, {}, index % 2 ? 'demo.localhost' : 'other.localhost'),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await signIn(ada)).status).not.toBe(200);
});

test('guessing is slowed down', async () => {
  const ada = await hire();
  const otp = ada.codes.wrongCode(now());
  for (let guess = 0; guess < 5; guess += 1)
    expect(words(await signIn(ada, { otp }))).toBe('401 invalid_credentials');
  const answer = await signIn(ada);
  expect([words(answer), Number(answer.headers['retry-after']) > 0]).toEqual(['429 too_many_attempts', true]);
});

test('a token is of one installation only, and each leaves its lines there', async () => {
  const ada = await hire();
  const { json: body } = await signIn(ada, {}, 'other.localhost');
  expect(words(await me(body.access_token))).toBe('403 installation_mismatch');
  expect((await me(body.access_token, 'other.localhost')).status).toBe(200);
  await signIn(ada, { otp: ada.codes.wrongCode(now()) }, 'other.localhost');
  const lines = (await eventsOf(ada.id, app.stack.other)).map(({ actor, action, result, reason }) => [
    actor.type,
    action,
    result,
    reason,
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      ['operator', 'issueToken', 'allowed', null],
      ['operator', 'me', 'allowed', null],
      ['operator', 'issueToken', 'denied', 'invalid_credentials'],
    ]),
  );
});

test('a removed operator neither signs in nor goes on', async () => {
  const ada = await hire();
  const { json: body } = await signIn(ada);
  const token = body.access_token;
  expect((await me(token)).status).toBe(200);
  await removeOperator(ada.username, now);
  app.stack.platform.forgetPrincipal({ userId: ada.id });
  expect(words(await me(token))).toBe('401 subject_unknown');
  expect(words(await signIn(ada, { otp: ada.codes.code(now(), 1) }))).toBe('401 invalid_credentials');
  await expect(removeOperator(ada.username, now)).rejects.toThrow(/no operator/);
});

test('an account whose address begins like an operator’s name is not his', async () => {
  const ada = await hire();
  const shop = await seed(app.stack).in(app.stack.demo);
  const { email } = await shop.user({ email: `${ada.username}@example.test`, password: ada.password });
  const { json: body } = await signIn(ada, { username: email, otp: undefined });
  expect((await me(body.access_token)).json.email).toBe(email);
});

describe('adding', () => {
  const add = (name: string, password?: string) =>
    addOperator({ name, password }, { ...app.stack.platform, issuer: 'trigate.test' });

  test('stores neither password nor secret in the clear', async () => {
    const ada = await hire('a-password-of-his-own');
    const stored = await OperatorModel.findOne({ _id: ada.id }).lean();
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(stored)).not.toContain('a-password-of-his-own');
  });

  test.each([
    ['an address', 'ada@example.test', undefined, /the name has/],
    ['a short name', 'ad', undefined, /the name has/],
    ['a short password', 'ada-short', 'short-password', /15 to 128/],
  ])('%s is refused with the reason', async (_, name, password, reason) => {
    await expect(add(name, password)).rejects.toThrow(reason);
  });

  test('a name is used once, also after its operator has gone', async () => {
    const { username } = await hire();
    await expect(add(username)).rejects.toThrow(/names are not used twice/);
    await removeOperator(username, now);
    await expect(add(username)).rejects.toThrow(/names are not used twice/);
  });
});
