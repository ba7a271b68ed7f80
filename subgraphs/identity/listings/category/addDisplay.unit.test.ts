import { addDisplay } from './addDisplay.ts';
import { displayOf } from './displayOf.ts';
import type { CategorySchema } from './model.ts';

/** A schema as earlier releases stored it. */
const stored: CategorySchema = {
  type: 'object',
  properties: {
    make: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 },
    powerKw: { type: 'integer', minimum: 0, maximum: 3000, unit: 'kW' },
    fuel: { type: 'string', enum: ['petrol', 'diesel', 'wood'] },
    seats: { type: 'string', description: 'Seats, in words' },
    trim: { type: 'string', enum: ['basic', 'lounge'] },
  },
  required: ['make'],
  additionalProperties: false,
};

test('a schema that an earlier release stored displays values as a new one does', () => {
  expect(displayOf(addDisplay('cars', stored), { powerKw: 110, fuel: 'petrol', make: 'bmw' })).toEqual({
    powerKw: { unit: 'kW', readerUnit: { factor: 1.359_62, names: expect.objectContaining({ de: 'PS' }) } },
    fuel: { valueLabels: { petrol: expect.objectContaining({ de: 'Benzin', fr: 'essence' }) } },
    make: { valueLabels: { bmw: { und: 'BMW' } } },
  });
});

test('attributes, rules and values of a stored schema stay as they are', () => {
  const { properties, ...rest } = addDisplay('motorcycles', stored);
  expect(rest).toEqual({
    type: 'object',
    productType: 'Motorcycle',
    required: ['make'],
    additionalProperties: false,
  });
  for (const [name, attribute] of Object.entries(stored.properties))
    expect(properties[name]).toMatchObject(attribute);
  expect(Object.keys(properties.fuel?.valueLabels ?? {})).toEqual(['petrol', 'diesel']);
  expect(properties.trim).toEqual(stored.properties.trim);
  expect(properties.seats).toEqual(stored.properties.seats);
});

test('labels and units that an operator has stored are kept', () => {
  const own = { ...stored.properties.powerKw, type: 'integer', unit: 'hp' } as const;
  const fuel = { type: 'string', enum: ['petrol'], valueLabels: { petrol: { en: 'gasoline' } } } as const;
  const changed = addDisplay('cars', {
    ...stored,
    productType: 'Vehicle',
    properties: { powerKw: own, fuel: { ...fuel, enum: [...fuel.enum] } },
  });
  expect(changed.productType).toBe('Vehicle');
  expect(changed.properties.powerKw).toEqual(own);
  expect(changed.properties.fuel?.valueLabels).toEqual({ petrol: { en: 'gasoline' } });
});

test('a schema with labels is not changed by a second run', () => {
  const once = addDisplay('cars', stored);
  expect(addDisplay('cars', once)).toEqual(once);
});
