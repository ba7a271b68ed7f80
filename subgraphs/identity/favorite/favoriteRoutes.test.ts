import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { buildIdentity } from '../server.ts';

let rest: RestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterAll(() => rest.close());

test('a listing is saved with 201, again with 200, listed, and forgotten with 204 any number of times', async () => {
  const { token } = await shop.user();
  const { id } = await (await shop.dealer()).listing({ published: true });
  const path = `/api/v1/me/favorites/${id}`;
  const first = await rest.call('PUT', path, { token });
  expect(first).toMatchObject({
    status: 201,
    body: { listingId: id, note: null, priceAtSave: { currency: 'EUR' }, listing: { id, language: 'en' } },
  });
  expect(first.body).not.toHaveProperty('created');
  const again = await rest.call('PUT', path, { token, body: { note: 'Call on Monday.' } });
  expect(again).toMatchObject({ status: 200, body: { listingId: id, note: 'Call on Monday.' } });
  const listed = await rest.call('GET', '/api/v1/me/favorites', { token });
  expect(listed).toMatchObject({ status: 200, body: { data: [again.body], page: {} } });
  expect(listed.headers.get('cache-control')).toMatch(/no-store/);
  for (let times = 0; times < 2; times += 1)
    expect(await rest.call('DELETE', path, { token })).toMatchObject({ status: 204, body: null });
  expect((await rest.call('GET', '/api/v1/me/favorites', { token })).body.data).toEqual([]);
});

test.each([
  ['a member that is unknown', { notes: 'x' }, 422, 'unknown_field', '#/notes'],
  ['a note that is no text', { note: 7 }, 422, 'validation_failed', '#/note'],
  ['a note that is too long', { note: 'x'.repeat(501) }, 422, 'validation_failed', '#/note'],
])('%s is refused and says where', async (_, body, status, code, pointer) => {
  const { token } = await shop.user();
  const { id } = await (await shop.dealer()).listing({ published: true });
  const answer = await rest.call('PUT', `/api/v1/me/favorites/${id}`, { token, body });
  expect(answer).toMatchObject({ status, body: { code, errors: [{ pointer }] } });
});

test('what is not public is 404, and a cursor that is none is 400', async () => {
  const user = await shop.user();
  const { token } = user;
  const { id } = await user.listing();
  expect(await rest.call('PUT', `/api/v1/me/favorites/${id}`, { token })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(await rest.call('GET', '/api/v1/me/favorites?cursor=x', { token })).toMatchObject({
    status: 400,
    body: { code: 'invalid_cursor' },
  });
});
