import { displayOf } from './displayOf.ts';
import { vehicleSchema } from './vehicleAttributes.ts';
import { vehicleLabels } from './vehicleLabels.ts';

const schema = vehicleSchema({ productType: 'Car', required: [] });

test('attributes are displayed with their unit and the labels of their value', () => {
  expect(displayOf(schema, { powerKw: 110, fuel: 'petrol', doors: 5, mileageKm: 9 })).toEqual({
    powerKw: { unit: 'kW', readerUnit: { factor: 1.359_62, names: expect.objectContaining({ de: 'PS' }) } },
    fuel: { valueLabels: { petrol: { en: 'petrol', de: 'Benzin', fr: 'essence', es: 'gasolina' } } },
    mileageKm: { unit: 'km' },
  });
});

test('a value without a label has no text to display', () => {
  expect(displayOf(schema, { fuel: 'other' })).toEqual({ fuel: { valueLabels: {} } });
});

test('a category without a schema displays nothing', () => {
  expect(displayOf(null, { fuel: 'petrol' })).toEqual({});
});

test('every labelled value exists in the schema and has a label in four languages', () => {
  for (const [name, values] of Object.entries(vehicleLabels)) {
    const known = schema.properties[name]?.enum ?? [];
    expect(known.filter((value) => value !== 'other').sort()).toEqual(Object.keys(values).sort());
    for (const labels of Object.values(values)) expect(Object.keys(labels)).toEqual(['en', 'de', 'fr', 'es']);
  }
});
