import { type CarListing, readCarListings } from '../../../../app/demonstration/carListings.ts';
import { importCars } from '../../../../test/support/people/importCars.ts';
import { product } from '../../../../test/support/product.ts';
import type { Caller } from '../../../../test/support/seed.ts';
import { changesHeard } from '../../../../test/support/stack/changesHeard.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';

type Search = Omit<NonNullable<Parameters<Caller['catalogFacets']>[0]>, 'facets'>;

const world = product();
/** The catalogue contains only the 406 cars of the demonstration, from a feed. */
const { market } = world;
const rows = readCarListings();

beforeAll(() => importCars(market, world.stack));

const facetsOf = (facets: string[], search: Search = {}, of = market) =>
  of.visitor.catalogFacets({ facets, ...search });
/** The expected facet, counted from the feed. */
const tally = (name: string, isMeant: (car: CarListing) => boolean = () => true) => {
  const counts: Record<string, number> = {};
  for (const car of rows.filter(isMeant)) {
    const value = String(car.attributes[name]);
    if (name in car.attributes) counts[value] = (counts[value] ?? 0) + 1;
  }
  return Object.entries(counts)
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, 50);
};
const numbersOf = (name: string, isMeant: (car: CarListing) => boolean = () => true): number[] =>
  rows.filter((car) => isMeant(car) && name in car.attributes).map((car) => Number(car.attributes[name]));
const is =
  (name: string, ...values: string[]) =>
  (car: CarListing) =>
    values.includes(String(car.attributes[name]));

test('the facets of 406 cars count their values, in descending order of frequency', async () => {
  const names = ['make', 'fuel', 'transmission', 'bodyType', 'firstRegistration', 'model'];
  const { total, complete, facets } = await facetsOf(names);
  expect({ total, complete }).toEqual({ total: 406, complete: true });
  expect(facets).toEqual(names.map((name) => ({ name, buckets: tally(name), range: null })));
});

test('the facets of numbers have the minimum, the maximum and a histogram of 406 cars', async () => {
  const { facets } = await facetsOf(['mileageKm', 'powerKw', 'consumptionLPer100Km', 'modelYear']);
  for (const { name, buckets, range } of facets) {
    const numbers = numbersOf(name);
    const { min, max, histogram = [] } = range ?? {};
    expect(buckets).toEqual([]);
    expect([min, max]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
    expect(histogram.length).toBeGreaterThan(5);
    expect(histogram.length).toBeLessThanOrEqual(21);
    for (const { from, to, count } of histogram)
      expect(count).toBe(numbers.filter((value) => value >= from && value < to).length);
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length);
  }
});

test('a facet ignores its own condition and applies the others', async () => {
  const attributes = [
    { name: 'make', values: ['ford', 'toyota'] },
    { name: 'fuel', values: ['petrol'] },
    { name: 'mileageKm', max: 100_000 },
  ];
  const [isMake, isFuel] = [is('make', 'ford', 'toyota'), is('fuel', 'petrol')];
  const isLow = (car: CarListing) => Number(car.attributes.mileageKm) <= 100_000;
  const { total, facets } = await facetsOf(['make', 'fuel', 'bodyType', 'mileageKm'], { attributes });
  const [make, fuel, bodyType, mileage] = facets;
  expect(total).toBe(rows.filter((car) => isMake(car) && isFuel(car) && isLow(car)).length);
  expect(make?.buckets).toEqual(tally('make', (car) => isFuel(car) && isLow(car)));
  expect(fuel?.buckets).toEqual(tally('fuel', (car) => isMake(car) && isLow(car)));
  expect(bodyType?.buckets).toEqual(tally('bodyType', (car) => isMake(car) && isFuel(car) && isLow(car)));
  expect(mileage?.range?.max).toBe(Math.max(...numbersOf('mileageKm', (car) => isMake(car) && isFuel(car))));
});

test('the facet of prices ignores the requested price range', async () => {
  const attributes = [{ name: 'make', values: ['ford'] }];
  const prices = { priceMin: 500_000, priceMax: 900_000, currency: 'EUR' };
  const fords = rows.filter(is('make', 'ford')).map(({ priceAmount }) => priceAmount);
  const { total, facets } = await facetsOf(['price', 'make'], { ...prices, attributes });
  expect(total).toBe(fords.filter((amount) => amount >= 500_000 && amount <= 900_000).length);
  expect(facets[0]?.range).toMatchObject({ min: Math.min(...fords), max: Math.max(...fords) });
  expect((await facetsOf(['price'], { currency: 'USD' })).facets[0]?.range).toBeNull();
});

test('every facet counts only listings with the requested words', async () => {
  const isWagon = (car: CarListing) => /\bwagon/i.test(`${car.title} ${car.description}`);
  const { total, facets } = await facetsOf(['make'], { q: 'wagon' });
  expect(total).toBe(rows.filter(isWagon).length);
  expect(facets[0]?.buckets).toEqual(tally('make', isWagon));
});

test('a listing is counted for its category and the categories above it', async () => {
  const { vehicles = '', cars = '' } = market.categories;
  const { facets } = await facetsOf(['categoryId', 'condition', 'sellerType', 'priceType']);
  const counts = facets.map(({ buckets }) => new Map(buckets.map(({ value, count }) => [value, count])));
  expect(counts).toEqual([
    new Map([vehicles, cars].map((id) => [id, 406])),
    new Map([['used', 406]]),
    new Map([['dealer', 406]]),
    new Map([['fixed', 406]]),
  ]);
});

test('facets cost two commands, for any number of facets and with words', async () => {
  const many = ['make', 'fuel', 'price', 'mileageKm', 'categoryId'];
  // A change that arrives after the first call would drop the categories that it cached.
  await changesHeard();
  await facetsOf(many);
  const reading = ['find catalog_listings', 'find catalog_removals'];
  for (const work of [() => facetsOf(['make']), () => facetsOf(many), () => facetsOf(many, { q: 'ford' })])
    expect(await commandsOf(work)).toEqual(reading);
});

test('a listing is counted once for each of its values, in any order', async () => {
  const shop = await world.neighbour();
  const anna = await shop.seller();
  const base = rows[0]?.attributes;
  for (const features of [['abs', 'towbar'], ['towbar', 'abs'], ['abs'], []])
    await anna.listing({ published: true, attributes: { ...base, features } });
  const [abs, towbar] = [
    { value: 'abs', count: 3 },
    { value: 'towbar', count: 2 },
  ];
  expect(await facetsOf(['features'], {}, shop)).toMatchObject({
    total: 4,
    facets: [{ buckets: [abs, towbar] }],
  });
  const attributes = [{ name: 'features', all: ['abs', 'towbar'] }];
  const both = await facetsOf(['make', 'features'], { attributes }, shop);
  expect(both.total).toBe(2);
  expect(both.facets[1]?.buckets[0]).toEqual(abs);
});

test('an installation without listings has facets without values', async () => {
  const facets = ['make', 'price', 'mileageKm'];
  expect(await facetsOf(facets, { categoryId: 'cat_x' }, await world.neighbour())).toEqual({
    total: 0,
    complete: true,
    facets: facets.map((name) => ({ name, buckets: [], range: null })),
  });
});

test.each([
  ['no facets', [], 'malformed_request'],
  ['a facet twice', ['make', 'make'], 'malformed_request'],
  ['21 facets', Array.from({ length: 21 }, (_, index) => `f${index}`), 'malformed_request'],
  ['an attribute that no category has', ['wings'], 'unsupported_parameter'],
  ['the name of an inherited object member', ['constructor'], 'unsupported_parameter'],
  ['the seller', ['sellerId'], 'unsupported_parameter'],
  ['a private attribute', ['vin'], 'unsupported_parameter'],
])('facets are refused for %s', async (_, facets, code) => {
  expect(await facetsOf(facets)).toBeRefused(400, code);
});
