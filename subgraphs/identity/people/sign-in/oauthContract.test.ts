import { createLocalJWKSet, jwtVerify } from 'jose';
import { activateFactor } from '../../../../test/support/people/secondFactor.ts';
import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { product } from '../../../../test/support/product.ts';
import { SessionModel } from '../session/model.ts';

/*
 * The requirements of OAuth for the token endpoint and for revocation (RFC 6749, RFC 7009, RFC 9068), over HTTP.
 */

const { market, stack } = product();
const form = { 'content-type': 'application/x-www-form-urlencoded' };

type Headers = Record<string, string>;
const token = (body: object, headers: Headers = {}) =>
  market.visitor.rest('POST', '/api/v1/auth/token', { body, headers });
const revoke = (body: object, headers: Headers = {}) =>
  market.visitor.rest('POST', '/api/v1/auth/revoke', { body, headers });
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const session = (id: string) => market.records(SessionModel).findOne({ _id: id });
const isLive = async (id: string) => (await session(id))?.revokedAt === null;
const newSignIn = async () => {
  const { email } = await market.user({ password });
  return { grant_type: 'password', username: email, password };
};

test('the token endpoint has the same response for a form and JSON, without null members and uncached', async () => {
  const members = { ...(await newSignIn()), client_id: 'ios-app' };
  for (const { status, headers, body } of [await token(new URLSearchParams(members)), await token(members)]) {
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      refresh_token: expect.stringMatching(/^[\w-]{64}$/),
      refresh_expires_in: 2_592_000,
      scope: 'user',
      session_id: expect.stringMatching(/^ses_/),
    });
    expect(await session(body.session_id)).toMatchObject({ clientId: 'ios-app' });
  }
});

test.each(['Bearer let.me.in', 'Digest x="y"', 'x'])(
  'the token endpoint ignores the Authorization header "%s"',
  async (authorization) => {
    expect((await token(await newSignIn(), { authorization })).status).toBe(200);
  },
);

test('Basic credentials without a secret state the name of the client', async () => {
  const { status, body } = await token(await newSignIn(), basic('web-app:'));
  expect(status).toBe(200);
  expect(await session(body.session_id)).toMatchObject({ clientId: 'web-app' });
});

const good = 'grant_type=refresh_token&refresh_token=x';
const secret = { ...form, ...basic('web-app:secret') };
const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain' };
test.each<[string, string, Headers, number, string, string]>([
  ['no body', '', json, 400, 'invalid_json', 'invalid_request'],
  ['a list', '[]', json, 422, 'validation_failed', 'invalid_request'],
  ['a parameter twice', `${good}&grant_type=password`, form, 400, 'malformed_request', 'invalid_request'],
  ['an unknown parameter', `${good}&shoe_size=44`, form, 422, 'unknown_field', 'invalid_request'],
  ['plain text', good, text, 415, 'unsupported_media_type', 'invalid_request'],
  ['a body of 17 KB', `${good}${'x'.repeat(17_000)}`, form, 413, 'payload_too_large', 'invalid_request'],
  ['no grant type', 'username=x', form, 422, 'validation_failed', 'invalid_request'],
  ['no password', 'grant_type=password', form, 422, 'validation_failed', 'invalid_request'],
  ['another grant', 'grant_type=implicit', form, 400, 'unsupported_grant_type', 'unsupported_grant_type'],
  ['an empty token', good.replace(/x$/, ''), form, 422, 'validation_failed', 'invalid_request'],
  ['a refused token', good, form, 401, 'refresh_token_invalid', 'invalid_grant'],
  ['an invalid client', `${good}&client_id=a%20b`, form, 401, 'client_invalid', 'invalid_client'],
  ['a client with a secret', good, secret, 401, 'client_invalid', 'invalid_client'],
  ['invalid credentials', good, { ...form, ...basic('x') }, 401, 'client_invalid', 'invalid_client'],
  [
    'a client in the header and in the body',
    `${good}&client_id=web-app`,
    { ...form, ...basic('web-app:') },
    400,
    'ambiguous_credentials',
    'invalid_request',
  ],
])(
  'the token endpoint refuses %s with a code and an OAuth error',
  async (_, sent, headers, status, code, error) => {
    const answer = await market.visitor.rest('POST', '/api/v1/auth/token', { text: sent, headers });
    expect(answer).toBeRefused(status, code, { error });
    // RFC 6749, 5.2: without quotation marks and backslashes.
    expect(answer.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const scheme = 'authorization' in headers ? 'Basic' : 'Bearer';
    const challenge = expect.stringMatching(new RegExp(`^${scheme} realm="${market.installation.id}"`));
    expect(answer.headers.get('www-authenticate')).toEqual(status === 401 ? challenge : null);
  },
);

test.each([
  ['application/json', 'application/json'],
  ['application/json, */*;q=0.1', 'application/json'],
  ['*/*', 'application/problem+json'],
  ['application/problem+json, application/json;q=0.5', 'application/problem+json'],
])('an OAuth error for Accept: %s has the media type %s', async (accept, type) => {
  const { headers } = await token({ grant_type: 'implicit' }, { accept });
  expect(headers.get('content-type')).toBe(type);
});

test('the token endpoint names a missing member in the spelling of the request', async () => {
  expect(await token({ grant_type: 'refresh_token' })).toBeInvalid('#/refresh_token');
});

test('the token endpoint refuses too many failed sign-ins with 429, Retry-After and an OAuth error', async () => {
  const wrong = { ...(await newSignIn()), password: 'wrong' };
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await token(wrong)).toBeRefused(401, 'invalid_credentials', { error: 'invalid_grant' });
  const slowed = await token(wrong);
  expect(slowed).toBeRefused(429, 'too_many_attempts', { error: 'temporarily_unavailable' });
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('the token endpoint refuses a first step with the data for the second step, which signs in', async () => {
  const user = await market.user({ password });
  const { app, factorId } = await activateFactor({ ...market, stack, as: user });
  const first = await token({ grant_type: 'password', username: user.email, password });
  const factors = [{ id: factorId, type: 'totp' }];
  expect(first).toBeRefused(401, 'mfa_required', { error: 'invalid_grant', factors });
  expect(first.headers.get('www-authenticate')).toBe(
    `Bearer realm="${market.installation.id}", error="insufficient_user_authentication", acr_values="mfa"`,
  );
  const step = { grant_type: 'urn:marketplace:mfa-otp', mfa_token: first.body.mfaToken };
  const errors = [{ pointer: '#/recovery_code' }];
  const wrong = await token({ ...step, recovery_code: 'ABCD-EFGH-JKMN' });
  expect(wrong).toBeRefused(401, 'invalid_credentials', { error: 'invalid_grant', errors });
  const { status, body } = await token({ ...step, otp: app.code(stack.platform.now()) });
  expect([status, body.token_type]).toEqual([200, 'Bearer']);
});

test('another implementation verifies an access token with the published keys and the claims of RFC 9068', async () => {
  const user = await market.user();
  const { body: keys } = await market.visitor.rest('GET', '/.well-known/jwks.json');
  const { platform } = stack;
  const right = {
    issuer: platform.issuer,
    audience: `${market.installation.baseUrl}/api/v1`,
    currentDate: new Date(platform.now()),
  };
  const { payload, protectedHeader } = await jwtVerify(user.token, createLocalJWKSet(keys), {
    ...right,
    algorithms: ['ES256'],
    typ: 'at+jwt',
    requiredClaims: ['sub', 'client_id', 'iat', 'exp', 'jti', 'auth_time', 'acr', 'amr'],
  });
  expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'kid', 'typ']);
  expect(payload).toMatchObject({
    sub: user.id,
    installation: market.installation.id,
    sid: user.sessionId,
    client_id: 'first-party',
    scope: 'user',
    amr: ['pwd'],
    acr: 'pwd',
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
  expect(JSON.stringify(payload)).not.toContain(user.email);
  for (const claim of ['email', 'name', 'dealers']) expect(payload).not.toHaveProperty(claim);
  for (const wrong of [{ issuer: 'http://elsewhere.test' }, { audience: 'x' }, { typ: 'JWT' }]) {
    const verified = jwtVerify(user.token, createLocalJWKSet(keys), { ...right, ...wrong });
    await expect(verified).rejects.toThrow(/claim|header/);
  }
});

test.each<[string, object, Headers]>([
  ['JSON', { token_type_hint: 'refresh_token' }, {}],
  ['a wrong hint', { token_type_hint: 'access_token' }, {}],
  ['an unknown hint', { token_type_hint: 'x' }, {}],
  ['the name of the client', { client_id: 'first-party' }, {}],
  ['Basic credentials', {}, basic('first-party:')],
])('a revocation with %s returns 200, also when it is repeated', async (_, members, headers) => {
  const { refreshToken, sessionId } = await market.user();
  for (let time = 0; time < 2; time += 1)
    expect((await revoke({ token: refreshToken, ...members }, headers)).status).toBe(200);
  expect(await isLive(sessionId)).toBe(false);
});

test('a revocation sent as a form ends the session', async () => {
  const { refreshToken, sessionId } = await market.user();
  expect((await revoke(new URLSearchParams({ token: refreshToken }))).status).toBe(200);
  expect(await isLive(sessionId)).toBe(false);
});

test('a revocation by another client is refused and ends no session', async () => {
  const { token: accessToken, refreshToken, sessionId } = await market.user();
  for (const revoked of [refreshToken, accessToken]) {
    const answer = await revoke({ token: revoked, client_id: 'ios-app' });
    expect(answer).toBeRefused(401, 'client_invalid', { error: 'invalid_grant' });
  }
  const client_id = 'cli_01J00000000000000000000000';
  const members = { token: refreshToken };
  for (const answer of [
    await revoke({ ...members, client_id }),
    await revoke(members, basic(`${client_id}:x`)),
  ])
    expect(answer).toBeRefused(401, 'client_invalid', { error: 'invalid_client' });
  expect(await isLive(sessionId)).toBe(true);
});

test('a revocation of an unknown token returns 200, and one without a token is refused', async () => {
  const { refreshToken, sessionId } = await market.user();
  for (const unknown of ['x', `${refreshToken}x`, 'ses_01J00000000000000000000000', 'a.b.c'])
    expect((await revoke({ token: unknown })).status).toBe(200);
  const errors = [{ pointer: '#/token' }];
  expect(await revoke({})).toBeRefused(422, undefined, { error: 'invalid_request', errors });
  expect(await isLive(sessionId)).toBe(true);
});
