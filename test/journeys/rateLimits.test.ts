import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededInstallation, type SeededUser, seed } from '../support/seed.ts';

const password = 'plum-tractor-9-violin';

describe.each([
  ['in one process', { apart: false }],
  ['with subgraphs in processes of their own', { apart: true }],
])('budgets %s', (_, options) => {
  let app: TestApp;
  let shop: SeededInstallation;
  let user: SeededUser;
  beforeAll(async () => {
    app = await openTestApp({ ...options, rateLimits: true });
    shop = await seed(app.stack).in(app.stack.demo);
  }, 60_000);
  afterAll(() => app.close());
  beforeEach(async () => {
    user = await shop.user({ password });
    // Windows that are counted in memory begin with the minute; a test must not lie across two.
    app.stack.advance(60_000 - (app.stack.platform.now() % 60_000));
  });

  const rest = (path = '/api/v1/me', token: string | undefined = user.token) => app.send({ path, token });
  const graphql = (query: string) =>
    app.send({ method: 'POST', path: '/graphql', token: user.token, body: { query } });
  const signIn = (username: string) => ({
    body: { grant_type: 'password', username, password },
    method: 'POST',
    path: '/api/v1/auth/token',
  });

  test('stand in the headers of both styles, and are one', async () => {
    const first = await rest();
    expect(first.headers['ratelimit-policy']).toBe('"read";q=300;w=60');
    expect(first.headers.ratelimit).toMatch(/^"read";r=299;t=(59|60)$/);
    const second = await graphql('{ me { id } again: me { id } }');
    expect(second.headers['ratelimit-policy']).toBe('"read";q=300;w=60');
    expect(second.headers.ratelimit).toMatch(/^"read";r=297;t=/);
    expect((await rest()).headers.ratelimit).toMatch(/^"read";r=296;/);
  });

  test('of several classes stand side by side, also when several subgraphs were asked', async () => {
    const { headers } = await graphql('{ me { id } defaultLanguage { code } }');
    expect(String(headers['ratelimit-policy']).split(', ').sort()).toEqual([
      '"public-read";q=300;w=60',
      '"read";q=300;w=60',
    ]);
    expect(String(headers.ratelimit)).toMatch(/"read";r=299;t=\d+/);
  });

  test('that are used up are 429 with the time to wait, in both styles alike', async () => {
    const aliases = Array.from({ length: 15 }, (__, index) => `a${index}: me { id }`).join(' ');
    for (let round = 0; round < 20; round += 1) await graphql(`{ ${aliases} }`);
    const refused = await rest();
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(refused.headers['retry-after']).toBe(String(refused.json.retryAfter));
    expect(refused.headers.ratelimit).toBe(`"read";r=0;t=${refused.json.retryAfter}`);
    expect(refused.json.retryAfter).toBeLessThanOrEqual(60);
    const { json, status } = await graphql('{ me { id } }');
    expect(status).toBe(200);
    expect(json.errors[0].extensions).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      problem: { code: 'rate_limited', retryAfter: expect.any(Number) },
    });
    const other = await shop.user();
    expect((await rest('/api/v1/me', other.token)).status).toBe(200);
    app.stack.advance(60_000);
    expect((await rest()).status).toBe(200);
  });

  test('of sign-ins are ten a minute for one address, however they are asked for', async () => {
    app.stack.advance(3_600_000);
    const query = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { scope } } }';
    const ask = () => app.send({ method: 'POST', path: '/graphql', body: { query, variables: { input } } });
    const input = { grantType: 'password', username: user.email, password };
    for (let round = 0; round < 5; round += 1) {
      const { headers } = await app.send(signIn(user.email));
      expect(headers['ratelimit-policy']).toBe('"auth-token";q=10;w=60');
      await ask();
    }
    const refused = await app.send(signIn(user.email));
    expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const { json } = await ask();
    expect(json.errors[0].extensions.problem.code).toBe('rate_limited');
  });

  test('travel back beside what else an answer says of itself, as that it is a repetition', async () => {
    const seller = await shop.user();
    const request = {
      method: 'POST',
      path: '/api/v1/listings',
      token: seller.token,
      headers: [['idempotency-key', 'once']] as const,
      body: { categoryId: shop.categories.cars, title: 'A sound estate', language: 'en' },
    };
    const first = await app.send(request);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const again = await app.send(request);
    expect(again.json.id).toBe(first.json.id);
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'ratelimit-policy': '"write";q=60;w=60',
    });
    expect(again.headers.ratelimit).toMatch(/^"write";r=58;/);
  });

  test('are not charged for what is refused before the field is asked', async () => {
    for (const request of [
      { path: '/api/v1/nowhere', token: user.token },
      { path: '/api/v1/me?unknown=1', token: user.token },
      { method: 'PATCH', path: '/api/v1/me', token: user.token, body: { unknown: 1 } },
      { path: '/api/v1/me' },
    ])
      expect((await app.send(request)).headers.ratelimit).toBeUndefined();
  });
});

describe('an operation', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  }, 60_000);
  afterAll(() => app.close());
  const token = '{grantType: "password", username: "a@example.test", password: "x"}';
  const ask = async (query: string) =>
    (await app.send({ method: 'POST', path: '/graphql', body: { query } })).json.errors?.[0];

  test.each([
    [
      `mutation { a: issueToken(input: ${token}) { tokens { scope } } b: issueToken(input: ${token}) { tokens { scope } } }`,
    ],
    [
      `mutation { issueToken(input: ${token}) { tokens { scope } } ...More } fragment More on Mutation { ... { revokeToken(input: {token: "x"}) { revoked } } }`,
    ],
    [
      `mutation ($yes: Boolean = false) { issueToken(input: ${token}) { tokens { scope } } b: issueToken(input: ${token}) @include(if: $yes) { tokens { scope } } }`,
    ],
  ])('with two fields that sign in is refused whole: %s', async (query) => {
    const error = await ask(query);
    expect(error.message).toMatch(/holds one field .* this one holds 2 .*issueToken/);
    expect(error.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('may name one field twice under one name, which is one execution', async () => {
    const error = await ask(
      `mutation { issueToken(input: ${token}) { tokens { scope } } issueToken(input: ${token}) { tokens { sessionId } } }`,
    );
    expect(error.extensions.problem.code).toBe('invalid_credentials');
  });
});
