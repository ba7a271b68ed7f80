import fc from 'fast-check';
import { perTest, product } from '../../../../test/support/product.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { catalogSearchOf } from '../catalog/catalogSearchOf.ts';
import { matchPublished } from './matchPublished.ts';
import { SavedSearchModel, type SavedSearchRecord, type StoredQuery } from './model.ts';
import { toCatalogSearch } from './query.ts';

const { neighbour, stack } = product();

// Every test searches an installation of its own.
const shop = perTest(() => neighbour());

const base = { model: 'octavia', firstRegistration: '2019-04', transmission: 'manual' };
const car = { make: 'skoda', fuel: 'diesel', mileageKm: 84_000, ...base };
const equal = (name: string, ...values: string[]) => ({ name, values, all: [], min: null, max: null });
const emptyQuery: StoredQuery = {
  q: null,
  locale: null,
  categoryId: null,
  currency: null,
  priceMin: null,
  priceMax: null,
  conditions: [],
  priceTypes: [],
  sellerTypes: [],
  dealerIds: [],
  near: null,
  bounds: null,
  withImages: null,
  attributes: [],
};
const searches = () => shop.records(SavedSearchModel);

/** Stores instant searches directly, because an account has a limit. Returns their ids. */
async function store(queries: readonly Partial<StoredQuery>[]): Promise<string[]> {
  const past = new Date(stack.platform.now() - 60_000);
  const records = queries.map((query): Omit<SavedSearchRecord, 'installationId'> => {
    const _id = newId('savedSearch');
    return {
      _id,
      userId: newId('user'),
      name: 'Kept',
      query: { ...emptyQuery, ...query },
      fingerprint: _id,
      alert: 'instant',
      alertDueAt: null,
      toldAt: null,
      toldUntil: null,
      lastSeenAt: past,
      createdAt: past,
    };
  });
  await searches().insertAbsent(records);
  return records.map(({ _id }) => _id);
}
/** Ids of the searches that are due because of these listings. */
async function match(...ids: string[]): Promise<Set<string>> {
  await searches().updateMany({}, { $set: { alertDueAt: null } });
  const { signal } = new AbortController();
  await matchPublished({ platform: stack.platform, signal }, shop.installation, ids);
  const due = await searches().find({ alertDueAt: { $ne: null } });
  return new Set(due.map(({ _id }) => _id));
}

test('a new listing is matched with instant searches only, which are read by an index', async () => {
  const { id } = await (await shop.dealer()).listing({ published: true, attributes: car });
  const [kept = '', other = ''] = await store([{}, {}]);
  await searches().findOneAndUpdate({ _id: other }, { $set: { alert: 'daily' } });
  const plans = await indexesOf(async () => expect(await match(id)).toEqual(new Set([kept])));
  const [read] = plans.filter(({ command }) => command === 'find saved_searches');
  expect(read?.indexes).toContainEqual(expect.stringMatching(/alert_1/));
});

test('matching five listings costs as many commands as matching one', async () => {
  const garage = await shop.dealer();
  await store([{ attributes: [equal('make', 'skoda')] }]);
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1)
    ids.push((await garage.listing({ published: true, attributes: car })).id);
  const commandsFor = async (some: string[]) => (await indexesOf(() => match(...some))).length;
  expect(await commandsFor(ids)).toBe(await commandsFor(ids.slice(0, 1)));
});

test('a new listing matches exactly the saved searches with which the catalogue finds it', async () => {
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
  /** The usual value in three of four cases, and one of the others in the fourth. */
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
  const due = new Map<string, Set<string>>();
  for (const { id } of listings) due.set(id, await match(id));
  const context = stack.contextFor({ installation: shop.installation });
  let found = 0;
  for (const [index, query] of queries.entries()) {
    const page = { first: 100, after: null, count: false };
    const search = toCatalogSearch(query, shop.installation, { publishedAfter: null });
    const { nodes } = await catalogSearchOf(stack.platform).search(context, search, page);
    const matches = listings.map(({ id }) => id).filter((id) => due.get(id)?.has(ids[index] ?? ''));
    expect({ query, matches: matches.sort() }).toEqual({
      query,
      matches: nodes.map(({ _id }) => _id).sort(),
    });
    found += nodes.length;
  }
  // Without matches, the comparison would verify nothing.
  expect(found).toBeGreaterThan(50);
});
