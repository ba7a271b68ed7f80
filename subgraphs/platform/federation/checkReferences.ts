import {
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isUnionType,
} from 'graphql';
import { AppError } from '../errors/AppError.ts';

/** Longest text of a key, in characters; the product's own have fewer than 100. */
const longestKey = 512;

type Resolve = GraphQLFieldResolver<unknown, unknown>;

/**
 * Refuses references that name no entity, or whose key is no text, before a resolver reads them. `_Any` takes every JSON
 * value, and a database or a cache does what a value of another type asks of it. The other references are resolved.
 */
export function checkReferences(schema: GraphQLSchema): GraphQLSchema {
  const union = schema.getType('_Entity');
  const field = schema.getQueryType()?.getFields()._entities;
  if (!isUnionType(union) || !field?.resolve) return schema;
  const types = new Map(union.getTypes().map((type) => [type.name, type]));
  const resolve = field.resolve as Resolve;
  field.resolve = (source, args: { representations: readonly unknown[] }, ...rest) => {
    const faults = args.representations.map((reference) => findFault(types, reference));
    if (faults.every((fault) => fault === null)) return resolve(source, args, ...rest);
    const representations = args.representations.filter((_, index) => faults[index] === null);
    const resolved = [...(resolve(source, { representations }, ...rest) as unknown[])];
    return faults.map((fault) => fault ?? resolved.shift());
  };
  return schema;
}

function findFault(types: ReadonlyMap<string, GraphQLObjectType>, reference: unknown): AppError | null {
  const { __typename: name } = Object(reference) as { __typename?: unknown };
  const type = typeof name === 'string' ? types.get(name) : undefined;
  if (!type) return invalid('A reference states the name of an entity in `__typename`.');
  const keys = keysOf(type);
  for (const field of Object.values(type.getFields())) {
    const value = (reference as Record<string, unknown>)[field.name];
    if (value === undefined || value === null) {
      if (keys.has(field.name))
        return invalid(`A reference to \`${type.name}\` states its \`${field.name}\`.`);
      continue;
    }
    const stated = getNullableType(field.type);
    const isText = typeof value === 'string' && value.length <= longestKey;
    if (isEnumType(stated) && !(isText && stated.getValue(value)))
      return invalid(`\`${field.name}\` of \`${type.name}\` is a value of \`${stated.name}\`.`);
    if (String(stated) === 'ID' && !isText)
      return invalid(`\`${field.name}\` of \`${type.name}\` is text of at most ${longestKey} characters.`);
  }
  return null;
}

/** Names of the members of every `@key`, all of which are leaves. */
function keysOf({ astNode, extensionASTNodes }: GraphQLObjectType): ReadonlySet<string> {
  const directives = [astNode, ...extensionASTNodes].flatMap((node) => node?.directives ?? []);
  return new Set(
    directives
      .filter(({ name }) => name.value === 'key')
      .flatMap(({ arguments: stated = [] }) => stated.filter(({ name }) => name.value === 'fields'))
      .flatMap(({ value }) => ('value' in value ? String(value.value).split(/\s+/) : [])),
  );
}

function invalid(detail: string): AppError {
  return new AppError('validation_failed', detail);
}
