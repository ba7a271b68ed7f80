import { commandsOf } from '../../../test/support/commandsOf.ts';
import { product } from '../../../test/support/product.ts';

const world = product();
const { market } = world;
const source = `query ($locale: LanguageTag) { catalogCategories(locale: $locale) {
  version items { id slug name parentId depth isLeaf attributeSchema } } }`;
const ask = async (locale: string | null = null, at = market) => {
  const result = await world.stack.execute(source, { locale }, { installation: at.installation });
  if (result.errors) throw result.errors[0];
  return result.data?.catalogCategories;
};
const find = async (slug: string, locale?: string) =>
  (await ask(locale)).items.find((category: { slug: string }) => category.slug === slug);

test('shows the whole tree to anybody: parents first, siblings in their order', async () => {
  const { items, version } = await ask();
  expect(items.map(({ slug, depth, isLeaf }: any) => [slug, depth, isLeaf])).toEqual([
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
  expect(items[1]).toMatchObject({ id: cars, parentId: vehicles });
  expect(items[0].parentId).toBeNull();
  expect(Math.abs(version - Date.now() / 1000)).toBeLessThan(300);
});

test('states what a listing of a category may say of itself, with units', async () => {
  const { attributeSchema } = await find('cars');
  expect(attributeSchema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(attributeSchema.required).toContain('transmission');
  expect(attributeSchema.properties.mileageKm).toMatchObject({
    type: 'integer',
    unit: 'km',
    maximum: 2_000_000,
  });
  expect(attributeSchema.properties.vin).toMatchObject({ private: true });
  expect((await find('motorcycles')).attributeSchema.properties).not.toHaveProperty('doors');
  expect((await find('vehicles')).attributeSchema).toBeNull();
});

test.each([
  ['de', 'Autos'],
  ['de-AT', 'Autos'],
  ['DE-Latn-x-private', 'Autos'],
  ['en-GB', 'Cars'],
  ['fr', 'Cars'],
  [null, 'Cars'],
])('names in %s are those of the nearest language', async (locale, name) => {
  expect((await find('cars', locale ?? undefined)).name).toBe(name);
});

test('shows no category of another installation, and costs at most one command', async () => {
  const other = await world.neighbour();
  const own = new Set(Object.values(other.categories));
  const commands = await commandsOf(async () => {
    const { items } = await ask(null, other);
    for (const { id } of items) expect(own).toContain(id);
  });
  expect(commands).toEqual(['find categories']);
  expect(await commandsOf(() => ask(null, other))).toEqual([]);
});
