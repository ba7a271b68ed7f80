import {
  type GraphQLInputField,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { scalarFormat } from '../../../../../schema/route/scalarFormats.ts';
import { rowMembers } from './rowType.ts';

/** Member that a column of a table fills. */
interface Column {
  /** Path of the member, as in `['price', 'amount']`. */
  path: readonly string[];
  /** Returns the value of a cell, or the text itself if it is not valid, which the check then refuses. */
  read(cell: string): unknown;
  /** Value of an empty cell: null clears the member, undefined does not change it. */
  empty: null | undefined;
}

/** Required members of a listing; an empty cell leaves them unchanged. */
const never = new Set([
  'stockNumber',
  'language',
  'priceType',
  'tax.mode',
  'contact.showPhone',
  'location.precision',
  'publish',
  'imageUrls',
]);

const attributePrefix = 'attributes.';
const attributePattern = /^attributes\.[A-Za-z][A-Za-z0-9]{0,63}$/;

let known: ReadonlyMap<string, Column> | undefined;

/**
 * Returns the column of a name, which is the path of a member, as in `price.amount` or `attributes.mileageKm`. Null if
 * there is none.
 */
export function findColumn(name: string): Column | null {
  if (attributePattern.test(name))
    return {
      path: ['attributes', name.slice(attributePrefix.length)],
      read: (cell) => cell,
      empty: null,
    };
  known ??= new Map(collect(rowMembers(), []));
  return known.get(name) ?? null;
}

function* collect(
  fields: readonly GraphQLInputField[],
  path: readonly string[],
): Generator<[string, Column]> {
  for (const field of fields) {
    const inner = [...path, field.name];
    const fieldType = getNullableType(field.type);
    if (isInputObjectType(fieldType)) yield* collect(Object.values(fieldType.getFields()), inner);
    else if (String(fieldType) !== 'JSON') {
      const name = inner.join('.');
      yield [name, { path: inner, read: readerOf(fieldType), empty: never.has(name) ? undefined : null }];
    }
  }
}

function readerOf(type: GraphQLInputType): (cell: string) => unknown {
  if (isListType(type)) return (cell) => cell.split(/[\s|]+/).filter((item) => item !== '');
  const scalar = scalarFormat(String(type));
  return (cell) => scalar.parse(cell.trim()) ?? cell;
}

/** An object that is meaningless without its number. */
interface Whole {
  path: readonly string[];
  needs: readonly string[];
}

let wholes: readonly Whole[] | undefined;

/**
 * Returns objects that require their number. An empty price column clears the price, even if the row has a currency.
 */
export function findWholes(): readonly Whole[] {
  wholes ??= rowMembers().flatMap((field) => needsOf(field, []));
  return wholes;
}

function needsOf({ name, type }: GraphQLInputField, above: readonly string[]): Whole[] {
  const object = getNullableType(type);
  if (!isInputObjectType(object)) return [];
  const path = [...above, name];
  const fields = Object.values(object.getFields());
  const needs = fields
    .filter((field) => isNonNullType(field.type) && String(field.type) !== 'String!')
    .map((field) => field.name);
  // Innermost first: if an inner object is absent, so is the outer one.
  const inner = fields.flatMap((field) => needsOf(field, path));
  return needs.length === 0 ? inner : [...inner, { path, needs }];
}
