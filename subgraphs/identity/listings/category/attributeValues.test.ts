import { product } from '../../../../test/support/product.ts';
import { completeListing } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';

const { market } = product();

const values = `attributeValues {
  __typename name attribute { type unit isRequired isPrivate }
  ... on TextAttributeValue { text label(locale: "de") }
  ... on NumberAttributeValue { number }
  ... on BooleanAttributeValue { boolean }
  ... on TextListAttributeValue { texts: options { value label } }
}`;
const vin = 'TMBJG7NE5J0123456';
const publish = async () => {
  const seller = await market.seller();
  const given = completeListing(market.categories).attributes as object;
  const attributes = { ...given, vin, fuel: 'diesel', serviceHistory: true, features: ['abs', 'isofix'] };
  return { seller, listing: await seller.listing({ published: true, attributes }) };
};

test('the attributes of a published listing are typed values in the order of its category', async () => {
  const { listing } = await publish();
  const { attributes, attributeValues } = await market.visitor.catalogListing(
    { listingId: listing.id },
    `attributes ${values}`,
  );
  const byName = new Map(attributeValues.map((one: any) => [one.name, one]));
  expect(byName.get('fuel')).toMatchObject({
    __typename: 'TextAttributeValue',
    attribute: { type: 'TEXT' },
    text: 'diesel',
    label: 'Diesel',
  });
  expect(byName.get('mileageKm')).toMatchObject({
    __typename: 'NumberAttributeValue',
    attribute: { type: 'INTEGER', unit: 'km' },
    number: 84_000,
  });
  expect(byName.get('serviceHistory')).toMatchObject({ attribute: { type: 'BOOLEAN' }, boolean: true });
  expect(byName.get('features')).toMatchObject({
    attribute: { type: 'TEXT_LIST' },
    texts: [
      { value: 'abs', label: 'abs' },
      { value: 'isofix', label: 'isofix' },
    ],
  });
  expect(new Set(byName.keys())).toEqual(new Set(Object.keys(attributes as object)));
  expect(attributeValues[0]).toMatchObject({ name: 'make' });
});

test('a private attribute is masked for the public, and whole for its owner', async () => {
  const { seller, listing } = await publish();
  const find = ({ attributeValues }: any) => attributeValues.find(({ name }: any) => name === 'vin');
  const shown = find(await market.visitor.catalogListing({ listingId: listing.id }, values));
  expect(shown).toMatchObject({ attribute: { isPrivate: true }, text: 'TMB**********3456' });
  const query = `{ listing(listingId: "${listing.id}") { ${values} } }`;
  const { body } = await seller.rest('POST', '/graphql', { body: { query } });
  expect(find(body.data.listing)).toMatchObject({ text: vin });
});

test('a category describes its attributes with their options and limits', async () => {
  const { items } = await market.visitor.catalogCategories(
    {},
    'items { slug attributes { name type isRequired unit maximum options { value label(locale: "fr") } } }',
  );
  const found = (slug: string) => items.find((item: any) => item.slug === slug)?.attributes ?? null;
  const [cars, vehicles] = [found('cars'), found('vehicles')];
  const attribute = (name: string) => cars?.find((one: any) => one.name === name);
  expect(attribute('transmission')).toEqual({
    name: 'transmission',
    type: 'TEXT',
    isRequired: true,
    unit: null,
    maximum: null,
    options: [
      { value: 'manual', label: 'boîte manuelle' },
      { value: 'automatic', label: 'boîte automatique' },
      { value: 'semi_automatic', label: 'boîte semi-automatique' },
    ],
  });
  expect(attribute('mileageKm')).toMatchObject({
    type: 'INTEGER',
    unit: 'km',
    maximum: 2_000_000,
    options: null,
  });
  expect(vehicles).toEqual([]);
});

test('typed attributes of a page of listings cost one command more than the page', async () => {
  for (let index = 0; index < 3; index += 1) await publish();
  const read = (selection: string) =>
    commandsOf(() => market.visitor.catalogListings({ first: 10 }, selection));
  await read('nodes { id }');
  const plain = await read('nodes { id }');
  const typed = await read(`nodes { id ${values} }`);
  expect(typed.length).toBe(plain.length + 1);
});
