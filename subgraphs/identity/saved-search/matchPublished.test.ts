import fc from 'fast-check';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { columnCatalogSearch } from '../catalog/columnCatalogSearch.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { buildIdentity } from '../server.ts';
import { findAnchors } from './findAnchors.ts';
import { matchPublished } from './matchPublished.ts';
import { SavedSearchModel, type SavedSearchRecord, SearchHitModel, type StoredQuery } from './model.ts';
import { emptyQuery, toSearch } from './toSearch.ts';

let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
// Every test has an installation of its own, so that nothing else is found in it.
beforeEach(async () => {
  shop = await seed(stack).installation();
});
afterAll(() => stack.close());

const base = { model: 'octavia', firstRegistration: '2019-04', transmission: 'manual' };
const car = { make: 'skoda', fuel: 'diesel', mileageKm: 84_000, ...base };
const contextOf = (): RequestContext => stack.contextFor({ installation: shop.installation });
const anchorsOf = (query: Partial<StoredQuery>) =>
  findAnchors({ ...emptyQuery, ...query }, contextOf(), columnCatalogSearch);
const equal = (name: string, ...values: string[]) => ({ name, values, all: [], min: null, max: null });

/** Searches as they are kept, past the limit of an account. */
async function store(queries: readonly Partial<StoredQuery>[], anchors?: string[][]): Promise<string[]> {
  const past = new Date(stack.platform.now() - 60_000);
  const records: Omit<SavedSearchRecord, 'installationId'>[] = [];
  for (const [index, query] of queries.entries()) {
    const _id = newId('savedSearch');
    records.push({
      _id,
      userId: newId('user'),
      name: 'Kept',
      query: { ...emptyQuery, ...query },
      fingerprint: _id,
      alert: 'instant',
      anchors: anchors?.[index] ?? (await anchorsOf(query)),
      alertDueAt: null,
      toldAt: null,
      toldUntil: null,
      lastSeenAt: past,
      createdAt: past,
    });
  }
  for (let start = 0; start < records.length; start += 1000)
    await scoped(SavedSearchModel, shop.installation.id).insertAbsent(records.slice(start, start + 1000));
  return records.map(({ _id }) => _id);
}
const match = (...ids: string[]) =>
  matchPublished({ platform: stack.platform, installationId: shop.installation.id }, ids);

test('of ten thousand searches only those are looked at that share what is rare about a listing', async () => {
  const garage = await shop.dealer();
  const first = await garage.listing({ published: true, attributes: car });
  // What is common now: diesels, used ones, this category, this price.
  const catalog = scoped(CatalogListingModel, shop.installation.id);
  const copy = await catalog.findOne({ _id: first.id });
  if (!copy) throw new Error('It is not published.');
  const { _id: __, installationId: ___, changedAt: ____, ...members } = copy;
  await catalog.upsertEach(
    Array.from({ length: 40 }, (_, index) => {
      const _id = newId('listing');
      const attributeTokens = ['fuel=diesel', `model=model-${index}`];
      return { _id, update: { $set: { ...members, slug: _id.toLowerCase(), attributeTokens } } };
    }),
  );
  const common = {
    categoryId: shop.categories.cars ?? null,
    conditions: ['used' as const],
    currency: 'EUR',
    priceMax: 2_000_000,
  };
  const like = (index: number): Partial<StoredQuery> => ({
    ...common,
    attributes: [equal('fuel', 'diesel', 'petrol'), equal('model', `model-${index}`)],
  });
  const anchors = await Promise.all(Array.from({ length: 100 }, (_, index) => anchorsOf(like(index))));
  expect(anchors[7]).toEqual(['attribute:model=model-7']);
  const queries = Array.from({ length: 10_000 }, (_, index) => like(index % 100));
  await store(
    queries,
    Array.from({ length: 10_000 }, (_, index) => anchors[index % 100] ?? []),
  );
  const { id } = await garage.listing({
    published: true,
    attributes: { ...car, model: 'model-7' },
    price: { amount: 1_000_000, currency: 'EUR' },
  });
  const plans = await indexesOf(async () => {
    expect(await match(id)).toEqual({ examined: 100, matched: 100 });
  });
  const reads = plans.filter(({ command }) => command === 'find saved_searches');
  // Whether any are kept, and those of the listing.
  expect(reads).toHaveLength(2);
  for (const { indexes } of reads) expect(indexes).toContainEqual(expect.stringMatching(/anchors/));
  expect(await match(id)).toEqual({ examined: 100, matched: 100 });
  expect(await scoped(SearchHitModel, shop.installation.id).count({})).toBe(100);
}, 90_000);

test('a hundred listings at once cost as many commands as one', async () => {
  const garage = await shop.dealer();
  await store([{ attributes: [equal('make', 'skoda')] }]);
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1)
    ids.push((await garage.listing({ published: true, attributes: car })).id);
  const commandsFor = async (some: string[]) => (await indexesOf(() => match(...some))).length;
  expect(await commandsFor(ids)).toBe(await commandsFor(ids.slice(0, 1)));
});

test.each<[string, Partial<StoredQuery>, RegExp]>([
  ['words', { q: 'red convertible', locale: 'en' }, /^word:(red|convert)/],
  ['a dealer', { dealerIds: [newId('dealer')], conditions: ['used'] }, /^seller:dlr_/],
  ['a place', { near: { lat: 52.5, lng: 13.4, radiusKm: 30 }, currency: 'EUR' }, /^cell:1:5[23]:1[234]$/],
  [
    'a map over the date line',
    { bounds: { south: -20, west: 170, north: 0, east: -170 } },
    /^cell:10:-?[0-2]:(17|18|-18|-17)$/,
  ],
  [
    'a price',
    { currency: 'EUR', priceMin: 900_000, priceMax: 1_000_000, conditions: ['used'] },
    /^price EUR~/,
  ],
  ['a number', { attributes: [{ ...equal('mileageKm'), max: 50_000 }] }, /^attribute mileageKm~/],
  ['nothing', { withImages: false }, /^\*$/],
])('a search for %s stands where its listings lead', async (_, query, pattern) => {
  const anchors = await anchorsOf(query);
  expect(anchors.length).toBeGreaterThan(0);
  for (const anchor of anchors) expect(anchor).toMatch(pattern);
});

test('a search for words that mean nothing stands nowhere', async () => {
  expect(await anchorsOf({ q: 'the of and', locale: 'en', conditions: ['used'] })).toEqual([]);
});

test('whatever is searched, a new listing is matched exactly where the catalogue finds it', async () => {
  const anna = await shop.user();
  const garage = await shop.dealer();
  const at = (lat: number, lng: number) => ({
    location: { postalCode: '10115', city: 'Berlin', country: 'DE', precision: 'EXACT', geo: { lat, lng } },
  });
  const listings = [
    await anna.listing({
      published: true,
      title: 'Red convertibles',
      description: 'Nearly new cars.',
      attributes: { ...car, features: ['abs', 'towbar'], doors: 5 },
      ...at(52.5, 13.4),
    }),
    await anna.listing({
      published: true,
      title: 'Rotes Cabrio',
      description: 'Mit Winterreifen.',
      language: 'de',
      condition: 'NEW',
      price: { amount: 250_000, currency: 'USD' },
      attributes: { ...car, make: 'volvo', fuel: 'petrol', mileageKm: 0 },
      ...at(-17.7, 179.9),
    }),
    await garage.listing({ published: true, price: null, priceType: 'ON_REQUEST', attributes: car }),
    await garage.listing({ published: true, categoryId: shop.categories.wheels, attributes: {} }),
  ];
  const among = <V>(...values: V[]) => fc.constantFrom(...values);
  const some = <V>(...values: V[]) => fc.uniqueArray(among(...values), { maxLength: 2 });
  const attribute = fc.oneof(
    among(
      equal('fuel', 'diesel'),
      equal('fuel', 'petrol', 'electric'),
      equal('doors', '5'),
      equal('doors', '3'),
    ),
    among({ ...equal('features'), all: ['abs', 'towbar'] }, { ...equal('features'), all: ['abs', 'camera'] }),
    fc.record({
      name: among('mileageKm'),
      values: among([]),
      all: among([]),
      min: among(null, 0, 1),
      max: among(null, 0, 84_000),
    }),
  );
  const queries = fc
    .sample(
      fc.record({
        q: among(
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          'convertible',
          'winterreifen',
          'car boat',
          'the',
          'CABRIO',
        ),
        locale: among('en', 'de'),
        categoryId: among(
          null,
          null,
          null,
          null,
          shop.categories.vehicles ?? '',
          shop.categories.wheels ?? '',
        ),
        dealerIds: among([], [], [], [], [], [garage.id], [garage.id, newId('dealer')]),
        conditions: some<'new' | 'used'>('new', 'used'),
        priceTypes: some<'fixed' | 'on_request'>('fixed', 'on_request'),
        sellerTypes: some<'user' | 'dealer'>('user', 'dealer'),
        attributes: fc.oneof({ weight: 2, arbitrary: among([]) }, fc.array(attribute, { maxLength: 2 })),
        near: among(
          null,
          null,
          { lat: 52.5, lng: 13.5, radiusKm: 30 },
          { lat: -17.7, lng: -179.9, radiusKm: 60 },
        ),
        bounds: among(null, null, null, null, null, null, { south: -30, west: 170, north: 10, east: -170 }),
        withImages: among(null, null, null, false, false, true),
        price: among(
          { currency: null, priceMin: null, priceMax: null },
          { currency: null, priceMin: null, priceMax: null },
          { currency: null, priceMin: null, priceMax: null },
          { currency: 'EUR', priceMin: null, priceMax: 1_300_000 },
          { currency: 'USD', priceMin: 250_000, priceMax: null },
          { currency: 'EUR', priceMin: null, priceMax: null },
        ),
      }),
      { numRuns: 300, seed: 7 },
    )
    .map(({ price, ...query }): StoredQuery => ({ ...emptyQuery, ...query, ...price }));
  const ids = await store(queries);
  await match(...listings.map(({ id }) => id));
  const hits = await scoped(SearchHitModel, shop.installation.id).find({});
  const matched = Map.groupBy(hits, ({ searchId }) => searchId);
  const context = contextOf();
  let found = 0;
  for (const [index, query] of queries.entries()) {
    const { nodes } = await columnCatalogSearch.search(context, toSearch(query, context), {
      first: 100,
      after: null,
      count: false,
    });
    const told = (matched.get(ids[index] ?? '') ?? []).map(({ listingId }) => listingId);
    expect({ query, told: told.sort() }).toEqual({ query, told: nodes.map(({ _id }) => _id).sort() });
    found += nodes.length;
  }
  // A test that finds nothing proves nothing.
  expect(found).toBeGreaterThan(50);
});
