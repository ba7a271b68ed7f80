import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededListing, seed } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { UserModel } from '../user/model.ts';
import { CatalogListingModel } from './model.ts';

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

const fields = `id slug url title description languageTag categoryId condition price { amount currency } priceType
  tax { mode } attributes location { postalCode city country geo { lat lng } precision } seller { type dealerId name }
  contactPhone publishedAt expiresAt updatedAt`;
const parameters = `$first: Int, $after: String, $q: String, $locale: LanguageTag, $categoryId: ID, $priceMin: MinorUnits,
  $priceMax: MinorUnits, $currency: String, $condition: [ListingCondition!], $priceType: [PriceType!],
  $sellerType: [OwnerType!], $dealerId: [ID!], $attributes: [CatalogAttributeInput!], $publishedAfter: DateTime, $sort: String,
  $count: Boolean`;
const search = `query (${parameters}) { catalogListings(${[...parameters.matchAll(/\$(\w+)/g)]
  .map(([, name]) => `${name}: $${name}`)
  .join(', ')}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } totalCount } }`;
const one = `query ($listingId: ID!) { catalogListing(listingId: $listingId) { ${fields} } }`;

const find = (variables: Record<string, unknown> = {}, at = shop) =>
  stack.execute(search, variables, { installation: at.installation });
const idsOf = async (variables: Record<string, unknown> = {}): Promise<string[]> => {
  const result = await find(variables);
  if (result.errors) throw result.errors[0];
  return result.data?.catalogListings.nodes.map(({ id }: { id: string }) => id);
};
const show = async (listingId: string, at = shop) => {
  const result = await stack.execute(one, { listingId }, { installation: at.installation });
  if (result.errors) throw result.errors[0];
  return result.data?.catalogListing;
};

describe('the public view', () => {
  test('shows a published listing by id and slug, and its seller by the name that others see', async () => {
    const anna = await shop.user({ displayName: 'Anna' });
    const { id, slug } = await anna.listing({ published: true, title: 'Skoda Octavia' });
    const view = await show(id);
    expect(view).toMatchObject({
      id,
      slug,
      url: `${shop.installation.baseUrl}/listings/${slug}`,
      title: 'Skoda Octavia',
      condition: 'USED',
      price: { amount: 1_245_000, currency: 'EUR' },
      priceType: 'FIXED',
      attributes: { make: 'skoda', mileageKm: 84_000 },
      seller: { type: 'USER', dealerId: null, name: 'Anna' },
      contactPhone: null,
    });
    expect(await show(slug ?? '')).toEqual(view);
  });

  test('never shows a vehicle’s number, the exact place of a private seller, or his id', async () => {
    const anna = await shop.user();
    const vin = 'TMBJG7NE5J0123456';
    const { id } = await anna.listing({
      published: true,
      attributes: {
        make: 'skoda',
        model: 'octavia',
        firstRegistration: '2019-04',
        mileageKm: 1,
        fuel: 'diesel',
        transmission: 'manual',
        vin,
      },
    });
    const view = await show(id);
    expect(view.attributes.vin).toBe('TMB**********3456');
    expect(view.location).toEqual({
      postalCode: null,
      city: 'Berlin',
      country: 'DE',
      geo: { lat: 52.53, lng: 13.39 },
      precision: 'APPROXIMATE',
    });
    const stored = JSON.stringify(
      await scoped(CatalogListingModel, shop.installation.id).findOne({ _id: id }),
    );
    expect(stored).not.toContain(vin);
    expect(stored).not.toContain('52.53214');
    expect(JSON.stringify(view)).not.toContain(anna.id);
    expect(await idsOf({ attributes: [{ name: 'vin', values: [vin] }] })).toEqual([]);
    expect(await idsOf({ q: vin })).toEqual([]);
  });

  test('shows the place as it is when the owner wants it, and a dealer’s place always', async () => {
    const anna = await shop.user();
    const dealer = await shop.dealer();
    const exact = await anna.listing({
      published: true,
      location: {
        postalCode: '10115',
        city: 'Berlin',
        country: 'DE',
        precision: 'EXACT',
        geo: { lat: 52.53214, lng: 13.38765 },
      },
    });
    expect((await show(exact.id)).location).toMatchObject({ postalCode: '10115', geo: { lat: 52.53214 } });
    const there = await dealer.listing({
      published: true,
      location: null,
      dealerLocationId: dealer.locationIds[0],
    });
    expect(await show(there.id)).toMatchObject({
      location: { postalCode: '10115', city: 'Berlin', geo: { lat: 52.53214 } },
      seller: { type: 'DEALER', dealerId: dealer.id },
    });
  });

  test('shows a phone number only if the owner wants it, and the one that is right now', async () => {
    const anna = await shop.user();
    const users = scoped(UserModel, shop.installation.id);
    const phone = (number: string) => users.findOneAndUpdate({ _id: anna.id }, { $set: { phone: number } });
    await phone('+491111111');
    const hidden = await anna.listing({ published: true });
    const shown = await anna.listing({ published: true, contact: { showPhone: true } });
    expect((await show(hidden.id)).contactPhone).toBeNull();
    expect((await show(shown.id)).contactPhone).toBe('+491111111');
    await phone('+492222222');
    expect((await show(shown.id)).contactPhone).toBe('+492222222');
  });

  test('shows nothing that is not published, has expired, or belongs to another installation', async () => {
    const anna = await shop.user();
    const other = await seed(stack).installation();
    const draft = await anna.listing();
    const live = await anna.listing({ published: true });
    expect(await show(draft.id)).toBeNull();
    expect(await show(live.id, other)).toBeNull();
    expect(await show(live.slug ?? '', other)).toBeNull();
    for (const nonsense of ['x', '$where', '../me', '']) expect(await show(nonsense)).toBeNull();
    const found = await find({}, other);
    expect(found.data?.catalogListings.nodes).toEqual([]);
    await scoped(CatalogListingModel, shop.installation.id).findOneAndUpdate(
      { _id: live.id },
      { $set: { expiresAt: new Date(stack.platform.now() - 1) } },
    );
    expect(await show(live.id)).toBeNull();
    expect(await idsOf({ count: true })).toEqual([]);
  });

  test('answers references of other subgraphs to anybody, in one command for many', async () => {
    const anna = await shop.user();
    const [first, second, draft] = [
      await anna.listing({ published: true }),
      await anna.listing({ published: true }),
      await anna.listing(),
    ];
    const source =
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on CatalogListing { id title } } }';
    const r = [first, second, draft].map(({ id }) => ({ __typename: 'CatalogListing', id }));
    const commands = await commandsOf(async () => {
      const { data } = await stack.execute(source, { r }, { installation: shop.installation });
      expect(data?._entities.map((entity: { id: string } | null) => entity?.id)).toEqual([
        first.id,
        second.id,
        undefined,
      ]);
    });
    expect(commands).toEqual(['find catalog_listings']);
  });
});

describe('the search', () => {
  test('finds by category with everything below it', async () => {
    const anna = await shop.user();
    const car = await anna.listing({ published: true });
    const wheels = await anna.listing({
      published: true,
      categoryId: shop.categories.wheels,
      attributes: {},
    });
    expect(await idsOf({ categoryId: shop.categories.vehicles })).toEqual([car.id]);
    expect(await idsOf({ categoryId: shop.categories.cars })).toEqual([car.id]);
    expect(await idsOf({ categoryId: shop.categories.parts })).toEqual([wheels.id]);
    expect(await idsOf({ categoryId: 'cat_x' })).toEqual([]);
    expect(await idsOf()).toEqual([wheels.id, car.id]);
  });

  test('finds by price in one currency, and orders by it', async () => {
    const anna = await shop.user();
    const priced = async (amount: number, currency = 'EUR') =>
      (await anna.listing({ published: true, price: { amount, currency } })).id;
    const [cheap, dear, dollars] = [await priced(100), await priced(900), await priced(500, 'USD')];
    const asked = (await anna.listing({ published: true, price: null, priceType: 'ON_REQUEST' })).id;
    expect(await idsOf({ priceMin: 100, priceMax: 500, currency: 'EUR' })).toEqual([cheap]);
    expect(await idsOf({ priceMin: 101, currency: 'EUR' })).toEqual([dear]);
    expect(await idsOf({ currency: 'USD' })).toEqual([dollars]);
    expect(await idsOf({ sort: 'price' })).toEqual([cheap, dollars, dear, asked]);
    expect(await idsOf({ sort: '-price' })).toEqual([asked, dear, dollars, cheap]);
    expect(await idsOf({ priceType: ['ON_REQUEST'] })).toEqual([asked]);
    expect(problemOf(await find({ priceMin: 1 }))).toMatchObject({ code: 'malformed_request', status: 400 });
  });

  test('finds by seller, condition and time', async () => {
    const [anna, dealer] = [await shop.user(), await shop.dealer()];
    const before = new Date(stack.platform.now() - 1).toISOString();
    const mine = await anna.listing({ published: true, condition: 'NEW' });
    const theirs = await dealer.listing({ published: true });
    expect(await idsOf({ sellerType: ['DEALER'] })).toEqual([theirs.id]);
    expect(await idsOf({ dealerId: dealer.id })).toEqual([theirs.id]);
    expect(await idsOf({ dealerId: anna.id, sellerType: ['DEALER'] })).toEqual([]);
    const other = await shop.dealer();
    const another = await other.listing({ published: true });
    expect(await idsOf({ dealerId: [dealer.id, other.id, 'dlr_x'] })).toEqual([another.id, theirs.id]);
    expect(await idsOf({ dealerId: [dealer.id, other.id], q: 'skoda' })).toHaveLength(2);
    const many = Array.from({ length: 51 }, (_, index) => `dlr_${index}`);
    expect(problemOf(await find({ dealerId: many }))).toMatchObject({ code: 'malformed_request' });
    expect(await idsOf({ condition: ['NEW', 'FOR_PARTS'] })).toEqual([mine.id]);
    expect(await idsOf({ publishedAfter: before })).toHaveLength(3);
    expect(await idsOf({ publishedAfter: '2100-01-01T00:00:00Z' })).toEqual([]);
  });

  test('finds by attributes: one of, all of, from, to', async () => {
    const anna = await shop.user();
    const base = {
      make: 'skoda',
      model: 'octavia',
      firstRegistration: '2019-04',
      mileageKm: 10,
      fuel: 'diesel',
      transmission: 'manual',
    };
    const car = async (more: object) =>
      (await anna.listing({ published: true, attributes: { ...base, ...more } })).id;
    const [a, b] = [
      await car({ doors: 5, features: ['abs', 'towbar'], accidentDamaged: false }),
      await car({ doors: 3, features: ['abs'], mileageKm: 99, fuel: 'petrol' }),
    ];
    const by = (...attributes: object[]) => idsOf({ attributes });
    expect(await by({ name: 'fuel', values: ['diesel', 'electric'] })).toEqual([a]);
    expect(await by({ name: 'doors', values: ['3'] })).toEqual([b]);
    expect(await by({ name: 'accidentDamaged', values: ['false'] })).toEqual([a]);
    expect(await by({ name: 'features', all: ['abs', 'towbar'] })).toEqual([a]);
    expect(await by({ name: 'features', values: ['abs'] })).toEqual([b, a]);
    expect(await by({ name: 'mileageKm', min: 11 })).toEqual([b]);
    expect(await by({ name: 'mileageKm', min: 5, max: 50 }, { name: 'make', values: ['skoda'] })).toEqual([
      a,
    ]);
    expect(await by({ name: 'fuel', values: ['diesel'] }, { name: 'doors', values: ['3'] })).toEqual([]);
    for (const name of ['$where', 'a.b', 'A', '', '__proto__'])
      expect(problemOf(await find({ attributes: [{ name, values: ['x'] }] }))).toMatchObject({
        code: 'unsupported_parameter',
      });
  });

  test('finds words, stemmed in the language of the text, the better match first', async () => {
    const anna = await shop.user();
    const inTitle = await anna.listing({
      published: true,
      title: 'Red convertibles',
      description: 'Summer.',
    });
    const inText = await anna.listing({
      published: true,
      title: 'A plain car',
      description: 'Nearly a convertible.',
    });
    const german = await anna.listing({
      published: true,
      title: 'Rotes Cabrio',
      description: 'Mit Winterreifen.',
      language: 'de',
    });
    const exotic = await anna.listing({ published: true, title: 'Tlhingan vehicle', language: 'tlh' });
    expect(await idsOf({ q: 'convertible' })).toEqual([inTitle.id, inText.id]);
    expect(await idsOf({ q: 'convertible', sort: '-publishedAt' })).toEqual([inText.id, inTitle.id]);
    expect(await idsOf({ q: 'Winterreifen', locale: 'de' })).toEqual([german.id]);
    expect(await idsOf({ q: 'tlhingan', locale: 'tlh' })).toEqual([exotic.id]);
    expect(await idsOf({ q: 'zeppelin' })).toEqual([]);
    expect(await idsOf({ q: 'convertible', categoryId: shop.categories.parts })).toEqual([]);
    expect(await idsOf({ q: '   ' })).toHaveLength(4);
  });

  test.each(['"unfinished', '-', '--', '"', "a'b\\", '{$ne:1}', '(', '\u0000x', '🚗'])(
    'takes %j for words',
    async (q) => {
      expect(await idsOf({ q })).toEqual([]);
    },
  );

  test('refuses orders that it does not have, or that make no sense', async () => {
    expect(problemOf(await find({ sort: 'title' }))).toMatchObject({
      code: 'unsupported_parameter',
      status: 400,
    });
    expect(problemOf(await find({ sort: 'relevance' }))).toMatchObject({
      code: 'malformed_request',
      status: 400,
    });
    expect(problemOf(await find({ q: 'x'.repeat(201) }))).toMatchObject({ code: 'malformed_request' });
  });

  test('counts when it is asked to', async () => {
    const anna = await shop.user();
    for (let index = 0; index < 3; index += 1) await anna.listing({ published: true });
    expect((await find({ first: 1, count: true })).data?.catalogListings.totalCount).toBe('3');
    expect((await find({ first: 1, count: true, q: 'skoda' })).data?.catalogListings.totalCount).toBe('3');
    expect((await find({ first: 1 })).data?.catalogListings.totalCount).toBeNull();
  });

  test.each([
    ['the newest first', {}],
    ['by price', { sort: 'price' }],
    ['by price, the highest first', { sort: '-price' }],
    ['by relevance', { q: 'skoda' }],
    ['words by price', { q: 'skoda', sort: 'price' }],
  ])('comes in pages that meet without gap or repetition: %s', async (_, variables) => {
    const anna = await shop.user();
    const made: SeededListing[] = [];
    // Equal prices and equal words: only the id breaks the tie.
    for (let index = 0; index < 7; index += 1)
      made.push(
        await anna.listing({
          published: true,
          price: { amount: index % 2, currency: 'EUR' },
          title: 'Skoda Octavia',
        }),
      );
    const whole = await idsOf(variables);
    expect([...whole].sort()).toEqual(made.map(({ id }) => id).sort());
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { data } = (await find({ ...variables, first: 2, after })) as { data: any };
      seen.push(...data.catalogListings.nodes.map(({ id }: { id: string }) => id));
      after = data.catalogListings.pageInfo.endCursor;
    } while (after);
    expect(seen).toEqual(whole);
  });

  test('refuses a cursor with other filters', async () => {
    const anna = await shop.user();
    for (let index = 0; index < 2; index += 1) await anna.listing({ published: true });
    for (const variables of [{}, { q: 'skoda' }]) {
      const { data } = await find({ ...variables, first: 1 });
      const after = data?.catalogListings.pageInfo.endCursor;
      expect(typeof after).toBe('string');
      for (const other of [{ categoryId: shop.categories.cars }, { q: 'octavia' }, { sort: 'price' }])
        expect(problemOf(await find({ ...variables, ...other, first: 1, after }))).toMatchObject({
          code: 'invalid_cursor',
        });
    }
  });

  test('costs three commands a page for 1, 10 and 100, two for all phone numbers, none for words and the count', async () => {
    const [anna, dealer] = [await shop.user(), await shop.dealer()];
    for (let index = 0; index < 6; index += 1) {
      await anna.listing({ published: true, contact: { showPhone: true } });
      await dealer.listing({ published: true, contact: { showPhone: true } });
    }
    const page = ['find catalog_listings', 'find catalog_listings', 'find catalog_removals', 'find dealers'];
    expect(await commandsOf(() => find({ first: 1, count: true }))).toEqual(page);
    for (const first of [10, 100]) {
      expect(await commandsOf(() => find({ first, count: true }))).toEqual([...page, 'find users']);
      expect(await commandsOf(() => find({ first, q: `skoda ${first}` }))).toEqual([...page, 'find users']);
    }
  });
});
