import { createRemoteJWKSet, jwtVerify } from 'jose';
import { openRestStack, type RestAnswer, type RestStack } from '../../../test/support/openRestStack.ts';
import { activateFactor } from '../../../test/support/secondFactor.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { goodPassword as password } from '../../../test/support/tokenEndpoint.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { SessionModel } from './model.ts';

/*
 * What OAuth says of the token endpoint and of revocation (RFC 6749, RFC 7009, RFC 9068), as a client meets it over HTTP.
 */

const form = { 'content-type': 'application/x-www-form-urlencoded' };

let rest: RestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterAll(() => rest.close());

const token = (body: object, headers: Record<string, string> = {}): Promise<RestAnswer> =>
  rest.call('POST', '/api/v1/auth/token', { body, headers });
const raw = (text: string, headers: Record<string, string>) =>
  rest.call('POST', '/api/v1/auth/token', { text, headers });
const revoke = (body: object, headers: Record<string, string> = {}) =>
  rest.call('POST', '/api/v1/auth/revoke', { body, headers });
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const session = (id: string) => scoped(SessionModel, shop.installation.id).findOne({ _id: id });

describe('the token endpoint', () => {
  test('answers a form and JSON alike, in the names of OAuth, never stored and without a null', async () => {
    const user = await shop.user({ password });
    const members = { grant_type: 'password', username: user.email, password, client_id: 'ios-app' };
    const answers = [await token(new URLSearchParams(members)), await token(members)];
    for (const { status, headers, body } of answers) {
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
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

  test.each([
    ['garbage', 'Bearer let.me.in'],
    ['another scheme', 'Digest x="y"'],
    ['nothing of sense', 'x'],
  ])('does not look at an Authorization header with %s', async (_, authorization) => {
    const user = await shop.user({ password });
    const members = { grant_type: 'password', username: user.email, password };
    expect((await token(members, { authorization })).status).toBe(200);
  });

  test('takes the name of an application from Basic credentials without a secret', async () => {
    const user = await shop.user({ password });
    const members = { grant_type: 'password', username: user.email, password };
    const { status, body } = await token(members, basic('web-app:'));
    expect(status).toBe(200);
    expect(await session(body.session_id)).toMatchObject({ clientId: 'web-app' });
  });

  const good = 'grant_type=refresh_token&refresh_token=x';
  test.each<[string, string, Record<string, string>, number, string, string]>([
    ['no body', '', {}, 400, 'invalid_json', 'invalid_request'],
    ['no JSON', '{', {}, 400, 'invalid_json', 'invalid_request'],
    ['a list', '[]', {}, 422, 'validation_failed', 'invalid_request'],
    ['a member twice', '{"grant_type":"a","grant_type":"b"}', {}, 400, 'invalid_json', 'invalid_request'],
    ['a parameter twice', `${good}&grant_type=password`, form, 400, 'malformed_request', 'invalid_request'],
    ['a parameter nobody knows', `${good}&shoe_size=44`, form, 422, 'unknown_field', 'invalid_request'],
    ['text', good, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type', 'invalid_request'],
    ['too much', `${good}${'x'.repeat(17_000)}`, form, 413, 'payload_too_large', 'invalid_request'],
    ['no grant type', 'username=x', form, 422, 'validation_failed', 'invalid_request'],
    ['another grant', 'grant_type=implicit', form, 400, 'unsupported_grant_type', 'unsupported_grant_type'],
    [
      'an empty parameter',
      'grant_type=refresh_token&refresh_token=',
      form,
      422,
      'validation_failed',
      'invalid_request',
    ],
    ['a refused token', good, form, 401, 'refresh_token_invalid', 'invalid_grant'],
    ['an odd application', `${good}&client_id=a%20b`, form, 401, 'client_invalid', 'invalid_client'],
    [
      'a secret application',
      good,
      { ...form, ...basic('web-app:secret') },
      401,
      'client_invalid',
      'invalid_client',
    ],
    [
      'odd Basic credentials',
      good,
      { ...form, ...basic('nothing') },
      401,
      'client_invalid',
      'invalid_client',
    ],
    [
      'an application twice',
      `${good}&client_id=web-app`,
      { ...form, ...basic('web-app:') },
      400,
      'ambiguous_credentials',
      'invalid_request',
    ],
  ])(
    'refuses %s by the code of the product and the error of OAuth',
    async (_, text, headers, status, code, error) => {
      const answer = await raw(text, { 'content-type': 'application/json', ...headers });
      expect(answer).toMatchObject({ status, body: { status, code, error } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const challenge = answer.headers.get('www-authenticate');
      const scheme = 'authorization' in headers ? 'Basic' : 'Bearer';
      if (status === 401) expect(challenge).toMatch(new RegExp(`^${scheme} realm="ins_demo"`));
      else expect(challenge).toBeNull();
    },
  );

  test('names what is missing as the request does', async () => {
    const { body } = await token({ grant_type: 'refresh_token' });
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '#/refresh_token' })]);
  });

  test('says that somebody must wait by the status, Retry-After and the error of OAuth', async () => {
    const user = await shop.user({ password });
    const wrong = { grant_type: 'password', username: user.email, password: 'wrong' };
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await token(wrong)).toMatchObject({ status: 401, body: { error: 'invalid_grant' } });
    const slowed = await token(wrong);
    expect(slowed).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts', error: 'temporarily_unavailable' },
    });
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('tells the second step in the problem of the first one, and takes it', async () => {
    const user = await shop.user({ password });
    const { app, factorId } = await activateFactor({ ...shop, stack: rest.stack, as: user });
    const first = await token({ grant_type: 'password', username: user.email, password });
    expect(first).toMatchObject({
      status: 401,
      body: { code: 'mfa_required', error: 'invalid_grant', factors: [{ id: factorId, type: 'totp' }] },
    });
    expect(first.headers.get('www-authenticate')).toBe(
      'Bearer realm="ins_demo", error="insufficient_user_authentication", acr_values="mfa"',
    );
    const step = { grant_type: 'urn:marketplace:mfa-otp', mfa_token: first.body.mfaToken };
    const wrong = await token({ ...step, recovery_code: 'ABCD-EFGH-JKMN' });
    expect(wrong).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials', error: 'invalid_grant', errors: [{ pointer: '#/recovery_code' }] },
    });
    const { status, body } = await token({ ...step, otp: app.code(rest.stack.platform.now()) });
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
  });
});

describe('an access token', () => {
  test('verifies with another implementation against the published keys, and says what RFC 9068 asks', async () => {
    const user = await shop.user();
    const keys = createRemoteJWKSet(new URL(`${rest.origin}/.well-known/jwks.json`));
    const { platform } = rest.stack;
    const { payload, protectedHeader } = await jwtVerify(user.token, keys, {
      issuer: platform.issuer,
      audience: `${shop.installation.baseUrl}/api/v1`,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      currentDate: new Date(platform.now()),
      requiredClaims: ['sub', 'client_id', 'iat', 'exp', 'jti', 'auth_time', 'acr', 'amr'],
    });
    expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'kid', 'typ']);
    expect(payload).toMatchObject({
      sub: user.id,
      installation: 'ins_demo',
      sid: user.sessionId,
      client_id: 'first-party',
      scope: 'user',
      amr: ['pwd'],
      acr: 'pwd',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    expect(JSON.stringify(payload)).not.toContain(user.email);
    for (const claim of ['email', 'name', 'dealers']) expect(payload).not.toHaveProperty(claim);
  });

  test('does not verify for another audience, another issuer or another kind of token', async () => {
    const user = await shop.user();
    const keys = createRemoteJWKSet(new URL(`${rest.origin}/api/v1/auth/jwks`));
    const right = { issuer: rest.stack.platform.issuer, audience: `${shop.installation.baseUrl}/api/v1` };
    for (const wrong of [{ issuer: 'http://elsewhere.test' }, { audience: 'x' }, { typ: 'JWT' }])
      await expect(jwtVerify(user.token, keys, { ...right, ...wrong })).rejects.toThrow(/claim|header/);
  });
});

describe('revocation', () => {
  const isLive = async (id: string) => (await session(id))?.revokedAt === null;

  test.each([
    ['a form', (text: string) => revoke(new URLSearchParams({ token: text }))],
    ['JSON', (text: string) => revoke({ token: text, token_type_hint: 'refresh_token' })],
    ['a hint that is wrong', (text: string) => revoke({ token: text, token_type_hint: 'access_token' })],
    ['a hint that nobody knows', (text: string) => revoke({ token: text, token_type_hint: 'x' })],
    ['the name of the application', (text: string) => revoke({ token: text, client_id: 'first-party' })],
    ['its name in Basic credentials', (text: string) => revoke({ token: text }, basic('first-party:'))],
  ])('by %s is 200, also the second time', async (_, send) => {
    const user = await shop.user();
    for (let time = 0; time < 2; time += 1) expect((await send(user.refreshToken)).status).toBe(200);
    expect(await isLive(user.sessionId)).toBe(false);
  });

  test.each(['refreshToken', 'token'] as const)(
    'by another application than the one that the %s was issued to is refused, and ends nothing',
    async (member) => {
      const user = await shop.user();
      const answer = await revoke({ token: user[member], client_id: 'ios-app' });
      expect(answer).toMatchObject({ status: 401, body: { code: 'client_invalid', error: 'invalid_grant' } });
      expect(await isLive(user.sessionId)).toBe(true);
    },
  );

  test('in the name of an API client needs its secret', async () => {
    const user = await shop.user();
    const client_id = 'cli_01J00000000000000000000000';
    for (const headers of [{}, basic(`${client_id}:wrong`)]) {
      const members = 'authorization' in headers ? {} : { client_id };
      expect(await revoke({ token: user.refreshToken, ...members }, headers)).toMatchObject({
        status: 401,
        body: { code: 'client_invalid', error: 'invalid_client' },
      });
    }
    expect(await isLive(user.sessionId)).toBe(true);
  });

  test('of what is no token of here is 200, of nothing no valid request', async () => {
    const user = await shop.user();
    for (const text of ['x', `${user.refreshToken}x`, 'ses_01J00000000000000000000000', 'a.b.c'])
      expect((await revoke({ token: text })).status).toBe(200);
    expect(await revoke({})).toMatchObject({
      status: 422,
      body: { error: 'invalid_request', errors: [{ pointer: '#/token' }] },
    });
    expect(await isLive(user.sessionId)).toBe(true);
  });
});
