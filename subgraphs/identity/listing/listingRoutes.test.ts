import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';

const world = product();
const { market } = world;
const inDays = (days: number) => new Date(world.stack.platform.now() + days * 24 * 3600 * 1000).toISOString();
const stale = { 'if-match': '"1-00000000"' };

test('the files of a listing are one list, under the version that it was read with', async () => {
  const anna = await market.user();
  const { token } = anna;
  const { id } = await anna.listing({ published: true });
  const path = `/api/v1/listings/${id}`;
  const mediaId = await storeMedia(market.installation.id, { type: 'user', id: anna.id });
  const body = { media: [{ mediaId, altText: 'The front' }] };
  expect(await world.rest('PUT', `${path}/media`, { token, body, headers: stale })).toMatchObject({
    status: 412,
    body: { code: 'precondition_failed' },
  });
  const etag = (await world.rest('GET', path, { token })).headers.get('etag') ?? '';
  const answer = await world.rest('PUT', `${path}/media`, { token, body, headers: { 'if-match': etag } });
  expect(answer).toMatchObject({
    status: 200,
    body: { id, media: [{ mediaId, kind: 'image', altText: 'The front' }], promotion: null },
  });
  expect(answer.headers.get('etag')).toMatch(/^"3-/);
  expect(await world.rest('GET', `/api/v1/catalog/listings/${id}`)).toMatchObject({
    status: 200,
    body: { images: [{ altText: 'The front' }] },
  });
});

test.each([
  ['no list', {}, '#/media'],
  ['a list that is none', { media: 'x' }, '#/media'],
  ['an entry without a file', { media: [{ altText: 'x' }] }, '#/media/0/mediaId'],
  ['an unknown member', { media: [], rank: 1 }, '#/rank'],
])('%s is 422 and says where', async (_, body, pointer) => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const answer = await world.rest('PUT', `/api/v1/listings/${id}/media`, { token: anna.token, body });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
});

test('a listing is reserved, freed, sold and put away, each under the version that it was read with', async () => {
  const anna = await market.user();
  const { token } = anna;
  const { id } = await anna.listing({ published: true });
  const path = `/api/v1/listings/${id}`;
  const body = { until: inDays(2) };
  expect(await world.rest('PUT', `${path}/reservation`, { token, body, headers: stale })).toMatchObject({
    status: 412,
  });
  expect(await world.rest('PUT', `${path}/reservation`, { token, body })).toMatchObject({
    status: 200,
    body: { state: 'reserved', reservation: { until: body.until, paymentId: null } },
  });
  expect(await world.rest('PUT', `${path}/reservation`, { token, body })).toMatchObject({
    status: 409,
    body: { code: 'already_reserved' },
  });
  expect(await world.rest('DELETE', `${path}/reservation`, { token, headers: stale })).toMatchObject({
    status: 412,
  });
  expect(await world.rest('DELETE', `${path}/reservation`, { token })).toMatchObject({
    status: 204,
    body: null,
  });
  const price = { amount: 990_000, currency: 'EUR' };
  expect(
    await world.rest('POST', `${path}/mark-sold`, { token, body: { channel: 'elsewhere', price } }),
  ).toMatchObject({ status: 200, body: { state: 'sold', sale: { channel: 'elsewhere', price } } });
  expect(await world.rest('DELETE', path, { token, headers: stale })).toMatchObject({ status: 412 });
  expect(await world.rest('DELETE', path, { token })).toMatchObject({ status: 204, body: null });
  expect(await world.rest('POST', `${path}/renew`, { token })).toMatchObject({
    status: 409,
    body: { code: 'invalid_transition', allowedFrom: { state: 'archived', allowed: [] } },
  });
});

test('a repeated pause with one key answers the same and says so', async () => {
  const anna = await market.user();
  const { token } = anna;
  const { id } = await anna.listing({ published: true });
  const headers = { 'idempotency-key': unique('pause') };
  const first = await world.rest('POST', `/api/v1/listings/${id}/pause`, { token, headers });
  expect(first).toMatchObject({ status: 200, body: { state: 'paused' } });
  const again = await world.rest('POST', `/api/v1/listings/${id}/pause`, { token, headers });
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test('a draft that nobody ever saw is gone for good', async () => {
  const anna = await market.user();
  const { token } = anna;
  const { id } = await anna.listing();
  expect(await world.rest('DELETE', `/api/v1/listings/${id}`, { token })).toMatchObject({ status: 204 });
  expect(await world.rest('GET', `/api/v1/listings/${id}`, { token })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});
