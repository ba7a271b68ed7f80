import { product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';

const { market, neighbour } = product();
const read = (locale?: string, { visitor } = market) =>
  visitor.catalogCategories(
    {},
    `version items { id slug name(locale: ${JSON.stringify(locale ?? null)}) parentId depth isLeaf attributeSchema }`,
  );
const find = async (slug: string, locale?: string) => {
  const found = (await read(locale)).items.find((category) => category.slug === slug);
  if (!found) throw new Error(`There is no category ${slug}.`);
  return found;
};

test('a visitor reads the whole tree of categories, parents first and siblings in order', async () => {
  const { items, version } = await read();
  expect(items.map(({ slug, depth, isLeaf }) => [slug, depth, isLeaf])).toEqual([
    ['vehicles', 0, false],
    ['cars', 1, true],
    ['motorcycles', 1, true],
    ['commercial-vehicles', 1, true],
    ['parts', 0, false],
    ['spare-parts', 1, true],
    ['wheels', 1, true],
    ['accessories', 1, true],
    ['other', 0, true],
  ]);
  const { cars, vehicles } = market.categories;
  expect(items[0]).toMatchObject({ id: vehicles, parentId: null });
  expect(items[1]).toMatchObject({ id: cars, parentId: vehicles });
  expect(Math.abs(version - Date.now() / 1000)).toBeLessThan(300);
});

test('a leaf category has the schema of its attributes with units, and other categories have none', async () => {
  const { attributeSchema } = (await find('cars')) as Record<string, any>;
  expect(attributeSchema).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: {
      mileageKm: { type: 'integer', unit: 'km', maximum: 2_000_000 },
      vin: { private: true },
    },
  });
  expect(attributeSchema.required).toContain('transmission');
  const motorcycles = (await find('motorcycles')) as Record<string, any>;
  expect(motorcycles.attributeSchema.properties).not.toHaveProperty('doors');
  expect((await find('vehicles')).attributeSchema).toBeNull();
});

test.each([
  ['de', 'Autos'],
  ['de-AT', 'Autos'],
  ['DE-Latn-x-private', 'Autos'],
  ['en-GB', 'Cars'],
  ['fr', 'Cars'],
  [undefined, 'Cars'],
])('the name of a category for the locale %s is %s', async (locale, name) => {
  expect((await find('cars', locale)).name).toBe(name);
});

test('a visitor reads only categories of the installation, with one command and then from the cache', async () => {
  const other = await neighbour();
  const ids = Object.values(other.categories);
  const commands = await commandsOf(async () => {
    for (const { id } of (await read(undefined, other)).items) expect(ids).toContain(id);
  });
  expect(commands).toEqual(['find categories']);
  expect(await commandsOf(() => read(undefined, other))).toEqual([]);
});
