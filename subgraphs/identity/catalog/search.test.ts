import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { CatalogListingModel } from './model.ts';

let stack: TestStack;
let shop: SeededInstallation;
let anna: SeededUser;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
beforeEach(async () => {
  shop = await seed(stack).installation();
  anna = await shop.user();
});
afterAll(() => stack.close());

const parameters = `$first: Int, $after: String, $q: String, $near: [Float!], $radiusKm: Float, $bounds: [Float!],
  $withImages: Boolean, $sort: String, $count: Boolean, $attributes: [CatalogAttributeInput!], $priceMax: MinorUnits,
  $currency: String`;
const source = `query (${parameters}) { catalogListings(${[...parameters.matchAll(/\$(\w+)/g)]
  .map(([, name]) => `${name}: $${name}`)
  .join(', ')}) { nodes { id } pageInfo { hasNextPage endCursor } totalCount } }`;
const find = (variables: Record<string, unknown> = {}) =>
  stack.execute(source, variables, { installation: shop.installation });
const search = async (variables: Record<string, unknown> = {}) => {
  const result = await find(variables);
  if (result.errors) throw result.errors[0];
  return result.data?.catalogListings;
};
const idsOf = async (variables: Record<string, unknown> = {}): Promise<string[]> =>
  (await search(variables)).nodes.map(({ id }: { id: string }) => id);
/** Page by page, to the end. */
const idsOfPages = async (variables: Record<string, unknown>, first = 2): Promise<string[]> => {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof search>> = await search({ ...variables, first, after });
    ids.push(...page.nodes.map(({ id }: { id: string }) => id));
    after = page.pageInfo.endCursor;
  } while (after);
  return ids;
};
const at = async (lat: number, lng: number): Promise<string> => {
  const location = { postalCode: '1', city: 'X', country: 'DE', precision: 'EXACT', geo: { lat, lng } };
  return (await anna.listing({ published: true, location })).id;
};
const car = async (more: object): Promise<string> => {
  const attributes = {
    make: 'skoda',
    model: 'octavia',
    firstRegistration: '2019-04',
    mileageKm: 10,
    fuel: 'diesel',
    transmission: 'manual',
    ...more,
  };
  return (await anna.listing({ published: true, attributes })).id;
};

describe('places', () => {
  test('finds what is around a place, the nearest first, page by page', async () => {
    // Distances from Berlin: Potsdam 27 km, Magdeburg 128 km, Hamburg 255 km.
    const hamburg = await at(53.5511, 9.9937);
    const potsdam = await at(52.3906, 13.0645);
    const berlin = await at(52.52, 13.405);
    const magdeburg = await at(52.1205, 11.6276);
    await anna.listing({ published: true, location: { postalCode: '1', city: 'Nowhere', country: 'DE' } });
    const near = [52.52, 13.405];
    const sort = 'distance';
    expect(await idsOf({ near, radiusKm: 300, sort })).toEqual([berlin, potsdam, magdeburg, hamburg]);
    expect(await idsOf({ near, radiusKm: 200, sort })).toEqual([berlin, potsdam, magdeburg]);
    expect(await idsOf({ near, sort })).toEqual([berlin, potsdam]);
    expect(await idsOf({ near, radiusKm: 27.5, sort })).toEqual([berlin, potsdam]);
    expect(await idsOf({ near, radiusKm: 26.5 })).toEqual([berlin]);
    expect(await idsOfPages({ near, radiusKm: 300, sort })).toEqual([berlin, potsdam, magdeburg, hamburg]);
    expect(await idsOf({ near, radiusKm: 300, q: 'skoda', sort })).toHaveLength(4);
  });

  test('finds what is on a map, across the antimeridian as well', async () => {
    const fiji = await at(-17.7, 178.1);
    const samoa = await at(-13.8, -171.8);
    const berlin = await at(52.52, 13.405);
    expect(await idsOf({ bounds: [-25, 170, -5, -165] })).toEqual([samoa, fiji]);
    expect(await idsOf({ bounds: [-25, -165, -5, 170] })).toEqual([]);
    expect(await idsOf({ bounds: [52, 13, 53, 14] })).toEqual([berlin]);
    expect(await idsOf({ bounds: [-90, -180, 90, 180] })).toHaveLength(3);
  });

  test('is near the other side of the antimeridian, and at the pole', async () => {
    const east = await at(0, 179.9);
    const pole = await at(89.9, 0);
    expect(await idsOf({ near: [0, -179.9], radiusKm: 30 })).toEqual([east]);
    expect(await idsOf({ near: [89.9, 180], radiusKm: 30 })).toEqual([pole]);
  });

  test.each([
    ['half a place', { near: [52.5] }],
    ['a place beside the earth', { near: [91, 0] }],
    ['a longitude beside the earth', { near: [0, 180.5] }],
    ['a radius of nothing', { near: [0, 0], radiusKm: 0.5 }],
    ['a radius of half the earth', { near: [0, 0], radiusKm: 501 }],
    ['a radius around nothing', { radiusKm: 10 }],
    ['three sides of a map', { bounds: [1, 2, 3] }],
    ['a map upside down', { bounds: [10, 0, 5, 5] }],
    ['a place and a map', { near: [0, 0], bounds: [0, 0, 1, 1] }],
    ['a distance from nowhere', { sort: 'distance' }],
  ])('refuses %s', async (_, variables) => {
    expect(problemOf(await find(variables))).toMatchObject({ code: 'malformed_request', status: 400 });
  });
});

describe('order', () => {
  test('is by any numeric attribute, in both directions; what lacks it comes last', async () => {
    const few = await car({ mileageKm: 5, powerKw: 80 });
    const many = await car({ mileageKm: 90, powerKw: 60 });
    const unknown = await car({ mileageKm: 50 });
    expect(await idsOf({ sort: 'mileageKm' })).toEqual([few, unknown, many]);
    expect(await idsOf({ sort: '-mileageKm' })).toEqual([many, unknown, few]);
    expect(await idsOf({ sort: 'powerKw' })).toEqual([many, few, unknown]);
    expect(await idsOf({ sort: '-powerKw' })).toEqual([few, many, unknown]);
    for (const sort of ['powerKw', '-powerKw', 'mileageKm'])
      expect(await idsOfPages({ sort })).toEqual(await idsOf({ sort }));
    expect(await idsOf({ sort: 'rangeKm' })).toHaveLength(3);
  });

  test.each(['make', 'vin', 'wheels', 'title', '__proto__', '-', 'a.b', 'publishedAt'])(
    'is not by %s',
    async (sort) => {
      expect(problemOf(await find({ sort }))).toMatchObject({ code: 'unsupported_parameter', status: 400 });
    },
  );

  test('meets without gap or repetition while others publish', async () => {
    for (let index = 0; index < 5; index += 1) await car({ mileageKm: index });
    const whole = await idsOf({ sort: 'mileageKm' });
    const first = await search({ sort: 'mileageKm', first: 2 });
    await car({ mileageKm: 0 });
    const rest = await search({ sort: 'mileageKm', after: first.pageInfo.endCursor });
    expect([...first.nodes, ...rest.nodes].map(({ id }: { id: string }) => id)).toEqual(whole);
  });
});

test('finds with pictures, and without', async () => {
  const [plain, pictured] = [await car({}), await car({})];
  await scoped(CatalogListingModel, shop.installation.id).findOneAndUpdate(
    { _id: pictured },
    { $set: { hasImages: true } },
  );
  expect(await idsOf({ withImages: true })).toEqual([pictured]);
  expect(await idsOf({ withImages: false })).toEqual([plain]);
  expect(await idsOf()).toEqual([pictured, plain]);
});

test('words are found among the listings that meet everything else', async () => {
  const [near, far] = [await at(52.52, 13.405), await at(48.1, 11.6)];
  expect((await idsOf({ q: 'skoda' })).sort()).toEqual([near, far].sort());
  expect(await idsOf({ q: 'skoda', near: [48.1, 11.6], radiusKm: 5 })).toEqual([far]);
  expect(await idsOf({ q: 'skoda', bounds: [52, 13, 53, 14] })).toEqual([near]);
  const low = { name: 'mileageKm', max: 84_000 };
  expect(await idsOf({ q: 'skoda', attributes: [low] })).toHaveLength(2);
  expect(await idsOf({ q: 'skoda', attributes: [{ ...low, max: 1 }] })).toEqual([]);
});

test('every change is found by the next search: published, changed, withdrawn, removed, published again', async () => {
  const catalog = scoped(CatalogListingModel, shop.installation.id);
  const id = await car({ mileageKm: 7 });
  expect(await idsOf({ attributes: [{ name: 'mileageKm', max: 7 }] })).toEqual([id]);
  const copy = await catalog.findOne({ _id: id });
  await catalog.updateMany({ _id: id }, { $set: { 'attributes.mileageKm': 8 } });
  expect(await idsOf({ attributes: [{ name: 'mileageKm', max: 7 }] })).toEqual([]);
  await catalog.updateMany({ _id: id }, { $set: { withdrawn: true } });
  expect((await search({ count: true })).totalCount).toBe('0');
  await catalog.updateMany({ _id: id }, { $set: { withdrawn: false } });
  expect((await search({ count: true })).totalCount).toBe('1');
  await catalog.deleteMany({ _id: id });
  expect((await search({ count: true })).totalCount).toBe('0');
  const { _id, installationId: _, changedAt: __, ...members } = copy ?? { _id: id };
  await catalog.findOneAndUpdate({ _id }, { $set: members }, { upsert: true });
  expect(await idsOf({ attributes: [{ name: 'mileageKm', max: 7 }] })).toEqual([id]);
});

test('what nobody asks for costs nothing: a search of a thousand words is refused before any command', async () => {
  const commands = await commandsOf(() => find({ q: 'word '.repeat(1000) }));
  expect(commands).toEqual([]);
});

test('where very much matches, titles come before attributes, and those before descriptions', async () => {
  const catalog = scoped(CatalogListingModel, shop.installation.id);
  const id = await car({ make: 'trabant' });
  const copy = await catalog.findOne({ _id: id });
  if (!copy) throw new Error('no copy');
  const { installationId: _, _id: __, changedAt: ___, ...members } = copy;
  const texts = { title: 'A car', description: 'A trabant.', attributesText: 'trabant' };
  await catalog.upsertEach(
    Array.from({ length: 600 }, () => newId('listing')).map((_id) => ({
      _id,
      update: { $set: { ...members, ...texts, slug: _id.toLowerCase().replace('_', '-') } },
    })),
  );
  await catalog.updateMany({ _id: id }, { $set: { title: 'Two trabants' } });
  const other = await car({ make: 'audi' });
  await catalog.updateMany({ _id: other }, { $set: { description: 'No trabant.' } });
  const { nodes, totalCount } = await search({ q: 'trabant', count: true, first: 2 });
  expect(nodes[0].id).toBe(id);
  expect(nodes[1].id).not.toBe(other);
  expect(totalCount).toBe('602');
  const cheapest = await search({ q: 'trabant', sort: 'price', first: 100 });
  expect(cheapest.nodes).toHaveLength(100);
  const ranked = await idsOfPages({ q: 'trabant' }, 100);
  expect(ranked).toHaveLength(602);
  expect(ranked.at(-1)).toBe(other);
});
