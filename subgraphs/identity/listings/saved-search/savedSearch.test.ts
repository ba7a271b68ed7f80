import { isInputObjectType } from 'graphql';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import { changesHeard } from '../../../../test/support/stack/changesHeard.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import buildIdentity from '../../server.ts';
import { SavedSearchModel, searchesPerUser } from './model.ts';

const { neighbour, stack } = product();
const path = '/api/v1/me/saved-searches';

// Every test searches an installation of its own.
const shop = perTest(() => neighbour());
const user = perTest(() => shop.user());

const save = (input: object = {}, by = user) => by.createSavedSearch({ name: 'Cars', query: {}, ...input });
const searchesOf = async (by = user) => (await by.mySavedSearches({ first: 100 })).nodes;
const countOf = ({ id: userId }: SeededUser) => shop.records(SavedSearchModel).count({ userId });

test('a saved search is stored with its canonical query, name and alert, and is marked as seen', async () => {
  const kept = {
    categoryId: shop.categories.cars,
    priceMax: 2_000_000,
    currency: 'EUR',
    near: { lat: 52.53, lng: 13.39 },
    radiusKm: 20,
    withImages: true,
  };
  const { created, savedSearch } = await save({
    name: '  Diesels near me ',
    alert: 'DAILY',
    query: {
      ...kept,
      q: ' "skoda"  ',
      condition: ['USED', 'NEW', 'USED'],
      attributes: [
        { name: 'mileageKm', max: 100_000 },
        { name: 'fuel', values: ['petrol', 'diesel'] },
      ],
    },
  });
  expect(created).toBe(true);
  expect(savedSearch).toMatchObject({
    id: expect.stringMatching(/^sse_/),
    name: 'Diesels near me',
    alert: 'DAILY',
    newMatches: 0,
    query: {
      ...kept,
      q: 'skoda',
      locale: 'en',
      priceMin: null,
      condition: ['NEW', 'USED'],
      priceType: [],
      bounds: null,
      attributes: [
        { name: 'fuel', values: ['diesel', 'petrol'], all: [], min: null, max: null },
        { name: 'mileageKm', values: [], all: [], min: null, max: 100_000 },
      ],
    },
  });
  expect(savedSearch.lastSeenAt).toEqual(savedSearch.createdAt);
  expect(await searchesOf()).toEqual([savedSearch]);
});

test('saving an equivalent query changes the name and alert of the existing search', async () => {
  const fuel = { name: 'fuel', values: ['diesel', 'petrol'] };
  const year = { name: 'modelYear', min: 2020 };
  const query = { attributes: [fuel, year], condition: ['NEW', 'USED'] };
  const respelled = {
    q: ' ',
    condition: ['USED', 'NEW'],
    attributes: [year, { ...fuel, values: ['petrol', 'diesel', 'diesel'] }],
  };
  const { savedSearch } = await save({ query });
  expect(savedSearch.alert).toBe('NONE');
  const changed = { name: 'Renamed', alert: 'INSTANT' };
  const again = await save({ ...changed, query: respelled });
  expect(again).toEqual({ created: false, savedSearch: { ...savedSearch, ...changed } });
  expect(await save({ query })).toMatchObject({ savedSearch: { name: 'Cars', alert: 'INSTANT' } });
  expect(await countOf(user)).toBe(1);
});

test('other queries, and the same query of another user, are separate searches', async () => {
  const other = await shop.user();
  for (const query of [{}, { q: 'skoda' }, { q: 'skoda', locale: 'de' }])
    expect(await save({ query })).toMatchObject({ created: true });
  expect(await save({}, other)).toMatchObject({ created: true });
  expect([await countOf(user), await countOf(other)]).toEqual([3, 1]);
});

test('twenty concurrent requests save a search once', async () => {
  const answers = await concurrently(20, () => save({ query: { q: 'skoda' } }));
  expect(answers.filter(isRefused)).toEqual([]);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(await countOf(user)).toBe(1);
});

test('saving a search over REST returns 201 for a new one, also when replayed, and 200 for an existing one', async () => {
  const query = { condition: ['used'], near: [52.53, 13.39], radiusKm: 20 };
  const headers = { 'idempotency-key': unique('key') };
  const first = await user.rest('POST', path, { body: { name: 'Used', query }, headers });
  expect(first).toMatchObject({ status: 201, body: { name: 'Used', alert: 'none', query } });
  expect(first.body).not.toHaveProperty('created');
  const replayed = await user.rest('POST', path, { body: { name: 'Used', query }, headers });
  expect(replayed).toMatchObject({ status: 201, body: { id: first.body.id } });
  const again = await user.rest('POST', path, { body: { name: 'Echo', query: first.body.query } });
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id, name: 'Echo' } });
});

const attributes = Array.from({ length: 21 }, (_, index) => ({ name: `name${index}`, min: 1 }));

test.each([
  ['a place outside the earth', { query: { near: { lat: 91, lng: 0 } } }, '#/query'],
  ['a price without a currency', { query: { priceMax: 1 } }, '#/query'],
  ['words that are too long', { query: { q: 'x'.repeat(201) } }, '#/query'],
  ['a malformed attribute name', { query: { attributes: [{ name: '$where' }] } }, '#/query'],
  ['an attribute that no category has', { query: { attributes: [{ name: 'wingspan', min: 1 }] } }, '#/query'],
  ['more attributes than the catalogue accepts', { query: { attributes } }, '#/query'],
  ['a query that is too large', { query: { dealerId: 'x'.repeat(9000) } }, '#/query'],
  ['an empty name', { name: ' ' }, '#/name'],
  ['a name that is too long', { name: 'x'.repeat(81) }, '#/name'],
  ['a name with a hidden character', { name: 'a\u202eb' }, '#/name'],
])('a saved search with %s is refused', async (_, input, pointer) => {
  expect(await save(input)).toBeInvalid(pointer);
  expect(await countOf(user)).toBe(0);
});

test('the route of saved searches refuses a place that is not two numbers', async () => {
  for (const near of [[52.5], ['a', 'b'], { lat: 1, lng: 1 }]) {
    const answer = await user.rest('POST', path, { body: { name: 'Near', query: { near } } });
    expect(answer).toBeInvalid('#/query/near');
  }
});

test('a user can save at most 50 searches, also concurrently, and can change and delete them', async () => {
  for (let index = 0; index < searchesPerUser - 2; index += 1) await save({ query: { q: `car ${index}` } });
  const answers = await concurrently(6, (index) => save({ query: { q: `boat ${index}` } }));
  expect(answers).toBeRefusedTimes(4, 409, 'saved_search_limit');
  expect(await countOf(user)).toBe(searchesPerUser);
  const { created, savedSearch } = await save({ query: { q: 'car 0' }, alert: 'DAILY' });
  expect([created, savedSearch.alert]).toEqual([false, 'DAILY']);
  await user.deleteSavedSearch({ savedSearchId: savedSearch.id });
  expect(await save({ query: { q: 'car 0' } })).toMatchObject({ created: true });
});

test('new matches of a search are the listings that were published since it was last seen', async () => {
  const garage = await shop.dealer();
  await garage.listing({ published: true, title: 'Skoda of old' });
  stack.advance(1000);
  const diesel = { name: 'fuel', values: ['diesel'] };
  const queries = [
    { q: 'volvo' },
    { dealerId: garage.id },
    { priceMax: 1, currency: 'EUR' },
    { attributes: [diesel] },
  ];
  for (const query of queries) {
    stack.advance(10);
    await save({ query });
  }
  stack.advance(1000);
  await garage.listing({ published: true, title: 'Skoda of today' });
  await garage.listing({ title: 'Skoda of tomorrow' });
  await (await shop.user()).listing({ published: true, title: 'Volvo of today' });
  const found = (await searchesOf()).map(({ newMatches }) => newMatches);
  expect(found).toEqual([2, 0, 1, 1]);
});

test('the time when a search was last seen moves neither back nor into the future', async () => {
  const query = { q: 'skoda' };
  await save({ query });
  stack.advance(1000);
  await user.listing({ published: true, title: 'Skoda' });
  expect(await searchesOf()).toMatchObject([{ newMatches: 1 }]);
  stack.advance(1000);
  const latest = stack.platform.now() + 60_000;
  const { savedSearch: seen } = await save({ query, lastSeenAt: '2999-01-01T00:00:00.000Z' });
  expect(seen.newMatches).toBe(0);
  expect(new Date(seen.lastSeenAt).getTime()).toBeLessThan(latest);
  const late = await save({ query, lastSeenAt: '2020-01-01T00:00:00.000Z' });
  expect(late.savedSearch.lastSeenAt).toEqual(seen.lastSeenAt);
});

test('new matches are counted only when they are selected', async () => {
  for (const q of ['skoda', 'volvo', 'audi']) await save({ query: { q } });
  const read = () => user.mySavedSearches({}, 'nodes { name }');
  await changesHeard();
  await read();
  expect(await commandsOf(read)).toEqual(['find saved_searches']);
});

test('searches are listed in descending order of creation', async () => {
  for (const q of ['a', 'b', 'c']) {
    await save({ name: q, query: { q } });
    stack.advance(1000);
  }
  expect((await searchesOf()).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
});

test('every filter of the catalogue can be saved', () => {
  const { schema } = buildIdentity();
  const parameters = schema.getQueryType()?.getFields().catalogListings?.args ?? [];
  const notKept = ['first', 'after', 'sort', 'sortByAttribute', 'count', 'publishedAfter'];
  const filters = parameters.map(({ name }) => name).filter((name) => !notKept.includes(name));
  const kept = schema.getType('SavedSearchQueryInput');
  expect(isInputObjectType(kept) && Object.keys(kept.getFields()).sort()).toEqual(filters.sort());
});
