import type { CategoryRecord } from '../category/model.ts';
import { typeAttributes } from './typeAttributes.ts';

const properties = { mileageKm: { type: 'integer' }, displacement: { type: 'number' } };
const category = { attributeSchema: { properties } } as unknown as CategoryRecord;

test.each([
  ['84000', 84_000],
  [' 84000 ', 84_000],
  ['-5', -5],
  ['84.0', 84],
  ['84.00', 84],
  ['84.000', '84.000'],
  ['1.084.000', '1.084.000'],
  ['84,000', '84,000'],
  ['84 000', '84 000'],
  ['84.5', '84.5'],
])('the cell %j of a whole number is read as %j', (cell, expected) => {
  expect(typeAttributes({ mileageKm: cell }, category)).toEqual({ mileageKm: expected });
});

test.each([
  ['1.998', 1.998],
  ['1234.5', 1234.5],
  ['0.000', 0],
  ['84.000', '84.000'],
  ['1,998', '1,998'],
])('the cell %j of a decimal number is read as %j', (cell, expected) => {
  expect(typeAttributes({ displacement: cell }, category)).toEqual({ displacement: expected });
});
