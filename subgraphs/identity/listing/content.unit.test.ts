import type { CategoryRecord } from '../category/model.ts';
import { vehicleSchema } from '../category/vehicleAttributes.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { applyInput, emptyContent } from './applyInput.ts';
import { checkContent } from './checkContent.ts';
import { findGaps } from './findGaps.ts';
import { findWarnings } from './findWarnings.ts';
import type { ListingContent, ListingRecord } from './model.ts';
import { netOf } from './netOf.ts';
import { isMaterialChange, nextPublished, toPublished } from './revision.ts';
import { splitWords, toWords } from './toWords.ts';

const cars = {
  _id: 'cat_1',
  leaf: true,
  attributeSchema: vehicleSchema({ required: ['make', 'mileageKm'] }),
} as CategoryRecord;
const branch = { _id: 'cat_2', leaf: false, attributeSchema: null } as CategoryRecord;
const dealer = {
  locations: [{ id: 'loc_1' }],
  members: [{ userId: 'usr_1' }],
} as DealerRecord;

const complete: ListingContent = {
  ...emptyContent('en'),
  categoryId: 'cat_1',
  title: 'Skoda Octavia',
  description: 'Well kept.',
  condition: 'used',
  price: { amount: 100, currency: 'EUR' },
  attributes: { make: 'skoda', mileageKm: 5 },
  location: {
    postalCode: '10115',
    city: 'Berlin',
    region: null,
    country: 'DE',
    geo: null,
    precision: 'approximate',
  },
};
const change = (input: object): ListingContent => applyInput(complete, input);

describe('applying an input', () => {
  test('keeps members that are left out and clears those that are null', () => {
    expect(change({})).toEqual(complete);
    expect(change({ title: null, price: null, location: null, condition: null })).toMatchObject({
      title: null,
      price: null,
      location: null,
      condition: null,
      description: 'Well kept.',
    });
  });

  test('merges objects member by member and attributes by name', () => {
    expect(
      change({ location: { city: 'Bonn' }, tax: { mode: 'VAT_INCLUDED' }, contact: { showPhone: true } }),
    ).toMatchObject({
      location: { postalCode: '10115', city: 'Bonn' },
      tax: { mode: 'vat_included', rateBps: null },
      contact: { showPhone: true, assigneeUserId: null },
    });
    expect(change({ attributes: { make: null, fuel: 'diesel' } }).attributes).toEqual({
      mileageKm: 5,
      fuel: 'diesel',
    });
    expect(change({ attributes: null }).attributes).toEqual({});
  });

  test('removes the price of a listing whose price becomes on request', () => {
    expect(change({ priceType: 'ON_REQUEST' }).price).toBeNull();
  });

  test.each([
    [{ language: null }, '#/language'],
    [{ priceType: null }, '#/priceType'],
    [{ tax: null }, '#/tax'],
    [{ tax: { mode: null } }, '#/tax/mode'],
    [{ contact: null }, '#/contact'],
    [{ location: { precision: null } }, '#/location/precision'],
  ])('refuses null for a member that cannot be empty: %j', (input, pointer) => {
    expect(() => change(input)).toThrow(
      expect.objectContaining({ details: { errors: [expect.objectContaining({ pointer })] } }),
    );
  });
});

describe('checking a draft', () => {
  const judge = (input: object, references = { category: cars, dealer: dealer as DealerRecord | null }) =>
    checkContent(change(input), references).map(({ pointer }) => pointer);

  test('accepts an empty draft and a complete one', () => {
    expect(checkContent(emptyContent('en'), { category: null, dealer: null })).toEqual([]);
    expect(
      judge({ stockNumber: 'A/1-b_2.c', dealerLocationId: 'loc_1', contact: { assigneeUserId: 'usr_1' } }),
    ).toEqual([]);
  });

  test.each([
    [{ title: 'Four' }, '#/title'],
    [{ title: 'x'.repeat(121) }, '#/title'],
    [{ title: 'Skoda\u202eaivatcO' }, '#/title'],
    [{ description: 'x'.repeat(20_001) }, '#/description'],
    [{ description: 'a <b>bold</b> claim' }, '#/description'],
    [{ description: '<!-- hidden -->' }, '#/description'],
    [{ description: 'bell \u0007' }, '#/description'],
    [{ price: { amount: -1, currency: 'EUR' } }, '#/price/amount'],
    [{ price: { amount: 1, currency: 'XXY' } }, '#/price/currency'],
    [{ priceType: 'ON_REQUEST', price: { amount: 1, currency: 'EUR' } }, '#/price'],
    [{ tax: { rateBps: 10_001 } }, '#/tax/rateBps'],
    [{ location: { country: 'XY' } }, '#/location/country'],
    [{ location: { country: 'de' } }, '#/location/country'],
    [{ location: { postalCode: 'x'.repeat(17) } }, '#/location/postalCode'],
    [{ location: { geo: { lat: 91, lng: 0 } } }, '#/location/geo/lat'],
    [{ location: { geo: { lat: 0, lng: -181 } } }, '#/location/geo/lng'],
    [{ stockNumber: 'a b' }, '#/stockNumber'],
    [{ stockNumber: 'x'.repeat(65) }, '#/stockNumber'],
    [{ dealerLocationId: 'loc_2' }, '#/dealerLocationId'],
    [{ contact: { assigneeUserId: 'usr_2' } }, '#/contact/assigneeUserId'],
    [{ attributes: { wings: 2 } }, '#/attributes/wings'],
    [{ attributes: 'x' }, '#/attributes'],
  ])('refuses %j with its pointer', (input, pointer) => {
    expect(judge(input)).toEqual([pointer]);
  });

  test('refuses an unknown category, one with subcategories, and attributes without a category', () => {
    expect(judge({}, { category: null as never, dealer })).toEqual(['#/categoryId']);
    expect(judge({ attributes: null }, { category: branch, dealer })).toEqual(['#/categoryId']);
    expect(checkContent(change({ categoryId: null }), { category: null, dealer: null })).toMatchObject([
      { pointer: '#/attributes' },
    ]);
  });

  test('refuses members of dealers on a private listing', () => {
    const input = { stockNumber: '1', dealerLocationId: 'loc_1', contact: { assigneeUserId: 'usr_1' } };
    expect(judge(input, { category: cars, dealer: null })).toEqual([
      '#/stockNumber',
      '#/dealerLocationId',
      '#/contact/assigneeUserId',
    ]);
  });

  test('accepts angle brackets that are not HTML', () => {
    expect(judge({ description: 'price < 5 & > 3, I <3 it, a<b' })).toEqual([]);
  });
});

describe('publication', () => {
  const gaps = (input: object, category: CategoryRecord | null = cars) =>
    findGaps(change(input), category).map(({ pointer }) => pointer);

  test('needs title, description, category, condition, price, place and required attributes', () => {
    expect(gaps({})).toEqual([]);
    expect(findGaps(emptyContent('en'), null).map(({ pointer }) => pointer)).toEqual([
      '#/title',
      '#/description',
      '#/categoryId',
      '#/condition',
      '#/price',
      '#/location/postalCode',
      '#/location/city',
      '#/location/country',
    ]);
    expect(gaps({ attributes: null })).toEqual(['#/attributes/make', '#/attributes/mileageKm']);
  });

  test('needs no price on request, and no place at a location of the dealer', () => {
    expect(gaps({ priceType: 'ON_REQUEST' })).toEqual([]);
    expect(gaps({ location: null, dealerLocationId: 'loc_1' })).toEqual([]);
  });
});

describe('a material change', () => {
  test.each([
    [{ title: 'Skoda Superb' }, true],
    [{ description: 'Other' }, true],
    [{ language: 'de' }, true],
    [{ condition: 'NEW' }, true],
    [{ categoryId: 'cat_3' }, true],
    [{ attributes: { make: 'seat' } }, true],
    [{ attributes: { mileageKm: 6 } }, false],
    [{ price: { amount: 1, currency: 'EUR' } }, false],
    [{ stockNumber: '2' }, false],
    [{ contact: { showPhone: true } }, false],
    [{ location: { city: 'Bonn' } }, false],
  ])('%j is one: %s', (input, expected) => {
    expect(isMaterialChange(complete, change(input), cars)).toBe(expected);
  });

  const published = toPublished({ ...complete, revision: 3 } as ListingRecord);
  const next = (input: object, moderation: 'pre' | 'post') =>
    nextPublished({ published }, change(input), { revision: 4, category: cars, moderation });

  test('is published at once without review', () => {
    expect(next({ title: 'Skoda Superb' }, 'post')).toMatchObject({ title: 'Skoda Superb', revision: 4 });
  });

  test('waits for review, while other attributes are published at once', () => {
    const kept = next({ title: 'Skoda Superb', attributes: { make: 'seat', mileageKm: 9 } }, 'pre');
    expect(kept).toMatchObject({
      title: 'Skoda Octavia',
      revision: 3,
      attributes: { make: 'skoda', mileageKm: 9 },
    });
    expect(next({ categoryId: 'cat_3', attributes: { mileageKm: 9 } }, 'pre')).toEqual(published);
    expect(
      nextPublished({ published: null }, complete, { revision: 1, category: cars, moderation: 'post' }),
    ).toBeNull();
  });
});

test.each([
  [{ title: 'SKODA OCTAVIA COMBI' }, '#/title'],
  [{ description: 'short' }, '#/description'],
  [{ price: { amount: 0, currency: 'EUR' } }, '#/price'],
  [{ attributes: { previousOwners: 0, mileageKm: 90_000 } }, '#/attributes/previousOwners'],
])('a listing with %j gets a warning', (input, pointer) => {
  const media = [{ mediaId: 'med_1', kind: 'image' as const, altText: null }];
  const advise = (changes: object) =>
    findWarnings({ ...change({ description: 'x'.repeat(100), ...changes }), media });
  expect(advise({})).toEqual([]);
  expect(advise(input).map((warning) => warning.pointer)).toEqual([pointer]);
});

test('a listing without a picture gets a warning, also if it has a film', () => {
  const film = { mediaId: 'med_1', kind: 'video' as const, altText: null };
  for (const media of [[], [film]])
    expect(findWarnings({ ...change({ description: 'x'.repeat(100) }), media })).toMatchObject([
      { pointer: '#/media', code: 'no_picture' },
    ]);
});

test.each([
  [11_900, 'vat_included', 1900, 10_000],
  [119, 'vat_included', 1900, 100],
  // 1.5 and 2.5: both to the even neighbour.
  [3, 'vat_included', 10_000, 2],
  [5, 'vat_included', 10_000, 2],
  [Number.MAX_SAFE_INTEGER, 'vat_included', 0, Number.MAX_SAFE_INTEGER],
  [500, 'vat_excluded', 1900, 500],
  [500, 'vat_included', null, null],
  [500, 'margin_scheme', 1900, null],
  [500, 'none', null, null],
] as const)('%d %s at %s basis points is %s without tax', (amount, mode, rateBps, net) => {
  expect(netOf({ amount, currency: 'EUR' }, { mode, rateBps })?.amount ?? null).toBe(net);
});

test('words of title and stock number are indexed without accents, in lower case', () => {
  expect(toWords({ title: 'Škoda Octavia 2.0', stockNumber: 'AB-12/x' })).toEqual([
    'ab-12/x',
    'ab',
    '12',
    'x',
    'skoda',
    'octavia',
    '2',
    '0',
  ]);
  expect(splitWords('$where: {"$ne": 1}')).toEqual(['where', 'ne', '1']);
});
