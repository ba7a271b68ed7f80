import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { currentSigningKey } from '../../subgraphs/identity/signing-key/currentSigningKey.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { openExternalIssuer } from '../support/openExternalIssuer.ts';
import type { HttpAnswer, HttpRequest } from '../support/openHttpClient.ts';
import { openTestApp, restRoot, type TestApp } from '../support/openTestApp.ts';
import { type SeededInstallation, type SeededUser, seed } from '../support/seed.ts';
import { collection } from './collection.ts';
import { type Forgery, takeApart, toSegment } from './forgeries.ts';

/*
 * Attacks on access tokens over HTTP: the
 * code, the status and the challenge of each, the same on A, B, C and GraphQL.
 */

let app: TestApp;
let shop: SeededInstallation;
let user: SeededUser;
let forgery: Forgery;
let signingKey: KeyObject;

beforeAll(async () => {
  app = await openTestApp();
  shop = await seed(app.stack).in(app.stack.demo);
  user = await shop.user();
  forgery = await takeApart(user.token, app.stack);
  signingKey = (await currentSigningKey(app.stack.platform.secrets)).privateKey;
});
afterAll(() => app.close());

const query = '{ me { id } }';
const channels: readonly HttpRequest[] = [
  { path: '/api/v1/me' },
  { path: '/api/v1/catalog/listings' },
  { method: 'POST', path: `${restRoot}/seo-tools/v1/analysis`, body: { content: 'x' } },
  { path: `${restRoot}/translation/v1/languages` },
  { method: 'POST', path: '/graphql', body: { query } },
];

const problemOf = ({ json }: HttpAnswer) => json?.errors?.[0]?.extensions?.problem ?? json;

/** Sends a token everywhere; answers what came back, each once. GraphQL answers an accepted identity with 200. */
async function everywhere(token: string): Promise<string[]> {
  const words = channels.map(async (channel) => {
    const answer = await app.send({ ...channel, token });
    const { status, code } = problemOf(answer);
    if (status === 401 || channel.path !== '/graphql') expect(answer.status).toBe(status);
    return `${status} ${code} ${String(answer.headers['www-authenticate'])}`;
  });
  return [...new Set(await Promise.all(words))];
}

const challenged = (status: number, code: string, more = '') =>
  `${status} ${code} Bearer realm="ins_demo"${more}`;
const invalid = (code: string) => [challenged(401, code, ', error="invalid_token"')];

const nowSeconds = () => Math.floor(app.stack.platform.now() / 1000);
const claims = (members: object) => forgery.token({ payload: { ...forgery.payload, ...members } });
const headed = (members: object) => forgery.token({ header: { ...forgery.header, ...members } });
const without = (name: string) => {
  const { [name]: _, ...payload } = forgery.payload;
  return forgery.token({ payload });
};
const segment = (index: number) => forgery.genuine.split('.')[index] ?? '';
const hmac = () => {
  const secret = createPublicKey(signingKey).export({ type: 'spki', format: 'pem' });
  return (input: string) => createHmac('sha256', secret).update(input).digest();
};
const signedBy = (key: KeyObject) => (input: string) =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
/** The last letter of a signature has four bits that mean nothing. */
const nextLetter = (last: string) => String.fromCharCode(last.charCodeAt(0) + 1);
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

test('the token that all of these are made of is good, and so is one put together of its parts', async () => {
  for (const token of [forgery.genuine, forgery.token({})])
    for (const channel of channels) expect((await app.send({ ...channel, token })).status).toBe(200);
});

test.each<[string, () => string]>([
  ['rule 2: no signature', () => `${segment(0)}.${segment(1)}.`],
  ['rule 2: two segments', () => `${segment(0)}.${segment(1)}`],
  ['rule 2: four segments', () => `${forgery.genuine}.x`],
  ['rule 2: padding', () => `${forgery.genuine}==`],
  ['rule 2: another spelling of the last bits', () => forgery.genuine.replace(/.$/, nextLetter)],
  ['rule 2: more than 8 KiB', () => claims({ x: 'x'.repeat(9000) })],
  ['rule 3: a header that is no object', () => `${toSegment([forgery.header])}.${segment(1)}.${segment(2)}`],
])('401 token_malformed · %s', async (_, make) => {
  expect(await everywhere(make())).toEqual(invalid('token_malformed'));
});

test.each<[string, () => string]>([
  ...Object.entries({
    crit: ['exp'],
    jku: 'http://127.0.0.1:1/keys',
    jwk: { kty: 'oct', k: 'x' },
    x5u: 'http://127.0.0.1:1/chain',
    x5c: ['MIIB'],
    b64: false,
    zip: 'DEF',
    cty: 'JWT',
  }).map(([name, value]): [string, () => string] => [
    `rule 3: ${name} in the header`,
    () => headed({ [name]: value }),
  ]),
  ...['JWT', 'id+jwt', undefined].map((typ): [string, () => string] => [
    `rule 3: the type ${typ ?? 'left out'}`,
    () => headed({ typ }),
  ]),
  ['rule 4: a key that nobody has', () => headed({ kid: 'A'.repeat(43) })],
  ['rule 4: a path for a key', () => headed({ kid: '../../dev/null' })],
  ['rule 4: no key named', () => headed({ kid: undefined })],
  ['rule 5: no algorithm', () => forgery.token({ header: { ...forgery.header, alg: 'none' } })],
  [
    'rule 5: the public key as a secret',
    () => forgery.token({ header: { ...forgery.header, alg: 'HS256' }, signer: hmac() }),
  ],
  ['rule 5: another algorithm than the key’s', () => headed({ alg: 'ES384' })],
  ['rule 6: the signature of a stranger', () => forgery.token({ signer: signedBy(newKey()) })],
  [
    'rule 6: a signature in DER',
    () => forgery.token({ signer: (input) => sign('sha256', Buffer.from(input), signingKey) }),
  ],
  ['rule 6: a signature of zeros', () => forgery.token({ signer: () => Buffer.alloc(64) })],
  [
    'rule 6: other claims under the signature',
    () => `${segment(0)}.${toSegment({ ...forgery.payload, x: 1 })}.${segment(2)}`,
  ],
  ['rule 6: another issuer', () => claims({ iss: 'http://issuer.evil' })],
  ['rule 6: a list of issuers', () => claims({ iss: [forgery.payload.iss] })],
  ['rule 6: another audience', () => claims({ aud: 'http://demo.localhost' })],
  ['rule 6: a list of audiences', () => claims({ aud: [forgery.payload.aud] })],
  ['rule 6: the audience of another installation', () => claims({ aud: 'http://other.localhost/api/v1' })],
  ['rule 7: an installation that is none', () => claims({ installation: 'ins_none' })],
  ['rule 7: another installation than its audience', () => claims({ installation: 'ins_other' })],
  ['rule 7: an object for a subject', () => claims({ sub: { $ne: null } })],
  ['rule 7: an object for a session', () => claims({ sid: { $gt: '' } })],
  ['rule 7: an id of another type for a subject', () => claims({ sub: newId('listing') })],
  ['rule 7: a text for a time', () => claims({ exp: String(nowSeconds() + 600) })],
  ['rule 7: a fraction for a time', () => claims({ iat: nowSeconds() - 0.5 })],
  ['rule 7: a life of more than 15 minutes', () => claims({ exp: Number(forgery.payload.iat) + 901 })],
  ['rule 7: a life of 30 years', () => claims({ exp: nowSeconds() + 30 * 365 * 86_400 })],
  ...['sub', 'installation', 'sid', 'jti', 'iat', 'exp', 'iss', 'aud'].map((name): [string, () => string] => [
    `rule 7: no ${name}`,
    () => without(name),
  ]),
])('401 token_invalid · %s', async (_, make) => {
  expect(await everywhere(make())).toEqual(invalid('token_invalid'));
});

test('401 token_invalid · rule 5: a token of an external issuer is exchanged, never taken', async () => {
  const issuer = await openExternalIssuer({ now: app.stack.platform.now });
  const token = await issuer.issue({ sub: user.id });
  await issuer.close();
  expect(await everywhere(token)).toEqual(invalid('token_invalid'));
});

test('a minute passes: what has expired, and what begins later, are told apart from what is forged', async () => {
  const life = (from: number) => ({ iat: from, nbf: from, auth_time: from, exp: from + 600 });
  const now = nowSeconds();
  expect(await everywhere(claims(life(now - 600 - 40)))).toEqual([
    challenged(401, 'token_expired', ', error="invalid_token", error_description="expired"'),
  ]);
  for (const ahead of [{ nbf: now + 60 }, { iat: now + 60, exp: now + 660 }, { auth_time: now + 60 }])
    expect(await everywhere(claims(ahead))).toEqual(invalid('token_not_yet_valid'));
  // Clocks may differ by half a minute.
  for (const within of [life(now - 600 - 20), { nbf: now + 20 }, { iat: now + 20, exp: now + 620 }])
    expect((await app.send({ path: '/api/v1/me', token: claims(within) })).status).toBe(200);
});

describe('rule 8: what the database says of a good token', () => {
  const at = (ms: number) => new Date(app.stack.platform.now() + ms);
  const changed = async (name: string, id: string, set: Record<string, unknown>) => {
    await collection(name).updateOne({ _id: id }, { $set: set });
    for (const key of [{ sessionId: id }, { userId: id }]) app.stack.platform.forgetPrincipal(key);
  };

  test.each<[string, () => Record<string, unknown>]>([
    ['was ended', () => ({ revokedAt: at(0) })],
    ['was idle for 30 days', () => ({ idleExpiresAt: at(-1) })],
    ['is older than 90 days', () => ({ absoluteExpiresAt: at(-1) })],
    ['is somebody else’s', () => ({ userId: newId('user') })],
  ])('401 session_revoked · the session %s', async (_, set) => {
    const { token, sessionId } = await shop.user();
    await changed('sessions', sessionId, set());
    expect(await everywhere(token)).toEqual(invalid('session_revoked'));
  });

  test('401 session_revoked · the session, or the API client, never was', async () => {
    expect(await everywhere(claims({ sid: newId('session') }))).toEqual(invalid('session_revoked'));
    const client = { sub: newId('client'), dealer: newId('dealer'), scope: 'listings:read' };
    expect(await everywhere(claims(client))).toEqual(invalid('session_revoked'));
  });

  test('401 subject_unknown · the account was erased, or is gone', async () => {
    const [erased, gone] = [await shop.user(), await shop.user()];
    await changed('users', erased.id, { state: 'deleted' });
    await collection('users').deleteOne({ _id: gone.id });
    app.stack.platform.forgetPrincipal({ userId: gone.id });
    for (const { token } of [erased, gone])
      expect(await everywhere(token)).toEqual(invalid('subject_unknown'));
  });

  test('403 installation_mismatch · the token is another installation’s', async () => {
    const abroad = await (await seed(app.stack).in(app.stack.other)).user();
    expect(await everywhere(abroad.token)).toEqual(['403 installation_mismatch undefined']);
  });

  test('401 reauthentication_required and mfa_required · the sign-in is too old, or was by one factor', async () => {
    const stale = claims({ auth_time: nowSeconds() - 601 });
    const enroll = { method: 'POST', path: '/api/v1/me/mfa-factors', body: { label: 'Phone' } };
    const insufficient = ', error="insufficient_user_authentication"';
    const old = await app.send({ ...enroll, token: stale });
    expect([old.status, old.json.code, old.headers['www-authenticate']]).toEqual([
      401,
      'reauthentication_required',
      `Bearer realm="ins_demo"${insufficient}, max_age=600`,
    ]);
    await collection('installations').updateOne(
      { _id: shop.installation.id },
      { $set: { 'settings.mfaRequiredRoles': ['moderator'] } },
    );
    await app.stack.platform.installations.refresh();
    const { token } = await shop.user({ roles: ['buyer', 'moderator'] });
    const listings = await app.send({ path: '/api/v1/listings', token });
    expect([listings.status, listings.json.code, listings.headers['www-authenticate']]).toEqual([
      401,
      'mfa_required',
      `Bearer realm="ins_demo"${insufficient}, acr_values="mfa"`,
    ]);
    for (const path of ['/api/v1/me', '/api/v1/me/sessions'])
      expect((await app.send({ path, token })).status).toBe(200);
    const enrolled = await app.send({ ...enroll, token });
    expect(enrolled.status).toBe(201);
  });
});

test.each<[string, readonly string[]]>([
  ['no Authorization', []],
  ['another scheme', ['Basic dXNlcjpwYXNz']],
  ['a bare token', ['eyJhbGciOiJub25lIn0.e30.x']],
])('401 token_missing · rule 1: %s, and no word of an error', async (_, values) => {
  const headers = values.map((value) => ['authorization', value] as const);
  const answer = await app.send({ path: '/api/v1/me', headers });
  expect([answer.status, answer.json.code, answer.headers['www-authenticate']]).toEqual([
    401,
    'token_missing',
    'Bearer realm="ins_demo"',
  ]);
});

test('400 ambiguous_credentials · rule 1: two Authorization headers, even the same', async () => {
  const headers = [1, 2].map(() => ['authorization', `Bearer ${forgery.genuine}`] as const);
  for (const channel of channels) {
    const answer = await app.send({ ...channel, headers });
    expect([answer.status, problemOf(answer).code]).toEqual([400, 'ambiguous_credentials']);
  }
});

test('401 refresh_token_invalid · a refresh token with any one character changed, cut, or longer', async () => {
  const { refreshToken } = await shop.user();
  const refresh = (text: string) =>
    app.send({
      method: 'POST',
      path: '/api/v1/auth/token',
      body: { grant_type: 'refresh_token', refresh_token: text },
    });
  const changed = Array.from(refreshToken, (character, at) => {
    const other = character === 'A' ? 'B' : 'A';
    return refreshToken.slice(0, at) + other + refreshToken.slice(at + 1);
  });
  const others = [refreshToken.slice(1), `${refreshToken}A`, `${refreshToken}=`, ` ${refreshToken}`];
  for (const text of [...changed, ...others]) {
    const { status, json } = await refresh(text);
    expect([status, json.code, json.error]).toEqual([401, 'refresh_token_invalid', 'invalid_grant']);
  }
  const abroad = await app.send({
    method: 'POST',
    path: '/api/v1/auth/token',
    host: 'other.localhost',
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
  });
  expect(abroad.json.code).toBe('refresh_token_invalid');
  expect((await refresh(refreshToken)).status).toBe(200);
});
