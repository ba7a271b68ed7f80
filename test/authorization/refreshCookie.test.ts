import { goodPassword as password } from '../support/people/tokenEndpoint.ts';
import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';
import type { HttpAnswer } from '../support/stack/openHttpClient.ts';
import { collection } from './world/collection.ts';

const token = '/api/v1/auth/token';
const revoke = '/api/v1/auth/revoke';

const { stack, market, send: sendTo } = product();
let own: string;

beforeAll(async () => {
  own = `http://${market.installation.hosts[0]}:${await stack.port()}`;
  const { id } = market.installation;
  await collection('installations').updateOne({ _id: id }, { $set: { baseUrl: own } });
  await stack.platform.installations.refresh();
});

interface Sent {
  path?: string;
  cookie?: string;
  origin?: string | null;
}

const send = (body: object, { path = token, cookie, origin = own }: Sent = {}): Promise<HttpAnswer> =>
  sendTo({
    method: 'POST',
    path,
    body,
    headers: [
      ...(origin === null ? [] : ([['origin', origin]] as const)),
      ...(cookie === undefined ? [] : ([['cookie', cookie]] as const)),
    ],
  });
const signIn = ({ email }: SeededUser, more: object = {}, sent: Sent = {}) =>
  send({ grant_type: 'password', username: email, password, refresh_cookie: true, ...more }, sent);
const refresh = (cookie?: string, sent: Sent = {}) =>
  send(
    { grant_type: 'refresh_token', refresh_token: 'cookie', refresh_cookie: true },
    { ...sent, ...(cookie === undefined ? {} : { cookie }) },
  );
const setCookie = ({ headers }: HttpAnswer) => String(headers['set-cookie']);
/** The `Cookie` header that a browser sends after this answer. */
const cookieOf = (answer: HttpAnswer) => setCookie(answer).split(';', 1)[0] ?? '';
const isOver = async (sessionId: string) =>
  (await collection('sessions').findOne({ _id: sessionId }))?.revokedAt !== null;

test('a sign-in with refresh_cookie returns the refresh token as a cookie and not in the body', async () => {
  const answer = await signIn(await market.user({ password }));
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 600,
    refresh_expires_in: 2_592_000,
    scope: 'user',
    session_id: expect.any(String),
  });
  expect(setCookie(answer)).toMatch(
    /^trigate_refresh=[\w-]{64}; Max-Age=2592000; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('a request without refresh_cookie neither sets nor reads the cookie', async () => {
  const user = await market.user({ password });
  const plain = await signIn(user, { refresh_cookie: false });
  expect(plain.json.refresh_token).toMatch(/^[\w-]{64}$/);
  expect(plain.headers['set-cookie']).toBeUndefined();
  const cookie = cookieOf(await signIn(user));
  const unasked = await send({ grant_type: 'refresh_token', refresh_token: 'cookie' }, { cookie });
  expect([unasked.status, unasked.json.code]).toEqual([401, 'refresh_token_invalid']);
  const missing = await send({ grant_type: 'refresh_token' }, { cookie });
  expect([missing.status, missing.json.code]).toEqual([422, 'validation_failed']);
});

test('a refresh reads the token from the cookie and replaces the cookie', async () => {
  const first = await signIn(await market.user({ password }));
  const second = await refresh(cookieOf(first));
  expect([second.status, second.json.session_id]).toEqual([200, first.json.session_id]);
  expect(cookieOf(second)).not.toBe(cookieOf(first));
  expect(second.json.refresh_token).toBeUndefined();
  const again = await refresh(cookieOf(first));
  expect(cookieOf(again)).toBe(cookieOf(second));
  stack.advance(31_000);
  const reused = await refresh(cookieOf(first));
  expect([reused.status, reused.json.code, reused.json.error]).toEqual([
    401,
    'refresh_token_reused',
    'invalid_grant',
  ]);
});

test('a sign-in with link_session continues the session of the cookie', async () => {
  const user = await market.user({ password });
  const first = await signIn(user);
  const renewed = await signIn(user, { link_session: 'cookie' }, { cookie: cookieOf(first) });
  expect([renewed.status, renewed.json.session_id]).toEqual([200, first.json.session_id]);
  expect(cookieOf(renewed)).not.toBe(cookieOf(first));
});

test('a revocation ends the session of the cookie and clears the cookie', async () => {
  const first = await signIn(await market.user({ password }));
  const members = { token: 'cookie', refresh_cookie: true };
  const ended = await send(members, { path: revoke, cookie: cookieOf(first) });
  expect(ended.status).toBe(200);
  expect(setCookie(ended)).toBe(
    'trigate_refresh=; Max-Age=0; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict',
  );
  expect(await isOver(first.json.session_id)).toBe(true);
});

test.each([
  ['another site', 'https://evil.test'],
  ['another installation', 'http://other.localhost'],
  ['the same host at another port', 'http://{host}:1'],
  ['the same host with another scheme', 'https://{host}'],
  ['a page with an opaque origin', 'null'],
  ['an unknown page, without an Origin header', null],
])('refuses to set or read the refresh cookie for a request from %s', async (_, template) => {
  const origin = template?.replace('{host}', market.installation.hosts[0] ?? '') ?? null;
  const user = await market.user({ password });
  const good = await signIn(user);
  const refused = [
    await signIn(user, {}, { origin }),
    await refresh(cookieOf(good), { origin }),
    await send({ token: 'cookie', refresh_cookie: true }, { path: revoke, cookie: cookieOf(good), origin }),
  ];
  for (const { status, json, headers } of refused) {
    expect([status, json.code, json.error]).toEqual([403, 'origin_not_allowed', 'access_denied']);
    expect(headers['set-cookie']).toBeUndefined();
  }
  expect((await refresh(cookieOf(good))).status).toBe(200);
});

test.each([
  ['is missing', undefined, 401, 'refresh_token_invalid'],
  ['is empty', 'trigate_refresh=', 401, 'refresh_token_invalid'],
  ['has another name', 'refresh=x; xtrigate_refresh=y', 401, 'refresh_token_invalid'],
  ['contains no token', 'trigate_refresh=x', 401, 'refresh_token_invalid'],
  ['is sent twice', 'trigate_refresh=x; trigate_refresh=y', 400, 'ambiguous_credentials'],
])('refuses a refresh whose cookie %s', async (_, cookie, status, code) => {
  const answer = await refresh(cookie);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});

test('a refused sign-in sets no cookie', async () => {
  const user = await market.user({ password });
  const wrong = await signIn(user, { password: 'wrong' });
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
});

test('GraphQL refuses a request for a cookie, because it cannot set one', async () => {
  const user = await market.user({ password });
  const query = `mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { refreshToken } } }`;
  const input = { grantType: 'password', username: user.email, password, refreshCookie: true };
  const { json, headers } = await send({ query, variables: { input } }, { path: '/graphql' });
  expect(json.errors[0].extensions.problem).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '#/refreshCookie' }],
  });
  expect(headers['set-cookie']).toBeUndefined();
});
