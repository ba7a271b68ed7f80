import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { apiSchema, definitionOf } from '../authorization/matrix/runMatrix.ts';

/** Returns a number from 0 to 1, exclusive. */
export type Random = () => number;

/** Returns a random entry. */
export function pick<Entry>(random: Random, entries: readonly Entry[]): Entry {
  const entry = entries[Math.floor(random() * entries.length)];
  if (entry === undefined) throw new Error('There is nothing to choose from.');
  return entry;
}

/** A root field with valid arguments. */
export interface RootCall {
  /** As in `Query.listing`. */
  readonly field: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A query with its variables. */
export interface RandomQuery {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Levels of objects below a root field. */
const levels = 5;

/**
 * Writes a query of some root fields with random members and random arguments. Each object is selected with its type and
 * its id, as clients with a cache do.
 *
 * @param omitted fields that are not selected, as in `Listing.stats`
 */
export function randomQuery(
  random: Random,
  calls: readonly RootCall[],
  omitted: ReadonlySet<string>,
): RandomQuery {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fields = Array.from({ length: 1 + Math.floor(random() * 2) }, (_, index) => {
    const call = pick(random, calls);
    const definition = definitionOf(call.field);
    const given = { ...call.variables, ...randomArguments(random, definition, call.variables) };
    const passed = Object.entries(given).map(([name, value]) => {
      const argument = definition.args.find((one) => one.name === name);
      if (!argument) throw new Error(`${call.field} has no argument ${name}.`);
      declared.push(`$${name}${index}: ${String(argument.type)}`);
      variables[`${name}${index}`] = value;
      return `${name}: $${name}${index}`;
    });
    const body = select(random, getNamedType(definition.type), levels, omitted);
    return `r${index}: ${definition.name}${inBrackets(passed)} ${body}`;
  });
  return { text: `query ${inBrackets(declared)} { __typename ${fields.join(' ')} }`, variables };
}

const inBrackets = (parts: readonly string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);

function select(random: Random, type: GraphQLNamedType, left: number, omitted: ReadonlySet<string>): string {
  if (isLeafType(type)) return '';
  if (isAbstractType(type)) {
    const types = apiSchema.getPossibleTypes(type);
    const parts = types.map((one) => `... on ${one.name} ${select(random, one, left, omitted)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(type)) throw new Error(`${type.name} cannot be selected.`);
  const fields = Object.values(type.getFields()).filter(
    (field) => !omitted.has(`${type.name}.${field.name}`),
  );
  const chosen = fields.filter((field) => isMeant(random, field, left));
  const members = chosen.map((field) => selectMember(random, type, field, left, omitted));
  const id = fields.some(({ name }) => name === 'id') ? 'id' : '';
  return `{ __typename ${id} ${members.join(' ')} }`;
}

function isMeant(random: Random, field: GraphQLField<unknown, unknown>, left: number): boolean {
  if (field.name === 'id' || field.args.some((one) => isRequiredArgument(one))) return false;
  const type = getNamedType(field.type);
  if (isLeafType(type)) return random() < 0.6;
  if (field.name === 'nodes') return left > 0;
  return left > 0 && random() < 0.4;
}

/** A member under a name of its own, because members of two types in a union may not have one name. */
function selectMember(
  random: Random,
  { name }: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  left: number,
  omitted: ReadonlySet<string>,
): string {
  const values = Object.entries(randomArguments(random, field, {}));
  const passed = inBrackets(values.map(([key, value]) => `${key}: ${literalOf(field.args, key, value)}`));
  const body = select(random, getNamedType(field.type), left - 1, omitted);
  return `${name}_${field.name}: ${field.name}${passed} ${body}`;
}

function literalOf(args: readonly GraphQLArgument[], name: string, value: unknown): string {
  const type = args.find((one) => one.name === name)?.type;
  return type && isEnumType(getNamedType(type)) ? String(value) : JSON.stringify(value);
}

const languages = ['en', 'de', 'fr'];

/** Values for some optional arguments besides those that a call needs. */
function randomArguments(
  random: Random,
  { args }: GraphQLField<unknown, unknown>,
  given: object,
): Record<string, unknown> {
  const free = args.filter(({ name, type }) => !(name in given) && random() < 0.5 && hasValues(name, type));
  return Object.fromEntries(free.map(({ name, type }) => [name, randomValue(random, name, type)]));
}

function hasValues(name: string, type: GraphQLInputType): boolean {
  const plain = getNullableType(type);
  return name === 'first' || isEnumType(plain) || String(plain) === 'LanguageTag' || name === 'includeSelf';
}

/** Whether a value of an enum selects the same content everywhere. */
const isCacheable = ({ name }: { readonly name: string }) => name !== 'REQUESTED';

function randomValue(random: Random, name: string, type: GraphQLInputType): unknown {
  const plain = getNullableType(type);
  if (name === 'first') return pick(random, [1, 2, 20]);
  if (isEnumType(plain)) return pick(random, plain.getValues().filter(isCacheable)).name;
  return String(plain) === 'LanguageTag' ? pick(random, languages) : random() < 0.5;
}
