import { createLocalJWKSet, jwtVerify } from 'jose';
import { clientScopes } from '../../../../schema/permissions.ts';
import { commandsOf } from '../../../../test/support/commandsOf.ts';
import { openRestStack, type RestStack } from '../../../../test/support/openRestStack.ts';
import { problemOf } from '../../../../test/support/problemOf.ts';
import { type SeededDealer, type SeededInstallation, seed } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ApiClientModel } from '../../api-client/model.ts';
import { DealerModel } from '../../dealer/model.ts';
import { buildIdentity } from '../../server.ts';

let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
  garage = await shop.dealer();
});
// A dealer has ten clients at most.
beforeEach(() => clients().deleteMany({ dealerId: garage.id }));
afterAll(() => rest.close());

interface Credentials {
  id: string;
  secret: string;
}

const make = async (members: object = {}, dealer = garage): Promise<Credentials> => {
  const { status, body } = await rest.call('POST', `/api/v1/dealers/${dealer.id}/api-clients`, {
    token: dealer.owner.token,
    body: { name: 'Stock system', scopes: ['listings:read', 'listings:write', 'dealer:read'], ...members },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.id, secret: body.clientSecret };
};
const basic = ({ id, secret }: Credentials) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const token = (members: object, headers: Record<string, string> = {}) =>
  rest.call('POST', '/api/v1/auth/token', {
    body: { grant_type: 'client_credentials', ...members },
    headers,
  });
const signIn = async (client: Credentials, members: object = {}): Promise<string> => {
  const { status, body } = await token(members, basic(client));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.access_token;
};
const get = (path: string, accessToken: string) => rest.call('GET', path, { token: accessToken });
const clients = () => scoped(ApiClientModel, shop.installation.id);

test('a client gets an access token by Basic credentials, and nothing to refresh it with', async () => {
  const client = await make();
  const { status, headers, body } = await token({}, basic(client));
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'dealer:read listings:read listings:write',
    session_id: expect.stringMatching(/^ses_/),
  });
  const me = await get('/api/v1/me', body.access_token);
  expect(me.body).toMatchObject({
    id: client.id,
    type: 'client',
    permissions: [],
    scopes: ['dealer:read', 'listings:read', 'listings:write'],
    dealerMemberships: [{ dealerId: garage.id, role: 'manager' }],
    session: { id: body.session_id },
  });
});

test('credentials in a JSON body or a form are as good', async () => {
  const { id, secret } = await make();
  const members = { client_id: id, client_secret: secret };
  expect((await token(members)).status).toBe(200);
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...members });
  expect((await rest.call('POST', '/api/v1/auth/token', { body: form })).status).toBe(200);
  const twice = await token(members, basic({ id, secret }));
  expect([twice.status, twice.body.code]).toEqual([400, 'ambiguous_credentials']);
});

test('the token verifies with another implementation against our key set, and names the dealer', async () => {
  const client = await make();
  const accessToken = await signIn(client);
  const keys = await rest.call('GET', '/api/v1/auth/jwks');
  const { payload } = await jwtVerify(accessToken, createLocalJWKSet(keys.body), {
    typ: 'at+jwt',
    algorithms: ['ES256'],
    issuer: rest.stack.platform.issuer,
    audience: `${shop.installation.baseUrl}/api/v1`,
    currentDate: new Date(rest.stack.platform.now()),
  });
  expect(payload).toMatchObject({ sub: client.id, client_id: client.id, dealer: garage.id });
  expect(payload).not.toHaveProperty('roles');
});

describe('scope', () => {
  test('asks for less than the client has', async () => {
    const client = await make();
    const { body } = await token({ scope: ' listings:read  dealer:read' }, basic(client));
    expect(body.scope).toBe('dealer:read listings:read');
    const refused = await rest.call('POST', '/api/v1/listings', {
      token: body.access_token,
      body: { title: 'A car of the dealer' },
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="ins_demo", error="insufficient_scope", scope="listings:write"$/,
    );
  });

  test.each(['media:read', 'listings:read users:read', '*', 'user'])(
    'never asks for more: %s is refused',
    async (scope) => {
      const { status, body } = await token({ scope }, basic(await make()));
      expect([status, body.code, body.error]).toEqual([422, 'validation_failed', 'invalid_scope']);
      expect(body.errors[0].pointer).toBe('#/scope');
    },
  );
});

describe('a client is refused alike', () => {
  const nobody = async () => ({ id: newId('client'), secret: (await make()).secret });
  test.each<[string, () => Promise<Credentials>]>([
    ['with a wrong secret', async () => ({ ...(await make()), secret: 'x'.repeat(43) })],
    ['that nobody knows', nobody],
    ['whose id is none', async () => ({ ...(await nobody()), id: 'ios-app' })],
    [
      'that has expired',
      async () => {
        const client = await make({ expiresAt: new Date(rest.stack.platform.now() + 1000).toISOString() });
        rest.stack.advance(2000);
        return client;
      },
    ],
    [
      'that was deleted',
      async () => {
        const client = await make();
        const path = `/api/v1/dealers/${garage.id}/api-clients/${client.id}`;
        expect((await rest.call('DELETE', path, { token: garage.owner.token })).status).toBe(204);
        return client;
      },
    ],
    [
      'of a dealer that is closed',
      async () => {
        const dealer = await shop.dealer();
        const client = await make({}, dealer);
        const dealers = scoped(DealerModel, shop.installation.id);
        await dealers.findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'closed' } });
        return client;
      },
    ],
    [
      'of another installation',
      async () => {
        const abroad = await (await seed(rest.stack).in(rest.stack.other)).dealer();
        const { data } = await rest.stack.execute(
          `mutation ($input: CreateDealerApiClientInput!) {
          createDealerApiClient(input: $input) { clientSecret apiClient { id } } }`,
          { input: { dealerId: abroad.id, name: 'x', scopes: ['listings:read'] } },
          { as: abroad.owner, installation: rest.stack.other },
        );
        return {
          id: data?.createDealerApiClient.apiClient.id,
          secret: data?.createDealerApiClient.clientSecret,
        };
      },
    ],
  ])('%s', async (_, credentials) => {
    const client = await credentials();
    const answer = await token({}, basic(client));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="ins_demo"');
    const { requestId: _id, instance: _instance, ...said } = answer.body;
    expect(said).toEqual({
      type: 'http://demo.localhost/problems/client_invalid',
      title: expect.any(String),
      status: 401,
      detail: 'Id or secret of the API client are wrong, or it is not good any more.',
      code: 'client_invalid',
      error: 'invalid_client',
    });
  });

  test('without any credentials', async () => {
    const { status, body } = await token({});
    expect([status, body.code, body.error]).toEqual([401, 'client_invalid', 'invalid_client']);
  });
});

describe('a client that is held to networks', () => {
  const issue =
    'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }';
  /** From 192.0.2.1, where the stack's own contexts come from; HTTP comes from the loopback. */
  const fromOutside = ({ id, secret }: Credentials) =>
    rest.stack.execute(issue, {
      input: { grantType: 'client_credentials', clientId: id, clientSecret: secret },
    });

  test('gets no token and no answer elsewhere', async () => {
    const client = await make({ allowedCidrs: ['192.0.2.0/28', '2001:db8::/32'] });
    const refused = await token({}, basic(client));
    expect([refused.status, refused.body.code]).toEqual([403, 'origin_not_allowed']);
    const issued = await fromOutside(client);
    const accessToken = issued.data?.issueToken.tokens.accessToken;
    const there = await rest.stack.execute('{ me { id } }', {}, { as: accessToken });
    expect(there.data?.me.id).toBe(client.id);
    const here = await get('/api/v1/me', accessToken);
    expect([here.status, here.body.code]).toEqual([403, 'origin_not_allowed']);
  });

  test('is told nothing of them without its secret', async () => {
    const client = await make({ allowedCidrs: ['203.0.113.0/24'] });
    expect(problemOf(await fromOutside({ ...client, secret: 'x' })).code).toBe('client_invalid');
  });
});

test('when it was last used is written once a minute, however many tokens it gets', async () => {
  const client = await make();
  const first = await commandsOf(() => signIn(client));
  const second = await commandsOf(() => signIn(client));
  expect(first.filter((command) => command === 'update api_clients')).toHaveLength(1);
  expect(second.filter((command) => command === 'update api_clients')).toHaveLength(0);
  const at = (await clients().findOne({ _id: client.id }))?.lastUsedAt?.getTime() ?? 0;
  rest.stack.advance(61_000);
  await signIn(client);
  expect((await clients().findOne({ _id: client.id }))?.lastUsedAt?.getTime()).toBeGreaterThan(at + 60_000);
});

test('a client of one dealer reaches nothing of another one, whatever its scopes', async () => {
  const client = await signIn(await make({ scopes: [...clientScopes] }));
  const rival = await shop.dealer();
  const [own, foreign] = [await garage.listing(), await rival.listing()];
  expect((await get(`/api/v1/listings/${own.id}`, client)).status).toBe(200);
  const read = await get(`/api/v1/listings/${foreign.id}`, client);
  expect([read.status, read.body.code]).toEqual([403, 'ownership_required']);
  const listed = await get(`/api/v1/listings?dealerId=${rival.id}`, client);
  expect([listed.status, listed.body.code]).toEqual([403, 'ownership_required']);
  const made = await rest.call('POST', '/api/v1/listings', {
    token: client,
    body: { title: 'A car of the rival', dealerId: rival.id },
  });
  expect([made.status, made.body.code]).toEqual([403, 'dealer_role_required']);
});

test('what a client lists for sale is its dealer’s, and it acts on no page of a person', async () => {
  const client = await signIn(await make());
  const { status, body } = await rest.call('POST', '/api/v1/listings', {
    token: client,
    body: { title: 'A car from the stock system', stockNumber: 'S-1' },
  });
  expect([status, body.owner]).toEqual([201, { type: 'dealer', id: garage.id }]);
  const personal = await rest.call('PATCH', '/api/v1/me', { token: client, body: { displayName: 'x' } });
  expect([personal.status, personal.body.code]).toEqual([403, 'user_token_required']);
});

test('a suspended dealer’s client reads and writes nothing', async () => {
  const dealer = await shop.dealer();
  const client = await make({}, dealer);
  const { id } = await dealer.listing();
  const dealers = scoped(DealerModel, shop.installation.id);
  await dealers.findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'suspended' } });
  const accessToken = await signIn(client);
  expect((await get(`/api/v1/listings/${id}`, accessToken)).status).toBe(200);
  const write = await rest.call('PATCH', `/api/v1/listings/${id}`, {
    token: accessToken,
    body: { title: 'Another title' },
  });
  expect([write.status, write.body.code]).toEqual([403, 'dealer_not_active']);
});

test('a dealer that is closed takes its clients with it at once', async () => {
  const dealer = await shop.dealer();
  const accessToken = await signIn(await make({}, dealer));
  expect((await get('/api/v1/me', accessToken)).status).toBe(200);
  const closed = await rest.call('DELETE', `/api/v1/dealers/${dealer.id}`, { token: dealer.owner.token });
  expect(closed.status).toBe(202);
  expect((await get('/api/v1/me', accessToken)).body.code).toBe('session_revoked');
});

test('a token that is revoked takes all of the client’s with it, and not the client', async () => {
  const client = await make();
  const [first, second] = [await signIn(client), await signIn(client)];
  expect((await get('/api/v1/me', second)).status).toBe(200);
  const revoked = await rest.call('POST', '/api/v1/auth/revoke', { body: { token: first } });
  expect(revoked.status).toBe(200);
  for (const one of [first, second]) expect((await get('/api/v1/me', one)).body.code).toBe('session_revoked');
  expect((await get('/api/v1/me', await signIn(client))).status).toBe(200);
});

test('a secret that is guessed at is slowed down, and the client does not stay locked out', async () => {
  const client = await make();
  for (let guess = 0; guess < 5; guess += 1)
    expect((await token({}, basic({ ...client, secret: `guess-${guess}` }))).status).toBe(401);
  const refused = await token({}, basic(client));
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  rest.stack.advance(15 * 60_000 + 1000);
  expect((await token({}, basic(client))).status).toBe(200);
});
