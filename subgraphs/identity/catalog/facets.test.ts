import { type CarListing, readCarListings } from '../../../start/demonstration/carListings.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import type { TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { listingImportsJob } from '../listing-import/startListingImport.ts';
import { buildIdentity } from '../server.ts';

let rest: RestStack;
let stack: TestStack;
/** The 406 cars of the demonstration, taken from a feed, and nothing else. */
let cars: SeededInstallation;
const rows = readCarListings();

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  ({ stack } = rest);
  cars = await seed(stack).in(stack.demo);
  const dealer = await cars.dealer();
  const feed = rows.map(({ stockNumber, title, description, attributes, priceAmount }) =>
    JSON.stringify({
      stockNumber,
      title,
      description,
      attributes,
      category: 'cars',
      condition: 'used',
      price: { amount: priceAmount, currency: 'EUR' },
      location: { postalCode: '10115', city: 'Berlin', country: 'DE' },
      publish: true,
    }),
  );
  const { status, body } = await rest.call('POST', `/api/v1/dealers/${dealer.id}/listing-imports`, {
    token: dealer.owner.token,
    headers: { 'content-type': 'application/x-ndjson' },
    text: feed.join('\n'),
  });
  expect([status, body]).toEqual([202, expect.objectContaining({ state: 'queued' })]);
  await stack.runJob(listingImportsJob);
}, 60_000);
afterAll(() => rest.close());

const parameters = `$facets: [String!]!, $q: String, $categoryId: ID, $priceMin: MinorUnits, $priceMax: MinorUnits,
  $currency: String, $condition: [ListingCondition!], $sellerType: [OwnerType!], $attributes: [CatalogAttributeInput!]`;
const source = `query (${parameters}) { catalogFacets(${[...parameters.matchAll(/\$(\w+)/g)]
  .map(([, name]) => `${name}: $${name}`)
  .join(', ')}) { total complete facets { name buckets { value count }
    range { min max histogram { from to count } } } } }`;
const ask = (facets: string[], variables: Record<string, unknown> = {}, shop = cars) =>
  stack.execute(source, { facets, ...variables }, { installation: shop.installation });
const facetsOf = async (facets: string[], variables: Record<string, unknown> = {}, shop = cars) => {
  const result = await ask(facets, variables, shop);
  if (result.errors) throw result.errors[0];
  return result.data?.catalogFacets;
};
/** Counted one by one, as a person would. */
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
const is = (name: string, value: string) => (car: CarListing) => String(car.attributes[name]) === value;

describe('the 406 real cars', () => {
  test('come out with the facets of their values, the most frequent first', async () => {
    const names = ['make', 'fuel', 'transmission', 'bodyType', 'firstRegistration', 'model'];
    const { total, complete, facets } = await facetsOf(names);
    expect({ total, complete }).toEqual({ total: 406, complete: true });
    expect(facets).toEqual(names.map((name) => ({ name, buckets: tally(name), range: null })));
  });

  test('come out with the lowest, the highest and a histogram of their numbers', async () => {
    const names = ['mileageKm', 'powerKw', 'consumptionLPer100Km', 'modelYear'];
    const { facets } = await facetsOf(names);
    for (const { name, buckets, range } of facets) {
      const numbers = numbersOf(name);
      expect(buckets).toEqual([]);
      expect([range.min, range.max]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
      expect(range.histogram.length).toBeGreaterThan(5);
      expect(range.histogram.length).toBeLessThanOrEqual(21);
      for (const { from, to, count } of range.histogram)
        expect(count).toBe(numbers.filter((value) => value >= from && value < to).length);
      expect(range.histogram.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(
        numbers.length,
      );
    }
  });

  test('a facet ignores its own condition and heeds the others', async () => {
    const attributes = [
      { name: 'make', values: ['ford', 'toyota'] },
      { name: 'fuel', values: ['petrol'] },
      { name: 'mileageKm', max: 100_000 },
    ];
    const [isMake, isFuel] = [
      (car: CarListing) => ['ford', 'toyota'].includes(String(car.attributes.make)),
      is('fuel', 'petrol'),
    ];
    const isLow = (car: CarListing) => Number(car.attributes.mileageKm) <= 100_000;
    const { total, facets } = await facetsOf(['make', 'fuel', 'bodyType', 'mileageKm'], { attributes });
    const [make, fuel, bodyType, mileage] = facets;
    expect(total).toBe(rows.filter((car) => isMake(car) && isFuel(car) && isLow(car)).length);
    expect(make.buckets).toEqual(tally('make', (car) => isFuel(car) && isLow(car)));
    expect(fuel.buckets).toEqual(tally('fuel', (car) => isMake(car) && isLow(car)));
    expect(bodyType.buckets).toEqual(tally('bodyType', (car) => isMake(car) && isFuel(car) && isLow(car)));
    expect(mileage.range.max).toBe(Math.max(...numbersOf('mileageKm', (car) => isMake(car) && isFuel(car))));
  });

  test('prices are spread within the other conditions, whatever price is asked for', async () => {
    const query = {
      priceMin: 500_000,
      priceMax: 900_000,
      currency: 'EUR',
      attributes: [{ name: 'make', values: ['ford'] }],
    };
    const fords = rows.filter(is('make', 'ford')).map(({ priceAmount }) => priceAmount);
    const { total, facets } = await facetsOf(['price', 'make'], query);
    expect(total).toBe(fords.filter((amount) => amount >= 500_000 && amount <= 900_000).length);
    expect(facets[0].range).toMatchObject({ min: Math.min(...fords), max: Math.max(...fords) });
    expect((await facetsOf(['price'], { currency: 'USD' })).facets[0].range).toBeNull();
  });

  test('words narrow every facet', async () => {
    const wagons = (car: CarListing) => /\bwagon/i.test(`${car.title} ${car.description}`);
    const { total, facets } = await facetsOf(['make'], { q: 'wagon' });
    expect(total).toBe(rows.filter(wagons).length);
    expect(facets[0].buckets).toEqual(tally('make', wagons));
  });

  test('categories count for those above them', async () => {
    const { vehicles, cars: category } = cars.categories;
    const { facets } = await facetsOf(['categoryId', 'condition', 'sellerType', 'priceType']);
    expect(facets[0].buckets).toHaveLength(2);
    expect(facets[0].buckets).toEqual(
      expect.arrayContaining([
        { value: vehicles, count: 406 },
        { value: category, count: 406 },
      ]),
    );
    expect(facets.slice(1).map(({ buckets }: { buckets: unknown }) => buckets)).toEqual([
      [{ value: 'used', count: 406 }],
      [{ value: 'dealer', count: 406 }],
      [{ value: 'fixed', count: 406 }],
    ]);
  });

  test('cost two commands, whatever is counted, words included', async () => {
    const warm = ['make', 'fuel', 'price', 'mileageKm', 'categoryId'];
    await facetsOf(warm);
    const reading = ['find catalog_listings', 'find catalog_removals'];
    expect(await commandsOf(() => facetsOf(['make']))).toEqual(reading);
    expect(await commandsOf(() => facetsOf(warm))).toEqual(reading);
    expect(await commandsOf(() => facetsOf(warm, { q: 'ford' }))).toEqual(reading);
  });
});

test('a listing counts for each of its values, and the same set in another order is the same', async () => {
  const shop = await seed(stack).installation();
  const anna = await shop.user();
  const base = rows[0]?.attributes;
  for (const features of [['abs', 'towbar'], ['towbar', 'abs'], ['abs'], []])
    await anna.listing({ published: true, attributes: { ...base, features } });
  const { total, facets } = await facetsOf(['features'], {}, shop);
  expect(total).toBe(4);
  expect(facets[0].buckets).toEqual([
    { value: 'abs', count: 3 },
    { value: 'towbar', count: 2 },
  ]);
  const both = await facetsOf(
    ['make', 'features'],
    { attributes: [{ name: 'features', all: ['abs', 'towbar'] }] },
    shop,
  );
  expect(both.total).toBe(2);
  expect(both.facets[1].buckets[0]).toEqual({ value: 'abs', count: 3 });
});

test('an installation without listings has facets without values', async () => {
  const shop = await seed(stack).installation();
  expect(await facetsOf(['make', 'price', 'mileageKm'], { categoryId: 'cat_x' }, shop)).toEqual({
    total: 0,
    complete: true,
    facets: ['make', 'price', 'mileageKm'].map((name) => ({ name, buckets: [], range: null })),
  });
});

test.each([
  ['nothing', [], 'malformed_request'],
  ['the same twice', ['make', 'make'], 'malformed_request'],
  ['twenty-one', Array.from({ length: 21 }, (_, index) => `f${index}`), 'malformed_request'],
  ['what no category has', ['wings'], 'unsupported_parameter'],
  ['a member of every object', ['constructor'], 'unsupported_parameter'],
  ['who sells', ['sellerId'], 'unsupported_parameter'],
  ['a private attribute', ['vin'], 'unsupported_parameter'],
])('refuses to count %s', async (_, facets, code) => {
  expect(problemOf(await ask(facets))).toMatchObject({ code, status: 400 });
});
