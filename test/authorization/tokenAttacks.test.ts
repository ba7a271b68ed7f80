import { createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { currentSigningKey } from '../../subgraphs/identity/people/signing-key/currentSigningKey.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { perFile, product } from '../support/product.ts';
import { openExternalIssuer } from '../support/servers/openExternalIssuer.ts';
import { type RestAnswer, type RestCall, restRoot } from '../support/stack/serveStack.ts';
import { strangeKey, takeApart, toSegment } from './forgeries.ts';
import { collection } from './world/collection.ts';

/* Each attack has the same status, code and challenge on interfaces A, B and C and over GraphQL. */

const world = product();
const { market } = world;
let signingKey: KeyObject;

const abroad = perFile(() => world.neighbour());
const user = perFile(() => market.user());
const forgery = perFile(() => takeApart(user.token, world.stack));
beforeAll(async () => {
  signingKey = (await currentSigningKey(world.stack.platform.secrets)).privateKey;
});

const query = '{ me { id } }';
const channels: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/api/v1/me'],
  ['GET', '/api/v1/catalog/listings'],
  ['POST', `${restRoot}/seo-tools/v1/analysis`, { content: 'x' }],
  ['GET', `${restRoot}/translation/v1/languages`],
  ['POST', '/graphql', { query }],
];
type Channel = (typeof channels)[number];

const send = ([method, path, body]: Channel, call: RestCall = {}) =>
  world.rest(method, path, { body, ...call });
const problemOf = ({ body }: RestAnswer) => body?.errors?.[0]?.extensions?.problem ?? body;

/** Sends a token over every channel; returns the distinct answers. GraphQL answers an accepted identity with 200. */
async function everywhere(token: string): Promise<string[]> {
  const words = channels.map(async (channel) => {
    const answer = await send(channel, { token });
    const { status, code } = problemOf(answer);
    if (status === 401 || channel[1] !== '/graphql') expect(answer.status).toBe(status);
    return `${status} ${code} ${answer.headers.get('www-authenticate')}`;
  });
  return [...new Set(await Promise.all(words))];
}

const challenge = (more = '') => `Bearer realm="${market.installation.id}"${more}`;
const challenged = (status: number, code: string, more = '') => `${status} ${code} ${challenge(more)}`;
const invalid = (code: string) => [challenged(401, code, ', error="invalid_token"')];

const nowSeconds = () => Math.floor(world.stack.platform.now() / 1000);
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
/** The last letter of a signature has four unused bits. */
const nextLetter = (last: string) => String.fromCharCode(last.charCodeAt(0) + 1);

test('accepts an issued token, and one that is reassembled from its parts', async () => {
  for (const token of [forgery.genuine, forgery.token({})])
    for (const channel of channels) expect((await send(channel, { token })).status).toBe(200);
});

test.each<[string, () => string]>([
  ['no signature', () => `${segment(0)}.${segment(1)}.`],
  ['two segments', () => `${segment(0)}.${segment(1)}`],
  ['four segments', () => `${forgery.genuine}.x`],
  ['base64 padding', () => `${forgery.genuine}==`],
  ['a non-canonical last character', () => forgery.genuine.replace(/.$/, nextLetter)],
  ['more than 8 KiB', () => claims({ x: 'x'.repeat(9000) })],
  ['a header that is not an object', () => `${toSegment([forgery.header])}.${segment(1)}.${segment(2)}`],
])('returns 401 token_malformed for a token with %s', async (_, make) => {
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
    `${name} in the header`,
    () => headed({ [name]: value }),
  ]),
  ...['JWT', 'id+jwt', undefined].map((typ): [string, () => string] => [
    typ ? `the type ${typ}` : 'no type',
    () => headed({ typ }),
  ]),
  ['an unknown key id', () => headed({ kid: 'A'.repeat(43) })],
  ['a path as its key id', () => headed({ kid: '../../dev/null' })],
  ['no key id', () => headed({ kid: undefined })],
  ['the algorithm none', () => forgery.token({ header: { ...forgery.header, alg: 'none' } })],
  [
    'the public key as its HMAC secret',
    () => forgery.token({ header: { ...forgery.header, alg: 'HS256' }, signer: hmac() }),
  ],
  ['an algorithm other than that of its key', () => headed({ alg: 'ES384' })],
  ['a signature by an unknown key', () => forgery.token({ signer: signedBy(strangeKey()) })],
  [
    'a signature in DER',
    () => forgery.token({ signer: (input) => sign('sha256', Buffer.from(input), signingKey) }),
  ],
  ['a signature of zeros', () => forgery.token({ signer: () => Buffer.alloc(64) })],
  [
    'claims that its signature does not cover',
    () => `${segment(0)}.${toSegment({ ...forgery.payload, x: 1 })}.${segment(2)}`,
  ],
  ['another issuer', () => claims({ iss: 'http://issuer.evil' })],
  ['a list of issuers', () => claims({ iss: [forgery.payload.iss] })],
  ['another audience', () => claims({ aud: market.installation.baseUrl })],
  ['a list of audiences', () => claims({ aud: [forgery.payload.aud] })],
  ['the audience of another installation', () => claims({ aud: `${abroad.installation.baseUrl}/api/v1` })],
  ['an unknown installation', () => claims({ installation: 'ins_none' })],
  ['an installation other than that of its audience', () => claims({ installation: abroad.installation.id })],
  ['an object as subject', () => claims({ sub: { $ne: null } })],
  ['an object as session', () => claims({ sid: { $gt: '' } })],
  ['an id of another type as subject', () => claims({ sub: newId('listing') })],
  ['a string as time of expiry', () => claims({ exp: String(nowSeconds() + 600) })],
  ['a fraction as time of issue', () => claims({ iat: nowSeconds() - 0.5 })],
  ['a lifetime of more than 15 minutes', () => claims({ exp: Number(forgery.payload.iat) + 901 })],
  ['a lifetime of 30 years', () => claims({ exp: nowSeconds() + 30 * 365 * 86_400 })],
  ...['sub', 'installation', 'sid', 'jti', 'iat', 'exp', 'iss', 'aud'].map((name): [string, () => string] => [
    `no ${name}`,
    () => without(name),
  ]),
])('returns 401 token_invalid for a token with %s', async (_, make) => {
  expect(await everywhere(make())).toEqual(invalid('token_invalid'));
});

test('returns 401 token_invalid for a token of an external issuer that was not exchanged', async () => {
  const issuer = await openExternalIssuer({ now: world.stack.platform.now });
  const token = await issuer.issue({ sub: user.id });
  await issuer.close();
  expect(await everywhere(token)).toEqual(invalid('token_invalid'));
});

test('returns token_expired or token_not_yet_valid for a token outside its lifetime, with 30 s of tolerance', async () => {
  const life = (from: number) => ({ iat: from, nbf: from, auth_time: from, exp: from + 600 });
  const now = nowSeconds();
  expect(await everywhere(claims(life(now - 600 - 40)))).toEqual([
    challenged(401, 'token_expired', ', error="invalid_token", error_description="expired"'),
  ]);
  for (const ahead of [{ nbf: now + 60 }, { iat: now + 60, exp: now + 660 }, { auth_time: now + 60 }])
    expect(await everywhere(claims(ahead))).toEqual(invalid('token_not_yet_valid'));
  // Clocks may differ by half a minute.
  for (const within of [life(now - 600 - 20), { nbf: now + 20 }, { iat: now + 20, exp: now + 620 }])
    expect((await world.rest('GET', '/api/v1/me', { token: claims(within) })).status).toBe(200);
});

describe('a correctly signed token', () => {
  const at = (ms: number) => new Date(world.stack.platform.now() + ms);
  const changed = async (name: string, id: string, set: Record<string, unknown>) => {
    await collection(name).updateOne({ _id: id }, { $set: set });
    for (const key of [{ sessionId: id }, { userId: id }]) world.stack.platform.forgetPrincipal(key);
  };

  test.each<[string, () => Record<string, unknown>]>([
    ['was revoked', () => ({ revokedAt: at(0) })],
    ['was idle for 30 days', () => ({ idleExpiresAt: at(-1) })],
    ['is older than 90 days', () => ({ absoluteExpiresAt: at(-1) })],
    ['belongs to another user', () => ({ userId: newId('user') })],
  ])('is refused with 401 session_revoked if its session %s', async (_, set) => {
    const { token, sessionId } = await market.user();
    await changed('sessions', sessionId, set());
    expect(await everywhere(token)).toEqual(invalid('session_revoked'));
  });

  test('is refused with 401 session_revoked if its session or API client does not exist', async () => {
    expect(await everywhere(claims({ sid: newId('session') }))).toEqual(invalid('session_revoked'));
    const client = { sub: newId('client'), dealer: newId('dealer'), scope: 'listings:read' };
    expect(await everywhere(claims(client))).toEqual(invalid('session_revoked'));
  });

  test('is refused with 401 subject_unknown if its account was erased or does not exist', async () => {
    const [erased, gone] = [await market.user(), await market.user()];
    await changed('users', erased.id, { state: 'deleted' });
    await collection('users').deleteOne({ _id: gone.id });
    world.stack.platform.forgetPrincipal({ userId: gone.id });
    for (const { token } of [erased, gone])
      expect(await everywhere(token)).toEqual(invalid('subject_unknown'));
  });

  test('is refused with 403 installation_mismatch in another installation', async () => {
    const { token } = await abroad.user();
    expect(await everywhere(token)).toEqual(['403 installation_mismatch null']);
    for (const [method, path, body] of channels)
      expect((await abroad.caller(token).rest(method, path, { body })).status).toBe(200);
  });

  test('is refused with 401 if the operation requires a newer sign-in or a second factor', async () => {
    const enroll = (token: string) =>
      world.rest('POST', '/api/v1/me/mfa-factors', { token, body: { label: 'Phone' } });
    const insufficient = ', error="insufficient_user_authentication"';
    const old = await enroll(claims({ auth_time: nowSeconds() - 601 }));
    expect(old).toBeRefused(401, 'reauthentication_required');
    expect(old.headers.get('www-authenticate')).toBe(challenge(`${insufficient}, max_age=600`));
    await collection('installations').updateOne(
      { _id: market.installation.id },
      { $set: { 'settings.mfaRequiredRoles': ['moderator'] } },
    );
    await world.stack.platform.installations.refresh();
    const moderator = await market.user({ roles: ['buyer', 'moderator'] });
    const listings = await moderator.rest('GET', '/api/v1/listings');
    expect(listings).toBeRefused(401, 'mfa_required');
    expect(listings.headers.get('www-authenticate')).toBe(challenge(`${insufficient}, acr_values="mfa"`));
    for (const path of ['/api/v1/me', '/api/v1/me/sessions'])
      expect((await moderator.rest('GET', path)).status).toBe(200);
    expect((await enroll(moderator.token)).status).toBe(201);
  });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['a request without Authorization', {}],
  ['another authorization scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
  ['a token without a scheme', { authorization: 'eyJhbGciOiJub25lIn0.e30.x' }],
])('returns 401 token_missing with a challenge that names no error for %s', async (_, headers) => {
  const answer = await world.rest('GET', '/api/v1/me', { headers });
  expect(answer).toBeRefused(401, 'token_missing');
  expect(answer.headers.get('www-authenticate')).toBe(challenge());
});

test('returns 400 ambiguous_credentials for two Authorization headers, even if they are equal', async () => {
  const authorization = [1, 2].map(() => `Bearer ${forgery.genuine}`);
  for (const channel of channels)
    expect(problemOf(await send(channel, { headers: { authorization } }))).toMatchObject({
      status: 400,
      code: 'ambiguous_credentials',
    });
});

test('returns 401 refresh_token_invalid for a refresh token that was changed, shortened or extended', async () => {
  const { refreshToken } = await market.user();
  const refresh = (text: string, at = market) =>
    at.visitor.rest('POST', '/api/v1/auth/token', {
      body: { grant_type: 'refresh_token', refresh_token: text },
    });
  const changed = Array.from(refreshToken, (character, at) => {
    const other = character === 'A' ? 'B' : 'A';
    return refreshToken.slice(0, at) + other + refreshToken.slice(at + 1);
  });
  const others = [refreshToken.slice(1), `${refreshToken}A`, `${refreshToken}=`, ` ${refreshToken}`];
  for (const text of [...changed, ...others])
    expect(await refresh(text)).toBeRefused(401, 'refresh_token_invalid', { error: 'invalid_grant' });
  expect(await refresh(refreshToken, abroad)).toBeRefused(401, 'refresh_token_invalid');
  expect((await refresh(refreshToken)).status).toBe(200);
});
