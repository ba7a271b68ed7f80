import { product } from '../../../test/support/product.ts';

const world = product();
const { market } = world;
test('a listing is saved with 201, again with 200, listed, and forgotten with 204 any number of times', async () => {
  const { token } = await market.user();
  const { id } = await (await market.dealer()).listing({ published: true });
  const path = `/api/v1/me/favorites/${id}`;
  const first = await world.rest('PUT', path, { token });
  expect(first).toMatchObject({
    status: 201,
    body: { listingId: id, note: null, priceAtSave: { currency: 'EUR' }, listing: { id, language: 'en' } },
  });
  expect(first.body).not.toHaveProperty('created');
  const again = await world.rest('PUT', path, { token, body: { note: 'Call on Monday.' } });
  expect(again).toMatchObject({ status: 200, body: { listingId: id, note: 'Call on Monday.' } });
  const listed = await world.rest('GET', '/api/v1/me/favorites', { token });
  expect(listed).toMatchObject({ status: 200, body: { data: [again.body], page: {} } });
  expect(listed.headers.get('cache-control')).toMatch(/no-store/);
  for (let times = 0; times < 2; times += 1)
    expect(await world.rest('DELETE', path, { token })).toMatchObject({ status: 204, body: null });
  expect((await world.rest('GET', '/api/v1/me/favorites', { token })).body.data).toEqual([]);
});

test.each([
  ['a member that is unknown', { notes: 'x' }, 422, 'unknown_field', '#/notes'],
  ['a note that is no text', { note: 7 }, 422, 'validation_failed', '#/note'],
  ['a note that is too long', { note: 'x'.repeat(501) }, 422, 'validation_failed', '#/note'],
])('%s is refused and says where', async (_, body, status, code, pointer) => {
  const { token } = await market.user();
  const { id } = await (await market.dealer()).listing({ published: true });
  const answer = await world.rest('PUT', `/api/v1/me/favorites/${id}`, { token, body });
  expect(answer).toMatchObject({ status, body: { code, errors: [{ pointer }] } });
});

test('what is not public is 404, and a cursor that is none is 400', async () => {
  const user = await market.user();
  const { token } = user;
  const { id } = await user.listing();
  expect(await world.rest('PUT', `/api/v1/me/favorites/${id}`, { token })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(await world.rest('GET', '/api/v1/me/favorites?cursor=x', { token })).toMatchObject({
    status: 400,
    body: { code: 'invalid_cursor' },
  });
});
