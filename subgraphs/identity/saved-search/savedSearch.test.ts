import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededUser, seed, unique } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { SavedSearchModel, searchesPerUser } from './model.ts';

let stack: TestStack;
let shop: SeededInstallation;
let user: SeededUser;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
// Every test has an installation of its own, so that nothing else is found in it.
beforeEach(async () => {
  shop = await seed(stack).installation();
  user = await shop.user();
});
afterAll(() => stack.close());

const fields = `id name alert lastSeenAt newMatches createdAt query { q locale categoryId priceMin priceMax currency
  condition priceType sellerType dealerId near radiusKm bounds withImages attributes { name values all min max } }`;
const list = `query ($first: Int, $after: String) { mySavedSearches(first: $first, after: $after) {
  nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
const call = (source: string, variables: Record<string, unknown>, as = user) =>
  stack.execute(source, variables, { as, installation: shop.installation });
const create = (input: object, as = user) =>
  call(
    `mutation ($input: CreateSavedSearchInput!) { createSavedSearch(input: $input) {
      created savedSearch { ${fields} } } }`,
    { input: { name: 'Cars', query: {}, ...input } },
    as,
  );
const remove = (savedSearchId: string, as = user) =>
  call(
    'mutation ($input: DeleteSavedSearchInput!) { deleteSavedSearch(input: $input) { deletedSavedSearchId } }',
    { input: { savedSearchId } },
    as,
  );
const created = async (input: object, as = user) => {
  const result = await create(input, as);
  if (result.errors) throw result.errors[0];
  return result.data?.createSavedSearch;
};
const searchesOf = async (as = user): Promise<any[]> => {
  const result = await call(list, { first: 100 }, as);
  if (result.errors) throw result.errors[0];
  return result.data?.mySavedSearches.nodes;
};
const countOf = ({ id: userId }: SeededUser) =>
  scoped(SavedSearchModel, shop.installation.id).count({ userId });

describe('saving a search', () => {
  test('keeps its canonical form, name and alert, and it is seen as of now', async () => {
    const outcome = await created({
      name: '  Diesels near me ',
      alert: 'DAILY',
      query: {
        q: ' "skoda"  ',
        categoryId: shop.categories.cars,
        priceMax: 2_000_000,
        currency: 'EUR',
        condition: ['USED', 'NEW', 'USED'],
        near: [52.53, 13.39],
        radiusKm: 20,
        withImages: true,
        attributes: [
          { name: 'mileageKm', max: 100_000 },
          { name: 'fuel', values: ['petrol', 'diesel'] },
        ],
      },
    });
    expect(outcome).toMatchObject({
      created: true,
      savedSearch: {
        id: expect.stringMatching(/^sse_/),
        name: 'Diesels near me',
        alert: 'DAILY',
        newMatches: 0,
        query: {
          q: 'skoda',
          locale: 'en',
          categoryId: shop.categories.cars,
          priceMin: null,
          priceMax: 2_000_000,
          condition: ['NEW', 'USED'],
          priceType: [],
          near: [52.53, 13.39],
          radiusKm: 20,
          bounds: null,
          withImages: true,
          attributes: [
            { name: 'fuel', values: ['diesel', 'petrol'], all: [], min: null, max: null },
            { name: 'mileageKm', values: [], all: [], min: null, max: 100_000 },
          ],
        },
      },
    });
    expect(outcome.savedSearch.lastSeenAt).toEqual(outcome.savedSearch.createdAt);
    expect(await searchesOf()).toEqual([outcome.savedSearch]);
  });

  test('the same query in another spelling is the same search: it gets the new name and alert', async () => {
    const [fuel, year] = [
      { name: 'fuel', values: ['diesel', 'petrol'] },
      { name: 'modelYear', min: 2020 },
    ];
    const first = await created({ query: { attributes: [fuel, year], condition: ['NEW', 'USED'] } });
    expect(first.savedSearch.alert).toBe('NONE');
    const again = await created({
      name: 'Renamed',
      alert: 'INSTANT',
      query: {
        q: ' ',
        condition: ['USED', 'NEW'],
        attributes: [year, { ...fuel, values: ['petrol', 'diesel', 'diesel'] }],
      },
    });
    expect(again).toEqual({
      created: false,
      savedSearch: { ...first.savedSearch, name: 'Renamed', alert: 'INSTANT' },
    });
    expect(
      (await created({ query: { attributes: [fuel, year], condition: ['NEW', 'USED'] } })).savedSearch,
    ).toMatchObject({ name: 'Cars', alert: 'INSTANT' });
    expect(await countOf(user)).toBe(1);
  });

  test('another query, and the same one of somebody else, are searches of their own', async () => {
    const other = await shop.user();
    expect((await created({})).created).toBe(true);
    expect((await created({ query: { q: 'skoda' } })).created).toBe(true);
    expect((await created({ query: { q: 'skoda', locale: 'de' } })).created).toBe(true);
    expect((await created({}, other)).created).toBe(true);
    expect(await countOf(user)).toBe(3);
    expect(await countOf(other)).toBe(1);
  });

  test('by twenty requests at once is done once', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => create({ query: { q: 'skoda' } })));
    expect(results.filter(({ errors }) => errors)).toEqual([]);
    expect(results.filter(({ data }) => data?.createSavedSearch.created)).toHaveLength(1);
    expect(await countOf(user)).toBe(1);
  });

  test('under one key is done once, and says again that it was created', async () => {
    const input = { idempotencyKey: unique('key'), query: { q: 'skoda' } };
    const first = await created(input);
    expect(await created(input)).toEqual(first);
    expect(first.created).toBe(true);
    expect(problemOf(await create({ ...input, name: 'Other' })).code).toBe('idempotency_key_reused');
  });

  test.each([
    ['a price without a currency', { query: { priceMax: 1 } }, '#/query'],
    ['words that are too long', { query: { q: 'x'.repeat(201) } }, '#/query'],
    ['an attribute with no such name', { query: { attributes: [{ name: '$where' }] } }, '#/query'],
    [
      'an attribute that no category has',
      { query: { attributes: [{ name: 'wingspan', min: 1 }] } },
      '#/query',
    ],
    ['more attributes than the catalogue takes', { query: { attributes: manyAttributes(21) } }, '#/query'],
    ['a query that is too large', { query: { dealerId: 'x'.repeat(9000) } }, '#/query'],
    ['an empty name', { name: ' ' }, '#/name'],
    ['a name that is too long', { name: 'x'.repeat(81) }, '#/name'],
    ['a name that hides something', { name: 'a\u202eb' }, '#/name'],
  ])('with %s is refused and says where', async (_, input, pointer) => {
    expect(problemOf(await create(input))).toMatchObject({
      code: 'validation_failed',
      status: 422,
      errors: [{ pointer }],
    });
    expect(await countOf(user)).toBe(0);
  });
});

function manyAttributes(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `name${index}`, min: 1 }));
}

describe('the limit', () => {
  test('is 50, holds for many at once, and keeps nobody from changing what is there', async () => {
    for (let index = 0; index < searchesPerUser - 2; index += 1)
      await created({ query: { q: `car ${index}` } });
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, index) => create({ query: { q: `boat ${index}` } })),
    );
    expect(results.filter(({ data }) => data?.createSavedSearch?.created)).toHaveLength(2);
    const refused = results.filter(({ errors }) => errors).map(problemOf);
    expect(refused).toHaveLength(4);
    for (const problem of refused) expect(problem).toMatchObject({ code: 'saved_search_limit', status: 409 });
    expect(await countOf(user)).toBe(searchesPerUser);
    const changed = await created({ query: { q: 'car 0' }, alert: 'DAILY' });
    expect(changed).toMatchObject({ created: false, savedSearch: { alert: 'DAILY' } });
    await remove(changed.savedSearch.id);
    expect((await created({ query: { q: 'car 0' } })).created).toBe(true);
  });
});

describe('new matches', () => {
  test('are what matches, is shown and was published since the search was last seen', async () => {
    const garage = await shop.dealer();
    await garage.listing({ published: true, title: 'Skoda of old' });
    stack.advance(1000);
    const searches = [
      { query: { q: 'volvo' } },
      { query: { dealerId: garage.id } },
      { query: { priceMax: 1, currency: 'EUR' } },
      { query: { attributes: [{ name: 'fuel', values: ['diesel'] }] } },
    ];
    for (const search of searches) {
      stack.advance(10);
      await created(search);
    }
    stack.advance(1000);
    await garage.listing({ published: true, title: 'Skoda of today' });
    await garage.listing({ title: 'Skoda of tomorrow' });
    await (await shop.user()).listing({ published: true, title: 'Volvo of today' });
    const found = (await searchesOf()).reverse().map(({ newMatches }) => newMatches);
    expect(found).toEqual([1, 1, 0, 2]);
  });

  test('are none once they were seen; what was seen stays seen, and nobody sees the future', async () => {
    const query = { q: 'skoda' };
    await created({ query });
    stack.advance(1000);
    await (await shop.dealer()).listing({ published: true, title: 'Skoda' });
    expect((await searchesOf())[0].newMatches).toBe(1);
    stack.advance(1000);
    const now = new Date(stack.platform.now());
    const seen = (await created({ query, lastSeenAt: '2999-01-01T00:00:00.000Z' })).savedSearch;
    expect(seen.newMatches).toBe(0);
    expect(new Date(seen.lastSeenAt).getTime()).toBeLessThan(now.getTime() + 60_000);
    const late = (await created({ query, lastSeenAt: '2020-01-01T00:00:00.000Z' })).savedSearch;
    expect(late.lastSeenAt).toEqual(seen.lastSeenAt);
  });

  test('are counted only where they are asked for, and through an index', async () => {
    for (const q of ['skoda', 'volvo', 'audi']) await created({ query: { q } });
    const names = 'query { mySavedSearches { nodes { name } } }';
    await call(names, {});
    expect(await commandsOf(() => call(names, {}))).toEqual(['find saved_searches']);
    await user.listing({ published: true });
    const plans = await indexesOf(() => searchesOf());
    const ofSearches = plans
      .map(({ command }) => command)
      .filter((command) => /catalog|searches/.test(command));
    expect(ofSearches.sort()).toEqual([
      'find catalog_listings',
      'find catalog_removals',
      'find saved_searches',
    ]);
    for (const { indexes } of plans) expect(indexes.length).toBeGreaterThan(0);
  });
});

describe('the list and deletion', () => {
  test('shows the newest first, page by page, and nobody else’s', async () => {
    const other = await shop.user();
    for (const q of ['a', 'b', 'c']) {
      await created({ name: q, query: { q } });
      await created({ name: 'not yours', query: { q } }, other);
      stack.advance(1000);
    }
    const first = (await call(list, { first: 2 })).data?.mySavedSearches;
    const second = (await call(list, { first: 2, after: first.pageInfo.endCursor })).data?.mySavedSearches;
    expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  test('deletes one’s own; another one’s and one that never was are refused', async () => {
    const other = await shop.user();
    const { savedSearch } = await created({});
    expect(problemOf(await remove(savedSearch.id, other))).toMatchObject({
      code: 'ownership_required',
      status: 403,
    });
    expect((await remove(savedSearch.id)).data?.deleteSavedSearch.deletedSavedSearchId).toBe(savedSearch.id);
    expect(await searchesOf()).toEqual([]);
    for (const id of [savedSearch.id, newId('savedSearch'), 'no id'])
      expect(problemOf(await remove(id))).toMatchObject({ code: 'not_found', status: 404 });
  });
});
