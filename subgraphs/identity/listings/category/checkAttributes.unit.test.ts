import { checkAttributes, findMissingAttributes } from './checkAttributes.ts';
import type { CategoryRecord } from './model.ts';
import { vehicleSchema } from './vehicleAttributes.ts';

const cars = {
  slug: 'cars',
  attributeSchema: vehicleSchema({ without: ['doors'], required: ['make', 'mileageKm'] }),
} as CategoryRecord;
const plain = { slug: 'other', attributeSchema: null } as CategoryRecord;

const good = {
  make: 'skoda',
  model: 'octavia-combi',
  vin: 'TMBJG7NE5J0123456',
  firstRegistration: '2019-04',
  mileageKm: 84_000,
  consumptionLPer100Km: 5.7,
  batteryKwh: 0.3,
  fuel: 'diesel',
  accidentDamaged: false,
  features: ['abs', 'towbar'],
};

test('the attributes of a typical car are accepted', () => {
  expect(checkAttributes(cars, good, '#/attributes')).toEqual([]);
});

test.each([
  ['an attribute of another category', { doors: 5 }, '#/attributes/doors', 'unknown_field'],
  ['a name that needs escaping', { 'a/b~c d': 1 }, '#/attributes/a~1b~0c%20d', 'unknown_field'],
  ['an operator', { $where: '1' }, '#/attributes/%24where', 'unknown_field'],
  ['the prototype', JSON.parse('{"__proto__": {"x": 1}}'), '#/attributes/__proto__', 'unknown_field'],
  ['an inherited name', { constructor: 'x' }, '#/attributes/constructor', 'unknown_field'],
  ['an object instead of a string', { make: { $ne: null } }, '#/attributes/make', 'validation_failed'],
  ['a VIN with the letter O', { vin: 'TMBJG7NE5J012345O' }, '#/attributes/vin', 'validation_failed'],
  ['month 13', { firstRegistration: '2019-13' }, '#/attributes/firstRegistration', 'validation_failed'],
  ['a fraction of a kilometre', { mileageKm: 0.5 }, '#/attributes/mileageKm', 'validation_failed'],
  [
    'a number with two decimal places',
    { consumptionLPer100Km: 5.75 },
    '#/attributes/consumptionLPer100Km',
    'validation_failed',
  ],
  ['an unknown feature', { features: ['abs', 'wings'] }, '#/attributes/features/1', 'validation_failed'],
  ['a feature twice', { features: ['abs', 'abs'] }, '#/attributes/features', 'validation_failed'],
  ['a control character', { variant: 'a\u0000b' }, '#/attributes/variant', 'validation_failed'],
  ['a lone surrogate', { variant: 'a\ud800' }, '#/attributes/variant', 'validation_failed'],
  ['a null', { fuel: null }, '#/attributes/fuel', 'validation_failed'],
])('attributes with %s are refused with their pointer', (_, attributes, pointer, code) => {
  const problems = checkAttributes(cars, attributes, '#/attributes');
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatchObject({ pointer, code });
});

test.each([[null], ['x'], [[]], [3]])('attributes that are not an object are refused: %j', (attributes) => {
  expect(checkAttributes(cars, attributes, '#/attributes')).toMatchObject([{ pointer: '#/attributes' }]);
});

test('a refusal of attributes names every invalid attribute', () => {
  expect(checkAttributes(cars, { make: 1, x: 2, fuel: 'coal' }, '#/attributes')).toHaveLength(3);
});

test('attributes of a category without a schema are refused', () => {
  expect(checkAttributes(plain, {}, '#/attributes')).toEqual([]);
  expect(checkAttributes(plain, { make: 'skoda' }, '#/attributes')).toHaveLength(1);
});

test('missing required attributes are accepted, and are reported for a publication', () => {
  expect(checkAttributes(cars, {}, '#/attributes')).toEqual([]);
  expect(findMissingAttributes(cars, { make: 'skoda' })).toEqual(['mileageKm']);
  expect(findMissingAttributes(cars, good)).toEqual([]);
});
