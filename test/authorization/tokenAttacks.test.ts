import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { forgedClaims, forgedTokens } from '../support/people/forgeries.ts';
import { takeApart } from '../support/people/takeApart.ts';
import { perFile, product } from '../support/product.ts';
import { openExternalIssuer } from '../support/servers/openExternalIssuer.ts';
import { type RestAnswer, type RestCall, restRoot } from '../support/stack/serveStack.ts';
import { collection } from './world/collection.ts';

/* Each attack has the same status, code and challenge on interfaces A, B and C and over GraphQL. */

const world = product();
const { market } = world;

const abroad = perFile(() => world.neighbour());
const user = perFile(() => market.user());
const forgery = perFile(() => takeApart(user.token, world.stack));

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
test('accepts an issued token, and one that is reassembled from its parts', async () => {
  for (const token of [forgery.genuine, forgery.token({})])
    for (const channel of channels) expect((await send(channel, { token })).status).toBe(200);
});

test.each(['token_malformed', 'token_invalid'] as const)(
  'returns 401 %s for each forgery that the verification refuses with this code',
  async (code) => {
    const forgeries = [...forgedTokens(forgery), ...forgedClaims(forgery)].filter((row) => row[2] === code);
    const answers: [string, string[]][] = [];
    for (const [title, authorization] of forgeries)
      answers.push([title, await everywhere(authorization.slice('Bearer '.length))]);
    expect(answers).toEqual(forgeries.map(([title]) => [title, invalid(code)]));
    expect(answers.length).toBeGreaterThan(20);
  },
);

test('returns 401 token_invalid for claims of another format', async () => {
  const { iat } = forgery.payload;
  const wrong = [{ sub: { $ne: null } }, { sid: { $gt: '' } }, { sub: newId('listing') }, { iat: iat - 0.5 }];
  for (const members of wrong) expect(await everywhere(claims(members))).toEqual(invalid('token_invalid'));
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
