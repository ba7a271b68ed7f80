import { allPages } from '../../../../test/support/allPages.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { type Caller, completeListing } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { CatalogAttributeInput } from '../../identity.generated.ts';
import { CatalogListingModel } from './public-listing/model.ts';

type Search = Parameters<Caller['catalogListings']>[0];

const { neighbour, stack } = product();
// Every test has an installation of its own, so that no other listings are found.
const shop = perTest(() => neighbour());
const anna = perTest(() => shop.seller());

const find = (search: Search = {}, select = 'nodes { id } pageInfo { endCursor } totalCount') =>
  shop.visitor.catalogListings(search, select);
const idsOf = async (search: Search = {}) => (await find(search)).nodes.map(({ id }) => id);
const idsOfPages = async (search: Search, first = 2) =>
  (await allPages((after) => find({ ...search, first, after }))).map(({ id }) => id);
const publish = async (members: object = {}) => (await anna.listing({ published: true, ...members })).id;
const at = (lat: number, lng: number) =>
  publish({ location: { postalCode: '1', city: 'X', country: 'DE', precision: 'EXACT', geo: { lat, lng } } });
const car = (attributes: object) =>
  publish({ attributes: { ...(completeListing({}).attributes as object), mileageKm: 10, ...attributes } });
const area = (south: number, west: number, north: number, east: number) => ({ south, west, north, east });
const copies = () => shop.records(CatalogListingModel);

test('a search in a category finds the listings of the categories below it', async () => {
  const octavia = await publish();
  const wheels = await publish({ categoryId: shop.categories.wheels, attributes: {} });
  expect(await idsOf({ categoryId: shop.categories.vehicles })).toEqual([octavia]);
  expect(await idsOf({ categoryId: shop.categories.cars })).toEqual([octavia]);
  expect(await idsOf({ categoryId: shop.categories.parts })).toEqual([wheels]);
  expect(await idsOf({ categoryId: 'cat_x' })).toEqual([]);
  expect(await idsOf()).toEqual([wheels, octavia]);
});

test('prices are compared in one currency and ordered across currencies', async () => {
  const priced = (amount: number, currency = 'EUR') => publish({ price: { amount, currency } });
  const [cheap, dear, dollars] = [await priced(100), await priced(900), await priced(500, 'USD')];
  const asked = await publish({ price: null, priceType: 'ON_REQUEST' });
  expect(await idsOf({ priceMin: 100, priceMax: 500, currency: 'EUR' })).toEqual([cheap]);
  expect(await idsOf({ priceMin: 101, currency: 'EUR' })).toEqual([dear]);
  expect(await idsOf({ currency: 'USD' })).toEqual([dollars]);
  expect(await idsOf({ sort: 'PRICE_ASC' })).toEqual([cheap, dollars, dear, asked]);
  expect(await idsOf({ sort: 'PRICE_DESC' })).toEqual([asked, dear, dollars, cheap]);
  expect(await idsOf({ priceType: ['ON_REQUEST'] })).toEqual([asked]);
  expect(await find({ priceMin: 1 })).toBeRefused(400, 'malformed_request');
});

test('a search filters by seller, condition and time of publication', async () => {
  const before = new Date(stack.platform.now() - 1).toISOString() as never;
  const mine = await publish({ condition: 'NEW' });
  const [garage, other] = [await shop.dealer(), await shop.dealer()];
  const { id: theirs } = await garage.listing({ published: true });
  expect(await idsOf({ sellerType: ['DEALER'] })).toEqual([theirs]);
  expect(await idsOf({ dealerId: [anna.id], sellerType: ['DEALER'] })).toEqual([]);
  const { id: another } = await other.listing({ published: true });
  expect(await idsOf({ dealerId: [garage.id] })).toEqual([theirs]);
  expect(await idsOf({ dealerId: [garage.id, other.id, 'dlr_x'] })).toEqual([another, theirs]);
  expect(await idsOf({ dealerId: [garage.id, other.id], q: 'skoda' })).toHaveLength(2);
  const many = Array.from({ length: 51 }, (_, index) => `dlr_${index}`);
  expect(await find({ dealerId: many })).toBeRefused(400, 'malformed_request');
  expect(await idsOf({ condition: ['NEW', 'FOR_PARTS'] })).toEqual([mine]);
  expect(await idsOf({ publishedAfter: before })).toHaveLength(3);
  expect(await idsOf({ publishedAfter: '2100-01-01T00:00:00Z' as never })).toEqual([]);
});

test('a search filters attributes by one of several values, all of several values, minimum and maximum', async () => {
  const whole = await car({ doors: 5, features: ['abs', 'towbar'], accidentDamaged: false });
  const used = await car({ doors: 3, features: ['abs'], mileageKm: 99, fuel: 'petrol' });
  const by = (...attributes: Wire<CatalogAttributeInput>[]) => idsOf({ attributes });
  expect(await by({ name: 'fuel', values: ['diesel', 'electric'] })).toEqual([whole]);
  expect(await by({ name: 'doors', values: ['3'] })).toEqual([used]);
  expect(await by({ name: 'accidentDamaged', values: ['false'] })).toEqual([whole]);
  expect(await by({ name: 'features', all: ['abs', 'towbar'] })).toEqual([whole]);
  expect(await by({ name: 'features', values: ['abs'] })).toEqual([used, whole]);
  expect(await by({ name: 'mileageKm', min: 11 })).toEqual([used]);
  const make = { name: 'make', values: ['skoda'] };
  expect(await by({ name: 'mileageKm', min: 5, max: 50 }, make)).toEqual([whole]);
  expect(await by({ name: 'fuel', values: ['diesel'] }, { name: 'doors', values: ['3'] })).toEqual([]);
  for (const name of ['$where', 'a.b', '__proto__'])
    expect(await find({ attributes: [{ name, values: ['x'] }] })).toBeRefused(400, 'unsupported_parameter');
});

test('a search stems words in the language of the text, and ranks better matches first', async () => {
  const inTitle = await publish({ title: 'Red convertibles', description: 'Summer.' });
  const inText = await publish({ title: 'A plain car', description: 'Nearly a convertible.' });
  const german = { title: 'Rotes Cabrio', description: 'Mit Winterreifen.', language: 'de' };
  const cabrio = await publish(german);
  const exotic = await publish({ title: 'Tlhingan vehicle', language: 'tlh' });
  expect(await idsOf({ q: 'convertible' })).toEqual([inTitle, inText]);
  expect(await idsOf({ q: 'convertible', sort: 'PUBLISHED_AT_DESC' })).toEqual([inText, inTitle]);
  expect(await idsOf({ q: 'Winterreifen', locale: 'de' })).toEqual([cabrio]);
  expect(await idsOf({ q: 'tlhingan', locale: 'tlh' })).toEqual([exotic]);
  expect(await idsOf({ q: 'convertible', categoryId: shop.categories.parts })).toEqual([]);
  for (const nothing of ['zeppelin', '"unfinished', '{$ne:1}', '\u0000x'])
    expect(await idsOf({ q: nothing })).toEqual([]);
  expect(await idsOf({ q: '   ' })).toHaveLength(4);
});

test('a search by words finds only listings that meet all other conditions', async () => {
  const [near, far] = [await at(52.52, 13.405), await at(48.1, 11.6)];
  expect((await idsOf({ q: 'skoda' })).sort()).toEqual([near, far].sort());
  expect(await idsOf({ q: 'skoda', near: { lat: 48.1, lng: 11.6 }, radiusKm: 5 })).toEqual([far]);
  expect(await idsOf({ q: 'skoda', bounds: area(52, 13, 53, 14) })).toEqual([near]);
  const low = { name: 'mileageKm', max: 84_000 };
  expect(await idsOf({ q: 'skoda', attributes: [low] })).toHaveLength(2);
  expect(await idsOf({ q: 'skoda', attributes: [{ ...low, max: 1 }] })).toEqual([]);
});

test('among hundreds of matches, titles rank before attributes, and attributes before descriptions', async () => {
  const id = await car({ make: 'trabant' });
  const copy = await copies().findOne({ _id: id });
  if (!copy) throw new Error(`${id} has no public copy.`);
  const { installationId: _, _id: __, changedAt: ___, ...members } = copy;
  const texts = { title: 'A car', description: 'A trabant.', attributesText: 'trabant' };
  const others = Array.from({ length: 600 }, () => newId('listing'));
  const toSlug = (text: string) => text.toLowerCase().replace('_', '-');
  await copies().upsertEach(
    others.map((_id) => ({ _id, update: { $set: { ...members, ...texts, slug: toSlug(_id) } } })),
  );
  await copies().updateMany({ _id: id }, { $set: { title: 'Two trabants' } });
  const last = await car({ make: 'audi' });
  await copies().updateMany({ _id: last }, { $set: { description: 'No trabant.' } });
  expect((await find({ q: 'trabant', count: true, first: 2 })).totalCount).toBe(602);
  expect(await idsOf({ q: 'trabant', sort: 'PRICE_ASC', first: 100 })).toHaveLength(100);
  const ranked = await idsOfPages({ q: 'trabant' }, 100);
  expect([ranked.length, ranked[0], ranked.at(-1)]).toEqual([602, id, last]);
});

test('a search around a place returns pages in ascending order of distance', async () => {
  // Distances from Berlin: Potsdam 27 km, Magdeburg 128 km, Hamburg 255 km.
  const hamburg = await at(53.5511, 9.9937);
  const potsdam = await at(52.3906, 13.0645);
  const berlin = await at(52.52, 13.405);
  const magdeburg = await at(52.1205, 11.6276);
  await publish({ location: { postalCode: '1', city: 'Nowhere', country: 'DE' } });
  const near = { lat: 52.52, lng: 13.405 };
  const sort = 'DISTANCE';
  expect(await idsOf({ near, radiusKm: 300, sort })).toEqual([berlin, potsdam, magdeburg, hamburg]);
  expect(await idsOf({ near, radiusKm: 200, sort })).toEqual([berlin, potsdam, magdeburg]);
  expect(await idsOf({ near, sort })).toEqual([berlin, potsdam]);
  expect(await idsOf({ near, radiusKm: 27.5, sort })).toEqual([berlin, potsdam]);
  expect(await idsOf({ near, radiusKm: 26.5 })).toEqual([berlin]);
  expect(await idsOfPages({ near, radiusKm: 300, sort })).toEqual([berlin, potsdam, magdeburg, hamburg]);
  expect(await idsOf({ near, radiusKm: 300, q: 'skoda', sort })).toHaveLength(4);
});

test('a search by map or place crosses the antimeridian and the pole', async () => {
  const [fiji, samoa, berlin] = [await at(-17.7, 178.1), await at(-13.8, -171.8), await at(52.52, 13.405)];
  expect(await idsOf({ bounds: area(-25, 170, -5, -165) })).toEqual([samoa, fiji]);
  expect(await idsOf({ bounds: area(-25, -165, -5, 170) })).toEqual([]);
  expect(await idsOf({ bounds: area(52, 13, 53, 14) })).toEqual([berlin]);
  expect(await idsOf({ bounds: area(-90, -180, 90, 180) })).toHaveLength(3);
  const [east, pole] = [await at(0, 179.9), await at(89.9, 0)];
  expect(await idsOf({ near: { lat: 0, lng: -179.9 }, radiusKm: 30 })).toEqual([east]);
  expect(await idsOf({ near: { lat: 89.9, lng: 180 }, radiusKm: 30 })).toEqual([pole]);
});

test.each<[string, Search]>([
  ['a latitude above 90', { near: { lat: 91, lng: 0 } }],
  ['a longitude above 180', { near: { lat: 0, lng: 180.5 } }],
  ['a radius below 1 km', { near: { lat: 0, lng: 0 }, radiusKm: 0.5 }],
  ['a radius above 500 km', { near: { lat: 0, lng: 0 }, radiusKm: 501 }],
  ['a radius without a place', { radiusKm: 10 }],
  ['a map whose south is above its north', { bounds: area(10, 0, 5, 5) }],
  ['a place and a map', { near: { lat: 0, lng: 0 }, bounds: area(0, 0, 1, 1) }],
  ['an order by distance without a place', { sort: 'DISTANCE' }],
  ['an order by relevance without words', { sort: 'RELEVANCE' }],
  ['words of more than 200 characters', { q: 'x'.repeat(201) }],
])('a search refuses %s', async (_, search) => {
  expect(await find(search)).toBeRefused(400, 'malformed_request');
});

test('a search can be sorted by any numeric attribute, with listings without it last', async () => {
  const few = await car({ mileageKm: 5, powerKw: 80 });
  const many = await car({ mileageKm: 90, powerKw: 60 });
  const unknown = await car({ mileageKm: 50 });
  expect(await idsOf({ sortByAttribute: { name: 'mileageKm' } })).toEqual([few, unknown, many]);
  expect(await idsOf({ sortByAttribute: { name: 'mileageKm', direction: 'DESC' } })).toEqual([
    many,
    unknown,
    few,
  ]);
  expect(await idsOf({ sortByAttribute: { name: 'powerKw' } })).toEqual([many, few, unknown]);
  expect(await idsOf({ sortByAttribute: { name: 'powerKw', direction: 'DESC' } })).toEqual([
    few,
    many,
    unknown,
  ]);
  expect(await idsOf({ sortByAttribute: { name: 'rangeKm' } })).toHaveLength(3);
  for (const name of ['make', 'vin', 'title', '__proto__', 'publishedAt'])
    expect(await find({ sortByAttribute: { name } })).toBeRefused(400, 'unsupported_parameter');
  const both: Search = { sort: 'PRICE_ASC', sortByAttribute: { name: 'powerKw' } };
  expect(await find(both)).toBeRefused(400, 'malformed_request');
});

test('pages contain each listing once in every order, also while listings are published', async () => {
  // Prices and words are equal, so only the id determines the order.
  for (let index = 0; index < 7; index += 1)
    await publish({ price: { amount: index % 2, currency: 'EUR' }, title: 'Skoda Octavia' });
  const searches: Search[] = [
    {},
    { sort: 'PRICE_ASC' },
    { sort: 'PRICE_DESC' },
    { sortByAttribute: { name: 'powerKw' } },
    { q: 'skoda' },
  ];
  for (const search of searches) {
    const whole = await idsOf(search);
    expect(new Set(whole).size).toBe(7);
    expect(await idsOfPages(search)).toEqual(whole);
  }
  const byMileage = { sortByAttribute: { name: 'mileageKm' } };
  const whole = await idsOf(byMileage);
  const first = await find({ ...byMileage, first: 2 });
  await car({ mileageKm: 0 });
  const after = first.pageInfo.endCursor ?? null;
  expect([...first.nodes.map(({ id }) => id), ...(await idsOf({ ...byMileage, after }))]).toEqual(whole);
});

test('a cursor is refused with other filters, words or orders', async () => {
  for (let index = 0; index < 2; index += 1) await publish();
  for (const search of [{}, { q: 'skoda' }]) {
    const { pageInfo } = await find({ ...search, first: 1 });
    const next = { ...search, first: 1, after: pageInfo.endCursor ?? '' };
    expect((await find(next)).nodes).toHaveLength(1);
    const others: Search[] = [{ categoryId: shop.categories.cars }, { q: 'octavia' }, { sort: 'PRICE_ASC' }];
    for (const other of others) expect(await find({ ...next, ...other })).toBeRefused(400, 'invalid_cursor');
  }
});

test('a committed change is visible to the next search', async () => {
  const id = await car({ mileageKm: 7 });
  const low = { attributes: [{ name: 'mileageKm', max: 7 }] };
  const total = async () => (await find({ count: true })).totalCount;
  expect(await idsOf(low)).toEqual([id]);
  expect((await find(low)).totalCount).toBeNull();
  const copy = await copies().findOne({ _id: id });
  await copies().updateMany({ _id: id }, { $set: { 'attributes.mileageKm': 8 } });
  expect(await idsOf(low)).toEqual([]);
  await copies().updateMany({ _id: id }, { $set: { withdrawn: true } });
  expect(await total()).toBe(0);
  await copies().updateMany({ _id: id }, { $set: { withdrawn: false } });
  expect(await total()).toBe(1);
  await copies().deleteMany({ _id: id });
  expect(await total()).toBe(0);
  const { _id, installationId: _, changedAt: __, ...members } = copy ?? { _id: id };
  await copies().findOneAndUpdate({ _id }, { $set: members }, { upsert: true });
  expect(await idsOf(low)).toEqual([id]);
});

test('words and the count cost no commands, and the phone numbers of a page cost two', async () => {
  const garage = await shop.dealer();
  for (let index = 0; index < 6; index += 1) {
    await publish({ contact: { showPhone: true } });
    await garage.listing({ published: true, contact: { showPhone: true } });
  }
  const cost = (search: Search, select: string) => commandsOf(() => find(search, select));
  const page = ['find catalog_listings', 'find catalog_listings', 'find catalog_removals'];
  expect(await cost({ count: true, q: 'skoda' }, 'nodes { id } totalCount')).toEqual(page);
  expect(await cost({}, 'nodes { contactPhone }')).toEqual([...page, 'find dealers', 'find users']);
  expect(await cost({ q: 'word '.repeat(1000) }, 'nodes { id }')).toEqual([]);
});
