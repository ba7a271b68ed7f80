import { toSegment } from '../support/people/forgeTokens.ts';
import { takeApart } from '../support/people/takeApart.ts';
import { perFile, product } from '../support/product.ts';
import { type RestCall, restRoot } from '../support/stack/serveStack.ts';

const world = product();
const { market } = world;
const abroad = perFile(() => world.neighbour());
const user = perFile(() => market.user());
const forgery = perFile(() => takeApart(user.token, world.stack));

test('a token is read only from the Authorization header', async () => {
  const token = forgery.genuine;
  const elsewhere: [string, string, RestCall][] = [
    ['GET', `/api/v1/me?access_token=${token}`, {}],
    ['GET', '/api/v1/me', { headers: { cookie: `access_token=${token}; token=${token}` } }],
    ['GET', '/api/v1/me', { headers: { 'x-access-token': token } }],
    ['GET', '/api/v1/me', { headers: { 'proxy-authorization': `Bearer ${token}` } }],
    ['GET', '/api/v1/me', { headers: { authorization: `Basic ${btoa(`x:${token}`)}` } }],
    ['PATCH', '/api/v1/me', { body: { access_token: token, displayName: 'x' } }],
  ];
  for (const [method, path, call] of elsewhere)
    expect(await world.rest(method, path, call)).toBeRefused(401, 'token_missing');
  const inBody = await world.rest('POST', '/graphql', {
    body: { query: '{ me { id } }', token, access_token: token },
  });
  expect(inBody.body.errors[0].extensions.problem.code).toBe('token_missing');
  for (const value of [`${token} ${token}`, `${token},${token}`, '', ' ', 'x'])
    expect(
      await world.rest('GET', '/api/v1/me', { headers: { authorization: `Bearer ${value}` } }),
    ).toBeRefused(401);
});

test('roles and scopes in a token grant nothing beyond the roles in the database', async () => {
  const payload = { roles: ['installation_admin'], scope: 'user seo:admin translations:manage' };
  const promoted = market.caller(forgery.token({ payload: { ...forgery.payload, ...payload } }));
  const all = await promoted.rest('GET', `${restRoot}/translation/v1/languages?scope=all`);
  expect(all).toBeRefused(403, 'permission_required');
  const { body } = await promoted.rest('GET', '/api/v1/me');
  expect(body).toMatchObject({ roles: ['buyer', 'seller'], permissions: [] });
});

test('the paths of keys and health checks ignore a rejected token', async () => {
  const { token } = await abroad.user();
  for (const rejected of [`${forgery.genuine.split('.', 2).join('.')}.`, token])
    for (const path of ['/api/v1/auth/jwks', '/.well-known/jwks.json', '/api/v1/health', '/health/live'])
      expect((await world.rest('GET', path, { token: rejected })).status).toBe(200);
});

test('headers that name another installation, including a signed context, are ignored', async () => {
  const { id, hosts } = abroad.installation;
  const headers = {
    'trigate-context': `${toSegment({ installationId: id, depth: 0 })}.x`,
    'x-forwarded-host': String(hosts[0]),
    'x-installation-id': id,
    forwarded: `host=${hosts[0]}`,
  };
  const { body } = await user.rest('GET', '/api/v1/me', { headers });
  expect(body.installation.id).toBe(market.installation.id);
});

test.each(['nowhere.test', '', 'demo.localhost.evil.test', 'demo.localhost@evil.test', '[::1', 'ins_demo'])(
  'returns 404 on every channel for the host "%s", which no installation has',
  async (host) => {
    for (const path of ['/api/v1/me', '/api/v1/catalog/listings', '/graphql?query={me{id}}']) {
      const { status, headers, body } = await world.rest('GET', path, { host });
      expect([path, status]).toEqual([path, 404]);
      expect(headers.get('x-request-id')).toBeTruthy();
      expect(JSON.stringify(body)).toContain('not_found');
      expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts/);
    }
  },
);

test("reading, changing and publishing another owner's listing returns the same 403 problem", async () => {
  const { id } = await user.listing();
  const rival = await market.user();
  const path = `/api/v1/listings/${id}`;
  const answers = [
    await rival.rest('GET', path),
    await rival.rest('PATCH', path, { body: { title: 'Mine now' } }),
    await rival.rest('POST', `${path}/publish`),
  ];
  for (const answer of answers) expect(answer).toBeRefused(403, 'ownership_required');
  const texts = answers.map(({ body }) => JSON.stringify({ ...body, requestId: null, instance: null }));
  expect(new Set(texts).size).toBe(1);
});
