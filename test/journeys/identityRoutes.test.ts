import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { openRestStack, type RestStack } from '../support/openRestStack.ts';
import { completeListing, type SeededInstallation, seed, unique } from '../support/seed.ts';

let rest: RestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterAll(() => rest.close());

/** The demonstration answers at plain addresses. */
const call: RestStack['call'] = (...request) => rest.call(...request);

test('somebody registers, signs in by form, looks at himself and changes his profile', async () => {
  const email = `${unique('new')}@example.test`;
  const password = 'plum-tractor-9-violin';
  const registered = await call('POST', '/api/v1/auth/register', {
    body: { email, password, displayName: 'New' },
  });
  expect(registered).toMatchObject({
    status: 201,
    body: { email, tokens: { tokenType: 'Bearer', expiresIn: 600 } },
  });
  expect(registered.headers.get('location')).toContain('/api/v1/me');
  const tokens = await call('POST', '/api/v1/auth/token', {
    body: new URLSearchParams({ grant_type: 'password', username: email, password }),
  });
  expect(tokens).toMatchObject({
    status: 200,
    body: { token_type: 'Bearer', expires_in: 600, scope: 'user' },
  });
  expect(tokens.headers.get('cache-control')).toBe('no-store');
  const token = tokens.body.access_token;
  const me = await call('GET', '/api/v1/me', { token });
  expect(me).toMatchObject({
    status: 200,
    body: {
      type: 'user',
      email,
      state: 'unverified',
      roles: ['buyer', 'seller'],
      installation: { id: 'ins_demo' },
    },
  });
  expect(me.headers.get('cache-control')).toBe('no-store');
  expect(me.headers.get('vary')).toMatch(/authorization/i);
  const etag = me.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"1-[0-9a-f]{8}"$/);
  expect((await call('GET', '/api/v1/me', { token, headers: { 'if-none-match': etag } })).status).toBe(304);
  const patch = (body: unknown, headers: Record<string, string> = {}) =>
    call('PATCH', '/api/v1/me', { token, body, headers });
  expect(await patch({ displayName: 'Newer' }, { 'if-match': etag })).toMatchObject({
    status: 200,
    body: { displayName: 'Newer', version: 2 },
  });
  expect(await patch({ displayName: 'Late' }, { 'if-match': etag })).toMatchObject({
    status: 412,
    body: { code: 'precondition_failed' },
  });
  expect(await patch({ email: 'x@example.test' })).toMatchObject({
    status: 422,
    body: { code: 'read_only_field', errors: [{ pointer: '#/email' }] },
  });
  expect(await patch({ shoeSize: 44 })).toMatchObject({
    status: 422,
    body: { code: 'unknown_field', errors: [{ pointer: '#/shoeSize' }] },
  });
});

test('tokens are refreshed and revoked in the names of OAuth', async () => {
  const user = await shop.user();
  const refresh = (refreshToken: string) =>
    call('POST', '/api/v1/auth/token', {
      body: { grant_type: 'refresh_token', refresh_token: refreshToken },
    });
  const next = await refresh(user.refreshToken);
  expect(next).toMatchObject({ status: 200, body: { session_id: user.sessionId } });
  const revoked = await call('POST', '/api/v1/auth/revoke', {
    body: new URLSearchParams({ token: next.body.refresh_token }),
  });
  expect(revoked.status).toBe(200);
  expect(
    (await call('POST', '/api/v1/auth/revoke', { body: new URLSearchParams({ token: 'unknown' }) })).status,
  ).toBe(200);
  expect(await call('GET', '/api/v1/me', { token: next.body.access_token })).toMatchObject({
    status: 401,
    body: { code: 'session_revoked' },
  });
  expect(await refresh(next.body.refresh_token)).toMatchObject({
    status: 401,
    body: { code: 'refresh_token_invalid', error: 'invalid_grant' },
  });
  const unsupported = await call('POST', '/api/v1/auth/token', { body: { grant_type: 'magic' } });
  expect(unsupported).toMatchObject({
    status: 400,
    body: { code: 'unsupported_grant_type', error: 'unsupported_grant_type' },
  });
  const incomplete = await call('POST', '/api/v1/auth/token', { body: { grant_type: 'refresh_token' } });
  expect(incomplete).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/refresh_token' }] } });
});

test('a rejected sign-in is 401 with a challenge, and too many of them 429 with the time to wait', async () => {
  const user = await shop.user({ password: 'plum-tractor-9-violin' });
  const attempt = () =>
    call('POST', '/api/v1/auth/token', {
      body: { grant_type: 'password', username: user.email, password: 'wrong' },
    });
  const refused = await attempt();
  expect(refused).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials', error: 'invalid_grant' },
  });
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
  for (let index = 0; index < 4; index += 1) await attempt();
  const slowed = await attempt();
  expect(slowed).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
});

test.each(['/api/v1/auth/jwks', '/.well-known/jwks.json'])(
  'the key set stands at %s, whoever asks',
  async (path) => {
    const answer = await call('GET', path, { token: 'nonsense' });
    expect(answer).toMatchObject({ status: 200, body: { keys: [{ kty: 'EC', alg: 'ES256' }] } });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300, stale-if-error=86400');
  },
);

test('a listing is written, changed, published and found', async () => {
  const dealer = await shop.dealer();
  const { token } = dealer.owner;
  const { categoryId, condition, ...rest } = completeListing(shop.categories);
  const body = {
    ...rest,
    categoryId,
    condition: String(condition).toLowerCase(),
    dealerId: dealer.id,
    stockNumber: 'A/1',
  };
  const key = { 'idempotency-key': unique('key') };
  const created = await call('POST', '/api/v1/listings', { token, body, headers: key });
  expect(created).toMatchObject({
    status: 201,
    body: { state: 'draft', language: 'en', owner: { type: 'dealer', id: dealer.id } },
  });
  const { id } = created.body;
  expect(created.headers.get('location')).toContain(`/api/v1/listings/${id}`);
  const replayed = await call('POST', '/api/v1/listings', { token, body, headers: key });
  expect(replayed).toMatchObject({ status: 201, body: { id } });
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  const path = `/api/v1/listings/${id}`;
  const read = await call('GET', path, { token });
  expect(read.body).toEqual(created.body);
  const patched = await call('PATCH', path, {
    token,
    body: { attributes: { doors: 5 }, location: { city: 'Bonn' } },
    headers: { 'if-match': read.headers.get('etag') ?? '' },
  });
  expect(patched).toMatchObject({
    status: 200,
    body: {
      version: 2,
      attributes: { doors: 5, make: 'skoda' },
      location: { city: 'Bonn', postalCode: '10115' },
    },
  });
  expect(
    await call('PATCH', path, {
      token,
      body: { title: 'Too late' },
      headers: { 'if-match': '"1-00000000"' },
    }),
  ).toMatchObject({ status: 412 });
  expect(
    await call('PATCH', path, { token, body: { price: { amount: 1.5, currency: 'EUR' } } }),
  ).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/price/amount' }] } });
  const published = await call('POST', `${path}/publish`, { token });
  expect(published).toMatchObject({ status: 200, body: { state: 'active', version: 3 } });
  expect(await call('POST', `${path}/publish`, { token })).toMatchObject({
    status: 409,
    body: { code: 'invalid_transition', allowedFrom: { state: 'active' } },
  });
  const own = await call(
    'GET',
    `/api/v1/listings?dealerId=${dealer.id}&state=active,paused&q=skoda&limit=1`,
    { token },
  );
  expect(own).toMatchObject({ status: 200, body: { data: [{ id }], page: { nextCursor: null, limit: 1 } } });
  const search = `/api/v1/catalog/listings?dealerId=${dealer.id}&attr.make=skoda,vw&attr.mileageKm.min=1&price.min=1&currency=EUR&condition=used&sort=-price&count=true`;
  const found = await call('GET', search);
  expect(found).toMatchObject({
    status: 200,
    body: { data: [{ id, language: 'en' }], meta: { totalCount: '1' } },
  });
  expect(found.headers.get('cache-control')).toBe('public, max-age=30');
  const view = await call('GET', `/api/v1/catalog/listings/${published.body.slug}`);
  expect(view).toMatchObject({
    status: 200,
    body: { id, condition: 'used', seller: { type: 'dealer', dealerId: dealer.id } },
  });
  expect(await call('GET', '/api/v1/catalog/listings/none')).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});

test('what is refused is refused with the status that the contract states', async () => {
  const [anna, berta] = [await shop.user(), await shop.user()];
  const { id } = await anna.listing();
  const path = `/api/v1/listings/${id}`;
  const cases: [string, string, object, number, string][] = [
    ['GET', '/api/v1/me', {}, 401, 'token_missing'],
    ['GET', path, {}, 401, 'token_missing'],
    ['GET', path, { token: berta.token }, 403, 'ownership_required'],
    ['PATCH', path, { token: berta.token, body: { title: 'Taken over' } }, 403, 'ownership_required'],
    ['POST', `${path}/publish`, { token: berta.token }, 403, 'ownership_required'],
    ['GET', '/api/v1/listings/lst_x', { token: anna.token }, 404, 'not_found'],
    ['POST', '/api/v1/listings', { token: anna.token, body: { title: 'x', wings: 1 } }, 422, 'unknown_field'],
    [
      'POST',
      '/api/v1/listings',
      { token: anna.token, body: { condition: 'MINT' } },
      422,
      'validation_failed',
    ],
    ['GET', '/api/v1/listings?state=flying', { token: anna.token }, 400, 'malformed_request'],
    ['GET', '/api/v1/listings?cursor=x', { token: anna.token }, 400, 'invalid_cursor'],
    ['GET', '/api/v1/catalog/listings?price.min=1', {}, 400, 'malformed_request'],
    ['GET', '/api/v1/catalog/listings?attr.$where=1', {}, 400, 'unsupported_parameter'],
    ['GET', '/api/v1/catalog/listings?colour=red', {}, 400, 'unsupported_parameter'],
    ['GET', '/api/v1/catalog/listings', { token: 'nonsense' }, 401, 'token_malformed'],
  ];
  const answers = [];
  for (const [method, route, options] of cases) {
    const { status, body } = await call(method, route, options);
    answers.push([method, route, status, body.code]);
  }
  expect(answers).toEqual(cases.map(([method, route, , status, code]) => [method, route, status, code]));
});
