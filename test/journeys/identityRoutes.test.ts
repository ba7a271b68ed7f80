import { product } from '../support/product.ts';
import { completeListing, unique } from '../support/seed.ts';

const { market } = product();

test('a visitor registers, signs in with a form body and changes the profile', async () => {
  const email = `${unique('new')}@example.test`;
  const password = 'plum-tractor-9-violin';
  const registered = await market.visitor.rest('POST', '/api/v1/auth/register', {
    body: { email, password, displayName: 'New' },
  });
  const tokens = { tokenType: 'Bearer', expiresIn: 600 };
  expect(registered).toMatchObject({ status: 201, body: { email, tokens } });
  expect(registered.headers.get('location')).toContain('/api/v1/me');
  const form = new URLSearchParams({ grant_type: 'password', username: email, password });
  const signedIn = await market.visitor.rest('POST', '/api/v1/auth/token', { body: form });
  const caller = market.caller(signedIn.body.access_token);
  const me = await caller.rest('GET', '/api/v1/me');
  expect(me.body).toMatchObject({ type: 'user', email, state: 'unverified', roles: ['buyer', 'seller'] });
  const headers = { 'if-match': me.headers.get('etag') ?? '' };
  const changed = await caller.rest('PATCH', '/api/v1/me', { body: { displayName: 'Newer' }, headers });
  expect(changed).toMatchObject({ status: 200, body: { displayName: 'Newer', version: 2 } });
});

test('a listing is created, changed, published and found through REST', async () => {
  const { id: dealerId, owner } = await market.dealer();
  const { condition, ...members } = completeListing(market.categories);
  const created = await owner.rest('POST', '/api/v1/listings', {
    body: { ...members, condition: String(condition).toLowerCase(), dealerId, stockNumber: 'A/1' },
  });
  const seller = { type: 'dealer', id: dealerId };
  expect(created).toMatchObject({ status: 201, body: { state: 'draft', language: 'en', owner: seller } });
  const { id } = created.body;
  const path = `/api/v1/listings/${id}`;
  expect(created.headers.get('location')).toContain(path);
  const read = await owner.rest('GET', path);
  expect(read.body).toEqual(created.body);
  const changes = { attributes: { doors: 5 }, location: { city: 'Bonn' } };
  const headers = { 'if-match': read.headers.get('etag') ?? '' };
  const changed = await owner.rest('PATCH', path, { body: changes, headers });
  expect(changed).toMatchObject({
    status: 200,
    body: {
      version: 2,
      attributes: { doors: 5, make: 'skoda' },
      location: { city: 'Bonn', postalCode: '10115' },
    },
  });
  const published = await owner.rest('POST', `${path}/publish`);
  expect(published).toMatchObject({ status: 200, body: { state: 'active', version: 3 } });
  const allowedFrom = { state: 'active' };
  const again = await owner.rest('POST', `${path}/publish`);
  expect(again).toBeRefused(409, 'invalid_transition', { allowedFrom });
  const stock = `/api/v1/listings?dealerId=${dealerId}&state=active,paused&q=skoda&limit=1`;
  const own = await owner.rest('GET', stock);
  expect(own.body).toMatchObject({ data: [{ id }], page: { nextCursor: null, limit: 1 } });
  const search = `dealerId=${dealerId}&attr.make=skoda,vw&attr.mileageKm.min=1&price.min=1&currency=EUR&condition=used`;
  const found = await market.visitor.rest('GET', `/api/v1/catalog/listings?${search}&sort=-price&count=true`);
  expect(found.body).toMatchObject({ data: [{ id, language: 'en' }], meta: { totalCount: '1' } });
  expect(found.headers.get('cache-control')).toBe('public, max-age=30');
  const page = await market.visitor.rest('GET', `/api/v1/catalog/listings/${published.body.slug}`);
  expect(page.body).toMatchObject({ id, condition: 'used', seller: { type: 'dealer', dealerId } });
});

test.each([
  ['/api/v1/listings?state=flying', 'malformed_request'],
  ['/api/v1/listings?cursor=x', 'invalid_cursor'],
  ['/api/v1/catalog/listings?price.min=1', 'malformed_request'],
  ['/api/v1/catalog/listings?attr.$where=1', 'unsupported_parameter'],
])('GET %s is refused with %s', async (path, code) => {
  const user = await market.user();
  expect(await user.rest('GET', path)).toBeRefused(400, code);
});
