import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';
import { openSocketClient } from '../support/stack/openSocketClient.ts';

const password = 'plum-tractor-9-violin';

describe.each([
  ['with one process', { apart: false }],
  ['with subgraphs in separate processes', { apart: true }],
])('%s', (_, options) => {
  const { stack, market, send } = product({ ...options, rateLimits: true });
  let user: SeededUser;
  beforeEach(async () => {
    user = await market.user({ password });
    // Windows in memory begin with the minute, so a test starts at the beginning of one.
    stack.advance(60_000 - (stack.platform.now() % 60_000));
  });

  const rest = (path = '/api/v1/me', token: string | undefined = user.token) => send({ path, token });
  const graphql = (query: string, token?: string) =>
    send({ method: 'POST', path: '/graphql', token, body: { query } });

  test('REST and GraphQL share a rate limit and state it in their headers', async () => {
    const first = await rest();
    expect(first.headers['ratelimit-policy']).toBe('"read";q=300;w=60');
    expect(first.headers.ratelimit).toMatch(/^"read";r=299;t=(5\d|60)$/);
    const second = await graphql('{ me { id } again: me { id } }', user.token);
    expect(second.headers['ratelimit-policy']).toBe('"read";q=300;w=60');
    expect(second.headers.ratelimit).toMatch(/^"read";r=297;t=/);
    expect((await rest()).headers.ratelimit).toMatch(/^"read";r=296;/);
  });

  test('the headers of a request state the rate limits of several classes and subgraphs', async () => {
    const { headers } = await graphql('{ me { id } defaultLanguage { code } }', user.token);
    const policies = String(headers['ratelimit-policy']).split(', ').sort();
    expect(policies).toEqual(['"public-read";q=300;w=60', '"read";q=300;w=60']);
    expect(String(headers.ratelimit)).toMatch(/"read";r=299;t=\d+/);
  });

  test('REST and GraphQL refuse a request beyond the rate limit and state the time to wait', async () => {
    const aliases = Array.from({ length: 15 }, (__, index) => `a${index}: me { id }`).join(' ');
    for (let round = 0; round < 20; round += 1) await graphql(`{ ${aliases} }`, user.token);
    const { status, json, headers } = await rest();
    expect([status, json.code]).toEqual([429, 'rate_limited']);
    expect(headers['retry-after']).toBe(String(json.retryAfter));
    expect(headers.ratelimit).toBe(`"read";r=0;t=${json.retryAfter}`);
    expect(json.retryAfter).toBeLessThanOrEqual(60);
    const refused = await graphql('{ me { id } }', user.token);
    const problem = { code: 'rate_limited', retryAfter: expect.any(Number) };
    expect(refused.status).toBe(200);
    expect(refused.json.errors[0].extensions).toMatchObject({ code: 'TOO_MANY_REQUESTS', problem });
    expect((await rest('/api/v1/me', (await market.user()).token)).status).toBe(200);
    stack.advance(60_000);
    expect((await rest()).status).toBe(200);
  });

  test('operations over WebSocket count against the rate limit of HTTP, on every connection of a caller', async () => {
    const host = market.installation.hosts[0] ?? '';
    // Not lazy, because a lazy client closes its connection after each operation.
    const options = { host, token: user.token, lazy: false, onNonLazyError: () => undefined };
    const open = async () => openSocketClient(await stack.port(), options);
    const clients = [await open(), await open()] as const;
    const aliases = Array.from({ length: 15 }, (__, index) => `a${index}: me { id }`).join(' ');
    for (let round = 0; round < 19; round += 1)
      expect(await clients[0].ask(`{ ${aliases} }`)).not.toHaveProperty('errors');
    expect((await rest()).headers.ratelimit).toMatch(/^"read";r=14;/);
    const { data, errors } = await clients[0].ask(`{ ${aliases} }`);
    const problem = { code: 'rate_limited', retryAfter: expect.any(Number) };
    expect(Object.values(data).filter((me) => me === null)).toHaveLength(1);
    expect(errors).toMatchObject([{ extensions: { code: 'TOO_MANY_REQUESTS', problem } }]);
    const refused = await clients[1].ask('{ me { id } }');
    expect(refused).toMatchObject({ data: { me: null }, errors: [{ extensions: { problem } }] });
    expect((await rest()).status).toBe(429);
    stack.advance(60_000);
    for (const client of clients) {
      expect(await client.ask('{ me { id } }')).toEqual({ data: { me: { id: user.id } } });
      expect(client.closings).toEqual([]);
      await client.close();
    }
  });

  test('an address can sign in ten times a minute, through REST and GraphQL together', async () => {
    stack.advance(3_600_000);
    const credentials = `grantType: "password", username: "${user.email}", password: "${password}"`;
    const query = `mutation { issueToken(input: { ${credentials} }) { tokens { scope } } }`;
    const body = { grant_type: 'password', username: user.email, password };
    const signIn = () => send({ method: 'POST', path: '/api/v1/auth/token', body });
    for (let round = 0; round < 5; round += 1) {
      expect((await signIn()).headers['ratelimit-policy']).toBe('"auth-token";q=10;w=60');
      await graphql(query);
    }
    const refused = await signIn();
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await graphql(query)).json.errors[0].extensions.problem.code).toBe('rate_limited');
  });

  test('a replayed answer states the rate limit and counts against it', async () => {
    const create = () =>
      send({
        method: 'POST',
        path: '/api/v1/listings',
        token: user.token,
        headers: [['idempotency-key', 'once']],
        body: { categoryId: market.categories.cars, title: 'A sound estate', language: 'en' },
      });
    const first = await create();
    const again = await create();
    expect([again.status, again.json.id]).toEqual([201, first.json.id]);
    const policy = { 'idempotent-replayed': 'true', 'ratelimit-policy': '"write";q=60;w=60' };
    expect(again.headers).toMatchObject(policy);
    expect(again.headers.ratelimit).toMatch(/^"write";r=58;/);
  });

  test('a request that is refused before its field is executed does not count against a rate limit', async () => {
    const { token } = user;
    for (const request of [
      { path: '/api/v1/nowhere', token },
      { path: '/api/v1/me?unknown=1', token },
      { method: 'PATCH', path: '/api/v1/me', token, body: { unknown: 1 } },
      { path: '/api/v1/me' },
    ])
      expect((await send(request)).headers.ratelimit).toBeUndefined();
  });

  const issue = 'issueToken(input: {grantType: "password", username: "a@example.test", password: "x"})';
  test.each([
    `mutation { a: ${issue} { tokens { scope } } b: ${issue} { tokens { scope } } }`,
    `mutation { ${issue} { tokens { scope } } ...More }
     fragment More on Mutation { ... { revokeToken(input: {token: "x"}) { revoked } } }`,
    `mutation ($yes: Boolean = false) {
       ${issue} { tokens { scope } } b: ${issue} @include(if: $yes) { tokens { scope } } }`,
  ])('an operation with two fields that sign in is refused: %s', async (query) => {
    const [error] = (await graphql(query)).json.errors;
    expect(error.message).toMatch(/can contain only one field .* this one has 2 .*issueToken/);
    expect(error.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('an operation that selects the same sign-in twice under one name is executed', async () => {
    const query = `mutation { ${issue} { tokens { scope } } ${issue} { tokens { sessionId } } }`;
    const [error] = (await graphql(query)).json.errors;
    expect(error.extensions.problem.code).toBe('invalid_credentials');
  });
});
