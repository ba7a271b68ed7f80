import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Row, Stock } from './Stock.ts';

/** The public schema. */
export const schema = buildSchema(
  readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'),
  {
    assumeValidSDL: true,
  },
);

/** Levels of objects below an entry of a list. */
const levels = 3;

/**
 * Writes an operation that selects a list with all members of its entries without required arguments, several levels
 * deep. It includes new members automatically.
 *
 * @param given arguments besides the size of the page
 * @param depth levels of objects below the field; with 1, the entries have their own members only
 */
export function documentOf<S extends Stock>(
  { list, without = {} }: Pick<Row<S>, 'list' | 'without'>,
  given = '',
  first = 20,
  depth = levels,
): string {
  const [name = ''] = list.split('.');
  const field = schema.getQueryType()?.getFields()[name];
  if (!field) throw new Error(`The schema has no list ${list}.`);
  const hasPages = field.args.some((argument) => argument.name === 'first');
  const passed = [given, hasPages ? `first: ${first}` : ''].filter((text) => text !== '').join(', ');
  const omitted = new Set(Object.keys(without));
  return `{ ${name}${passed && `(${passed})`} ${select(getNamedType(field.type), depth, omitted, [])} }`;
}

/** Writes an operation that selects the edges of a page, with the plain members of each entry. */
export function edgesOf<S extends Stock>(
  { list, without = {} }: Pick<Row<S>, 'list' | 'without'>,
  given: string,
  first: number,
): string {
  const field = schema.getQueryType()?.getFields()[list];
  const connection = field && getNamedType(field.type);
  if (!isObjectType(connection)) throw new Error(`The schema has no list ${list}.`);
  const nodes = connection.getFields().nodes;
  if (!nodes) throw new Error(`${list} has no nodes.`);
  const entry = select(getNamedType(nodes.type), 0, new Set(Object.keys(without)), []);
  const passed = [given, `first: ${first}`].filter((text) => text !== '').join(', ');
  return `{ ${list}(${passed}) { pageInfo { hasPreviousPage startCursor endCursor } edges { cursor node ${entry} } } }`;
}

function select(
  type: GraphQLNamedType,
  left: number,
  omitted: ReadonlySet<string>,
  above: readonly string[],
): string {
  if (isLeafType(type)) return '';
  if (!isObjectType(type)) return '{ __typename }';
  const members = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    // The edges of a list are its nodes.
    if (!isOpen(field) || field.name === 'edges' || omitted.has(`${type.name}.${field.name}`)) return [];
    if (isLeafType(inner)) return [field.name];
    if (left === 0 || above.includes(inner.name)) return [];
    const selection = select(inner, left - 1, omitted, [...above, type.name]);
    return selection === '' ? [] : [`${field.name} ${selection}`];
  });
  return members.length === 0 ? '' : `{ ${members.join(' ')} }`;
}

function isOpen(field: GraphQLField<unknown, unknown>): boolean {
  return !field.args.some(isRequiredArgument);
}
