import type { DealerRecord } from '../../../people/dealer/model.ts';
import type { CategoryRecord } from '../../category/model.ts';
import { vehicleSchema } from '../../category/vehicleAttributes.ts';
import type { ListingContent, ListingRecord } from '../record/model.ts';
import { taxOf } from '../record/taxOf.ts';
import { splitWords, toWords } from '../record/toWords.ts';
import { applyInput, emptyContent } from './applyInput.ts';
import { checkContent } from './checkContent.ts';
import { findGaps } from './findGaps.ts';
import { findWarnings } from './findWarnings.ts';
import { isMaterialChange, nextPublished, toPublished } from './revision.ts';

const attributeSchema = vehicleSchema({ required: ['make', 'mileageKm'] });
const cars = { _id: 'cat_1', leaf: true, attributeSchema } as CategoryRecord;
const branch = { _id: 'cat_2', leaf: false, attributeSchema: null } as CategoryRecord;
const dealer = { locations: [{ id: 'loc_1' }], members: [{ userId: 'usr_1' }] } as DealerRecord;
const place = { postalCode: '10115', city: 'Berlin', region: null, country: 'DE' };

const complete: ListingContent = {
  ...emptyContent('en'),
  categoryId: 'cat_1',
  title: 'Skoda Octavia',
  description: 'Well kept.',
  condition: 'used',
  price: { amount: 100, currency: 'EUR' },
  attributes: { make: 'skoda', mileageKm: 5 },
  location: { ...place, geo: null, precision: 'approximate' },
};
const change = (input: object): ListingContent => applyInput(complete, input);
const pointersOf = (problems: readonly { pointer: string }[]) => problems.map(({ pointer }) => pointer);
const check = (input: object, references: Partial<Parameters<typeof checkContent>[1]> = {}) =>
  pointersOf(checkContent(change(input), { category: cars, dealer, ...references }));
const gaps = (input: object) => pointersOf(findGaps(change(input), cars));

test('an input keeps absent members of a listing and clears those that are null', () => {
  expect(change({})).toEqual(complete);
  const cleared = { title: null, price: null, location: null, condition: null };
  expect(change(cleared)).toEqual({ ...complete, ...cleared });
});

test('an input is merged into objects by member and into attributes by name', () => {
  const input = { location: { city: 'Bonn' }, tax: { mode: 'vat_included' }, contact: { showPhone: true } };
  expect(change(input)).toMatchObject({
    location: { postalCode: '10115', city: 'Bonn' },
    tax: { mode: 'vat_included', rateBps: null },
    contact: { showPhone: true, assigneeUserId: null },
  });
  const { attributes } = change({ attributes: { make: null, fuel: 'diesel' } });
  expect(attributes).toEqual({ mileageKm: 5, fuel: 'diesel' });
  expect(change({ attributes: null }).attributes).toEqual({});
});

test('a listing whose price becomes on request loses its price', () => {
  expect(change({ priceType: 'on_request' }).price).toBeNull();
});

test.each([
  [{ language: null }, '#/language'],
  [{ priceType: null }, '#/priceType'],
  [{ tax: null }, '#/tax'],
  [{ tax: { mode: null } }, '#/tax/mode'],
  [{ contact: null }, '#/contact'],
  [{ location: { precision: null } }, '#/location/precision'],
])('an input that clears a required member is refused: %j', (input, pointer) => {
  const details = { errors: [expect.objectContaining({ pointer })] };
  expect(() => change(input)).toThrow(expect.objectContaining({ details }));
});

test.each([
  ['#/title', { title: 'Four' }],
  ['#/title', { title: 'x'.repeat(121) }],
  ['#/title', { title: 'Skoda\u202eaivatcO' }],
  ['#/description', { description: 'x'.repeat(20_001) }],
  ['#/description', { description: 'a <b>bold</b> claim' }],
  ['#/description', { description: '<!-- hidden -->' }],
  ['#/description', { description: 'bell \u0007' }],
  ['#/price/amount', { price: { amount: -1, currency: 'EUR' } }],
  ['#/price/currency', { price: { amount: 1, currency: 'XXY' } }],
  ['#/price', { priceType: 'on_request', price: { amount: 1, currency: 'EUR' } }],
  ['#/tax/rateBps', { tax: { rateBps: 10_001 } }],
  ['#/location/country', { location: { country: 'XY' } }],
  ['#/location/country', { location: { country: 'de' } }],
  ['#/location/postalCode', { location: { postalCode: 'x'.repeat(17) } }],
  ['#/location/geo/lat', { location: { geo: { lat: 91, lng: 0 } } }],
  ['#/location/geo/lng', { location: { geo: { lat: 0, lng: -181 } } }],
  ['#/stockNumber', { stockNumber: 'a b' }],
  ['#/stockNumber', { stockNumber: 'x'.repeat(65) }],
  ['#/dealerLocationId', { dealerLocationId: 'loc_2' }],
  ['#/contact/assigneeUserId', { contact: { assigneeUserId: 'usr_2' } }],
  ['#/attributes/wings', { attributes: { wings: 2 } }],
  ['#/attributes', { attributes: 'x' }],
])('a draft with an invalid value is refused with the pointer %s (row %#)', (pointer, input) => {
  expect(check(input)).toEqual([pointer]);
});

const ofDealer = { dealerLocationId: 'loc_1', contact: { assigneeUserId: 'usr_1' } };

test('an empty draft and a complete draft are accepted', () => {
  expect(checkContent(emptyContent('en'), { category: null, dealer: null })).toEqual([]);
  expect(check({ stockNumber: 'A/1-b_2.c', ...ofDealer })).toEqual([]);
  expect(check({ description: 'price < 5 & > 3, I <3 it, a<b' })).toEqual([]);
});

test('an unknown category, a category with subcategories, and attributes without a category are refused', () => {
  expect(check({}, { category: null })).toEqual(['#/categoryId']);
  expect(check({ attributes: null }, { category: branch })).toEqual(['#/categoryId']);
  expect(check({ categoryId: null }, { category: null })).toEqual(['#/attributes']);
});

test('a private listing with members that only listings of dealers have is refused', () => {
  const pointers = ['#/stockNumber', '#/dealerLocationId', '#/contact/assigneeUserId'];
  expect(check({ stockNumber: '1', ...ofDealer }, { dealer: null })).toEqual(pointers);
});

test('a publication requires title, description, category, condition, price, place and required attributes', () => {
  expect(gaps({})).toEqual([]);
  const own = ['title', 'description', 'categoryId', 'condition', 'price'];
  const ofPlace = ['postalCode', 'city', 'country'].map((name) => `location/${name}`);
  const missing = pointersOf(findGaps(emptyContent('en'), null));
  expect(missing).toEqual([...own, ...ofPlace].map((name) => `#/${name}`));
  expect(gaps({ attributes: null })).toEqual(['#/attributes/make', '#/attributes/mileageKm']);
});

test('a publication requires no price if it is on request, and no place if it is at a location of the dealer', () => {
  expect(gaps({ priceType: 'on_request' })).toEqual([]);
  expect(gaps({ location: null, dealerLocationId: 'loc_1' })).toEqual([]);
});

test.each([
  [{ title: 'Skoda Superb' }, true],
  [{ description: 'Other' }, true],
  [{ language: 'de' }, true],
  [{ condition: 'new' }, true],
  [{ categoryId: 'cat_3' }, true],
  [{ attributes: { make: 'seat' } }, true],
  [{ attributes: { mileageKm: 6 } }, false],
  [{ price: { amount: 1, currency: 'EUR' } }, false],
  [{ stockNumber: '2' }, false],
  [{ contact: { showPhone: true } }, false],
  [{ location: { city: 'Bonn' } }, false],
])('the change %j is material: %s', (input, expected) => {
  expect(isMaterialChange(complete, change(input), cars)).toBe(expected);
});

const published = toPublished({ ...complete, revision: 3 } as ListingRecord);
const next = (input: object, moderation: 'pre' | 'post', before: typeof published | null = published) =>
  nextPublished({ published: before }, change(input), { revision: 4, category: cars, moderation });

test('a material change is published immediately if listings are not reviewed', () => {
  expect(next({ title: 'Skoda Superb' }, 'post')).toMatchObject({ title: 'Skoda Superb', revision: 4 });
  expect(next({}, 'post', null)).toBeNull();
});

test('a material change waits for review, and other attributes are published immediately', () => {
  const kept = { title: 'Skoda Octavia', revision: 3, attributes: { make: 'skoda', mileageKm: 9 } };
  const attributes = { make: 'seat', mileageKm: 9 };
  expect(next({ title: 'Skoda Superb', attributes }, 'pre')).toMatchObject(kept);
  expect(next({ categoryId: 'cat_3', attributes: { mileageKm: 9 } }, 'pre')).toEqual(published);
});

const picture = { mediaId: 'med_1', kind: 'image' as const, altText: null };
const film = { ...picture, kind: 'video' as const };
const warn = (changes: object, media = [picture] as ListingContent['media']) =>
  pointersOf(findWarnings({ ...change({ description: 'x'.repeat(100), ...changes }), media }));

test.each([
  [{ title: 'SKODA OCTAVIA COMBI' }, '#/title'],
  [{ description: 'short' }, '#/description'],
  [{ price: { amount: 0, currency: 'EUR' } }, '#/price'],
  [{ attributes: { previousOwners: 0, mileageKm: 90_000 } }, '#/attributes/previousOwners'],
])('a listing with %j has a warning', (input, pointer) => {
  expect(warn({})).toEqual([]);
  expect(warn(input)).toEqual([pointer]);
});

test('a listing without a picture has a warning, also if it has a video', () => {
  for (const media of [[], [film]]) expect(warn({}, media)).toEqual(['#/media']);
});

test.each([
  [11_900, 'vat_included', 1900, 10_000, 11_900],
  [119, 'vat_included', 1900, 100, 119],
  // 1.5 and 2.5 are both rounded to the even neighbour.
  [3, 'vat_included', 10_000, 2, 3],
  [5, 'vat_included', 10_000, 2, 5],
  [Number.MAX_SAFE_INTEGER, 'vat_included', 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [500, 'vat_excluded', 1900, 500, 595],
  // 0.5 and 1.5 are both rounded to the even neighbour.
  [5, 'vat_excluded', 1000, 5, 5],
  [15, 'vat_excluded', 1000, 15, 17],
  [500, 'vat_excluded', null, 500, null],
  [500, 'vat_included', null, null, 500],
  [500, 'margin_scheme', 1900, null, 500],
  [500, 'none', null, null, 500],
] as const)(
  'the price %d with the tax mode %s at %s basis points is %s net and %s gross',
  (amount, mode, rateBps, net, gross) => {
    const tax = taxOf({ price: { amount, currency: 'EUR' }, tax: { mode, rateBps } });
    expect([tax.net?.amount ?? null, tax.gross?.amount ?? null]).toEqual([net, gross]);
    expect(taxOf({ price: null, tax: { mode, rateBps } })).toMatchObject({ net: null, gross: null });
  },
);

test('words of title and stock number are indexed in lower case without accents', () => {
  const words = ['ab-12/x', 'ab', '12', 'x', 'skoda', 'octavia', '2', '0'];
  expect(toWords({ title: 'Škoda Octavia 2.0', stockNumber: 'AB-12/x' })).toEqual(words);
  expect(splitWords('$where: {"$ne": 1}')).toEqual(['where', 'ne', '1']);
});
