import { isInputObjectType } from 'graphql';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { buildIdentity } from '../server.ts';

const world = product();
const { market } = world;
const path = '/api/v1/me/saved-searches';
const query = { condition: ['used'], attributes: [{ name: 'fuel', values: ['diesel'] }] };

test('a search is saved with 201, the same one again with 200, listed, and deleted with 204 once', async () => {
  const { token } = await market.user();
  const first = await world.rest('POST', path, { token, body: { name: 'Diesels', query } });
  expect(first).toMatchObject({
    status: 201,
    body: { name: 'Diesels', alert: 'none', newMatches: 0, query: { condition: ['used'] } },
  });
  expect(first.body).not.toHaveProperty('created');
  const again = await world.rest('POST', path, { token, body: { name: 'Diesels', query, alert: 'daily' } });
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id, alert: 'daily' } });
  // What is read can be sent as it is.
  const echoed = await world.rest('POST', path, { token, body: { name: 'Echo', query: again.body.query } });
  expect(echoed).toMatchObject({ status: 200, body: { id: first.body.id, name: 'Echo' } });
  expect(await world.rest('GET', path, { token })).toMatchObject({
    status: 200,
    body: { data: [echoed.body] },
  });
  const one = `${path}/${first.body.id}`;
  expect((await world.rest('DELETE', one, { token })).status).toBe(204);
  expect(await world.rest('DELETE', one, { token })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});

test('a repetition under the same key is answered with 201 again', async () => {
  const { token } = await market.user();
  const call = () =>
    world.rest('POST', path, {
      token,
      headers: { 'idempotency-key': key },
      body: { name: 'Diesels', query },
    });
  const key = unique('key');
  const first = await call();
  expect(first.status).toBe(201);
  expect(await call()).toMatchObject({ status: 201, body: { id: first.body.id } });
});

test.each([
  ['no name', { query }, 'validation_failed', '#/name'],
  ['no query', { name: 'x' }, 'validation_failed', '#/query'],
  ['an order', { name: 'x', query: { ...query, sort: 'price' } }, 'unknown_field', '#/query/sort'],
  ['an alert that does not exist', { name: 'x', query, alert: 'hourly' }, 'validation_failed', '#/alert'],
  ['a price without a currency', { name: 'x', query: { priceMin: 1 } }, 'validation_failed', '#/query'],
])('%s is refused and says where', async (_, body, code, pointer) => {
  const { token } = await market.user();
  expect(await world.rest('POST', path, { token, body })).toMatchObject({
    status: 422,
    body: { code, errors: [{ pointer }] },
  });
});

test('whatever selects listings in the catalogue can be kept', () => {
  const { schema } = buildIdentity();
  const parameters =
    schema
      .getQueryType()
      ?.getFields()
      .catalogListings?.args.map(({ name }) => name) ?? [];
  const kept = schema.getType('SavedSearchQueryInput');
  const notKept = ['first', 'after', 'sort', 'count', 'publishedAfter'];
  expect(isInputObjectType(kept) && Object.keys(kept.getFields()).sort()).toEqual(
    parameters.filter((name) => !notKept.includes(name)).sort(),
  );
});
