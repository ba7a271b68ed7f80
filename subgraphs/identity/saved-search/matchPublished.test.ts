import fc from 'fast-check';
import { concurrently } from '../../../test/support/concurrently.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { product } from '../../../test/support/product.ts';
import type { SeededInstallation } from '../../../test/support/seed.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { newId } from '../../platform/ids/newId.ts';
import { columnCatalogSearch } from '../catalog/columnCatalogSearch.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { findAnchors } from './findAnchors.ts';
import { matchPublished } from './matchPublished.ts';
import { SavedSearchModel, type SavedSearchRecord, SearchHitModel, type StoredQuery } from './model.ts';
import { emptyQuery, toSearch } from './toSearch.ts';

const { neighbour, stack } = product();
let shop: SeededInstallation;

// Every test searches an installation of its own.
beforeEach(async () => {
  shop = await neighbour();
});

const base = { model: 'octavia', firstRegistration: '2019-04', transmission: 'manual' };
const car = { make: 'skoda', fuel: 'diesel', mileageKm: 84_000, ...base };
const contextOf = (): RequestContext => stack.contextFor({ installation: shop.installation });
const anchorsOf = (query: Partial<StoredQuery>) =>
  findAnchors({ ...emptyQuery, ...query }, contextOf(), columnCatalogSearch);
const equal = (name: string, ...values: string[]) => ({ name, values, all: [], min: null, max: null });

/** Stores searches directly, because an account has a limit; answers their ids. */
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
    await shop.records(SavedSearchModel).insertAbsent(records.slice(start, start + 1000));
  return records.map(({ _id }) => _id);
}
const match = (...ids: string[]) =>
  matchPublished({ platform: stack.platform, installationId: shop.installation.id }, ids);

test('of ten thousand searches only those with the rare members of a listing are examined', async () => {
  const garage = await shop.dealer();
  const first = await garage.listing({ published: true, attributes: car });
  // Diesel, used, this category and this price are common in the catalogue.
  const catalog = shop.records(CatalogListingModel);
  const copy = await catalog.findOne({ _id: first.id });
  if (!copy) throw new Error('The listing has no public copy.');
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
  const anchors = await concurrently(100, (index) => anchorsOf(like(index)));
  expect(anchors[7]).toEqual(['attribute:model=model-7']);
  const indexes = Array.from({ length: 10_000 }, (_, index) => index % 100);
  await store(
    indexes.map(like),
    indexes.map((index) => anchors[index] ?? []),
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
  // One read finds out whether there are any, the other reads those of the listing.
  expect(reads).toHaveLength(2);
  for (const { indexes } of reads) expect(indexes).toContainEqual(expect.stringMatching(/anchors/));
  expect(await match(id)).toEqual({ examined: 100, matched: 100 });
  expect(await shop.records(SearchHitModel).count({})).toBe(100);
}, 90_000);

test('five listings cost as many commands as one', async () => {
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
])('a search for %s has the anchors of its listings', async (_, query, pattern) => {
  const anchors = await anchorsOf(query);
  expect(anchors.length).toBeGreaterThan(0);
  for (const anchor of anchors) expect(anchor).toMatch(pattern);
});

test('a search for stop words has no anchor', async () => {
  expect(await anchorsOf({ q: 'the of and', locale: 'en', conditions: ['used'] })).toEqual([]);
});

test('a new listing matches exactly the searches for which the catalogue finds it', async () => {
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
  /** One value three times out of four, else one of the others. */
  const mostly = <V, W>(usual: V, ...others: W[]): fc.Arbitrary<V | W> =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: among(...others) });
  const { vehicles = '', wheels = '' } = shop.categories;
  const anyPrice = { currency: null, priceMin: null, priceMax: null };
  const [berlin, fiji] = [
    { lat: 52.5, lng: 13.5, radiusKm: 30 },
    { lat: -17.7, lng: -179.9, radiusKm: 60 },
  ];
  const attribute = among(
    equal('fuel', 'diesel'),
    equal('fuel', 'petrol', 'electric'),
    equal('doors', '5'),
    equal('doors', '3'),
    { ...equal('features'), all: ['abs', 'towbar'] },
    { ...equal('features'), all: ['abs', 'camera'] },
    { ...equal('mileageKm'), min: 0, max: 84_000 },
    { ...equal('mileageKm'), min: 1 },
    { ...equal('mileageKm'), max: 0 },
  );
  const arbitrary = fc.record({
    q: mostly(null, 'convertible', 'winterreifen', 'car boat', 'the', 'CABRIO'),
    locale: among('en', 'de'),
    categoryId: mostly(null, vehicles, wheels),
    dealerIds: mostly([], [garage.id], [garage.id, newId('dealer')]),
    conditions: some<'new' | 'used'>('new', 'used'),
    priceTypes: some<'fixed' | 'on_request'>('fixed', 'on_request'),
    sellerTypes: some<'user' | 'dealer'>('user', 'dealer'),
    attributes: fc.oneof({ weight: 2, arbitrary: among([]) }, fc.array(attribute, { maxLength: 2 })),
    near: mostly(null, berlin, fiji),
    bounds: mostly(null, { south: -30, west: 170, north: 10, east: -170 }),
    withImages: mostly(null, false, true),
    price: mostly(
      anyPrice,
      { ...anyPrice, currency: 'EUR', priceMax: 1_300_000 },
      { ...anyPrice, currency: 'USD', priceMin: 250_000 },
      { ...anyPrice, currency: 'EUR' },
    ),
  });
  const queries = fc
    .sample(arbitrary, { numRuns: 300, seed: 7 })
    .map(({ price, ...query }): StoredQuery => ({ ...emptyQuery, ...query, ...price }));
  const ids = await store(queries);
  await match(...listings.map(({ id }) => id));
  const hits = await shop.records(SearchHitModel).find({});
  const matched = Map.groupBy(hits, ({ searchId }) => searchId);
  const context = contextOf();
  let found = 0;
  for (const [index, query] of queries.entries()) {
    const page = { first: 100, after: null, count: false };
    const { nodes } = await columnCatalogSearch.search(context, toSearch(query, context), page);
    const matches = (matched.get(ids[index] ?? '') ?? []).map(({ listingId }) => listingId).sort();
    expect({ query, matches }).toEqual({ query, matches: nodes.map(({ _id }) => _id).sort() });
    found += nodes.length;
  }
  // A test that finds nothing proves nothing.
  expect(found).toBeGreaterThan(50);
});
