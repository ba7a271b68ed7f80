import { createLocalJWKSet, jwtVerify } from 'jose';
import { clientScopes } from '../../../../schema/permissions.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededDealer } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { ApiClientModel } from '../api-client/model.ts';
import { DealerModel } from '../dealer/model.ts';

const { market, neighbour, stack } = product();
let garage: SeededDealer;
beforeEach(async () => {
  // A dealer can have at most ten clients.
  garage = await market.dealer();
});

interface Credentials {
  id: string;
  secret: string;
}

const scopes = ['listings:read', 'listings:write', 'dealer:read'];
const create = async (members = {}, { id: dealerId, owner } = garage): Promise<Credentials> => {
  const input = { dealerId, name: 'Stock system', scopes, ...members };
  const { apiClient, clientSecret } = await owner.createDealerApiClient(input);
  return { id: apiClient.id, secret: clientSecret };
};
const basic = ({ id, secret }: Credentials) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const token = (members: object, headers = {}) =>
  market.visitor.rest('POST', '/api/v1/auth/token', {
    body: { grant_type: 'client_credentials', ...members },
    headers,
  });
const signIn = async (client: Credentials) => {
  const { body } = await token({}, basic(client));
  return market.caller(body.access_token);
};
const clients = () => market.records(ApiClientModel);
const setDealerState = (_id: string, state: 'suspended' | 'closed') =>
  market.records(DealerModel).findOneAndUpdate({ _id }, { $set: { state } });

test('an API client receives an access token for Basic credentials, and no refresh token', async () => {
  const client = await create();
  const { status, headers, body } = await token({}, basic(client));
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'dealer:read listings:read listings:write',
    session_id: expect.stringMatching(/^ses_/),
  });
  const me = await market.caller(body.access_token).rest('GET', '/api/v1/me');
  expect(me.body).toMatchObject({
    id: client.id,
    type: 'client',
    permissions: [],
    scopes: ['dealer:read', 'listings:read', 'listings:write'],
    dealerMemberships: [{ dealerId: garage.id, role: 'manager' }],
    session: { id: body.session_id },
  });
});

test('an API client can send its credentials as JSON or as a form, and is refused if it sends them twice', async () => {
  const { id, secret } = await create();
  const members = { client_id: id, client_secret: secret };
  expect((await token(members)).status).toBe(200);
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...members });
  expect((await market.visitor.rest('POST', '/api/v1/auth/token', { body })).status).toBe(200);
  expect(await token(members, basic({ id, secret }))).toBeRefused(400, 'ambiguous_credentials');
});

test('another implementation verifies the token of an API client with the published keys', async () => {
  const client = await create();
  const { body: keys } = await market.visitor.rest('GET', '/api/v1/auth/jwks');
  const { payload } = await jwtVerify((await signIn(client)).token ?? '', createLocalJWKSet(keys), {
    typ: 'at+jwt',
    algorithms: ['ES256'],
    issuer: stack.platform.issuer,
    audience: `${market.installation.baseUrl}/api/v1`,
    currentDate: new Date(stack.platform.now()),
  });
  expect(payload).toMatchObject({ sub: client.id, client_id: client.id, dealer: garage.id });
  expect(payload).not.toHaveProperty('roles');
});

test('an API client can request fewer scopes than it has', async () => {
  const { body } = await token({ scope: ' listings:read  dealer:read' }, basic(await create()));
  expect(body.scope).toBe('dealer:read listings:read');
  const title = { title: 'A car of the dealer' };
  const refused = await market.caller(body.access_token).rest('POST', '/api/v1/listings', { body: title });
  expect(refused).toBeRefused(403, 'insufficient_scope');
  expect(refused.headers.get('www-authenticate')).toMatch(
    /^Bearer realm="ins_\w+", error="insufficient_scope", scope="listings:write"$/,
  );
});

test.each(['media:read', 'listings:read users:read', '*', 'user'])(
  'an API client that requests the scope "%s" beyond its own is refused',
  async (scope) => {
    const errors = [{ pointer: '#/scope' }];
    const refused = await token({ scope }, basic(await create()));
    expect(refused).toBeRefused(422, 'validation_failed', { error: 'invalid_scope', errors });
  },
);

/** Creates a client and ends its access. */
const ended = async (end: (client: Credentials) => unknown, members = {}) => {
  const client = await create(members);
  await end(client);
  return client;
};
const soon = () => ({ expiresAt: new Date(stack.platform.now() + 1000).toISOString() });
const remove = ({ id: clientId }: Credentials) =>
  garage.owner.deleteDealerApiClient({ dealerId: garage.id, clientId });

test.each<[string, () => Promise<Credentials>]>([
  ['with a wrong secret', async () => ({ ...(await create()), secret: 'x'.repeat(43) })],
  ['with an unknown id', async () => ({ ...(await create()), id: newId('client') })],
  ['with an invalid id', async () => ({ ...(await create()), id: 'ios-app' })],
  ['that has expired', () => ended(() => stack.advance(2000), soon())],
  ['that was deleted', () => ended(remove)],
  ['of a closed dealer', () => ended(() => setDealerState(garage.id, 'closed'))],
  ['of another installation', async () => create({}, await (await neighbour()).dealer())],
])('an API client %s is refused with the same error', async (_, credentials) => {
  const answer = await token({}, basic(await credentials()));
  expect(answer).toBeRefused(401, 'client_invalid', {
    error: 'invalid_client',
    detail: 'The id or secret of the API client is wrong, or the API client has expired.',
  });
  expect(answer.headers.get('www-authenticate')).toBe(`Basic realm="${market.installation.id}"`);
});

test('an API client without credentials is refused', async () => {
  expect(await token({})).toBeRefused(401, 'client_invalid', { error: 'invalid_client' });
});

test('an API client that is restricted to networks is refused from other addresses', async () => {
  const client = await create({ allowedCidrs: ['192.0.2.0/28', '2001:db8::/32'] });
  expect(await token({}, basic(client))).toBeRefused(403, 'origin_not_allowed');
  // Operations come from 192.0.2.1, and HTTP requests from the loopback.
  const credentials = { grantType: 'client_credentials', clientId: client.id };
  const { tokens } = await market.visitor.issueToken({ ...credentials, clientSecret: client.secret });
  const inside = market.caller(tokens.accessToken);
  expect((await inside.me({}, 'id')).id).toBe(client.id);
  expect(await inside.rest('GET', '/api/v1/me')).toBeRefused(403, 'origin_not_allowed');
  const withoutSecret = await market.visitor.issueToken({ ...credentials, clientSecret: 'x' });
  expect(withoutSecret).toBeRefused(401, 'client_invalid');
});

test('issuing tokens to an API client stores the time of its last use at most once a minute', async () => {
  const client = await create();
  const writes = async () =>
    (await commandsOf(() => signIn(client))).filter((command) => command === 'update api_clients');
  const lastUsed = async () => (await clients().findOne({ _id: client.id }))?.lastUsedAt?.getTime() ?? 0;
  expect(await writes()).toHaveLength(1);
  expect(await writes()).toHaveLength(0);
  const at = await lastUsed();
  stack.advance(61_000);
  await signIn(client);
  expect(await lastUsed()).toBeGreaterThan(at + 60_000);
});

test('an API client of a dealer can read, list and create nothing of another dealer', async () => {
  const client = await signIn(await create({ scopes: [...clientScopes] }));
  const rival = await market.dealer();
  const [own, foreign] = [await garage.listing(), await rival.listing()];
  expect(await client.api.listing({ listingId: own.id })).not.toBeRefused();
  expect(await client.api.listing({ listingId: foreign.id })).toBeRefused(403, 'ownership_required');
  expect(await client.listings({ dealerId: rival.id })).toBeRefused(403, 'ownership_required');
  const listed = await client.createListing({ title: 'A car of the rival', dealerId: rival.id });
  expect(listed).toBeRefused(403, 'dealer_role_required');
});

test('a listing that an API client creates belongs to its dealer', async () => {
  const client = await signIn(await create());
  const { listing } = await client.createListing({
    title: 'A car from the stock system',
    stockNumber: 'S-1',
  });
  expect(listing.owner).toMatchObject({ type: 'DEALER', ownerId: garage.id });
});

test('an API client of a suspended dealer can read and cannot write', async () => {
  const client = await create();
  const { id: listingId } = await garage.listing();
  await setDealerState(garage.id, 'suspended');
  const caller = await signIn(client);
  expect(await caller.api.listing({ listingId })).not.toBeRefused();
  expect(await caller.updateListing({ listingId, title: 'Another' })).toBeRefused(403, 'dealer_not_active');
});

test('closing a dealer revokes the tokens of its API clients immediately', async () => {
  const client = await signIn(await create());
  expect(await client.me()).not.toBeRefused();
  expect(await garage.owner.closeDealer({ dealerId: garage.id })).not.toBeRefused();
  expect(await client.me()).toBeRefused(401, 'session_revoked');
});

test('revoking a token of an API client revokes all of its tokens, and it can sign in again', async () => {
  const credentials = await create();
  const [first, second] = [await signIn(credentials), await signIn(credentials)];
  expect(await second.me()).not.toBeRefused();
  await market.visitor.revokeToken({ token: first.token ?? '' });
  for (const client of [first, second]) expect(await client.me()).toBeRefused(401, 'session_revoked');
  expect(await (await signIn(credentials)).me()).not.toBeRefused();
});

test('an API client is limited after five wrong secrets, and can sign in again after 15 minutes', async () => {
  const client = await create();
  for (let guess = 0; guess < 5; guess += 1)
    expect(await token({}, basic({ ...client, secret: `guess-${guess}` }))).toBeRefused(401);
  const refused = await token({}, basic(client));
  expect(refused).toBeRefused(429, 'too_many_attempts');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  stack.advance(15 * 60_000 + 1000);
  expect((await token({}, basic(client))).status).toBe(200);
});
