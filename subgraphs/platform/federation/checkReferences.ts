import {
  type GraphQLEnumType,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isUnionType,
} from 'graphql';
import { AppError } from '../errors/AppError.ts';

/** Maximum length of a key in characters; valid keys have fewer than 100. */
const longestKey = 512;

type Resolve = GraphQLFieldResolver<unknown, unknown>;

/**
 * Refuses references that name no entity, or whose key is not a text, before a resolver reads them. `_Any` accepts
 * every JSON value, and an object could act as a database operator. Valid references are resolved, with the internal
 * values of their enums.
 */
export function checkReferences(schema: GraphQLSchema): GraphQLSchema {
  const union = schema.getType('_Entity');
  const field = schema.getQueryType()?.getFields()._entities;
  if (!isUnionType(union) || !field?.resolve) return schema;
  const forms = new Map(union.getTypes().map((type) => [type.name, formOf(type)]));
  const resolve = field.resolve as Resolve;
  field.resolve = (source, args: { representations: readonly unknown[] }, ...rest) => {
    const read = args.representations.map((reference) => readReference(forms, reference));
    const representations = read.filter((reference) => !(reference instanceof AppError));
    const resolved = [...(resolve(source, { representations }, ...rest) as unknown[])];
    return read.map((reference) => (reference instanceof AppError ? reference : resolved.shift()));
  };
  return schema;
}

/** Checks of references to a type. */
interface ReferenceForm {
  readonly type: string;
  /** The members of the keys, the ids and the enums; the other members of a reference are never used as a key. */
  readonly members: readonly {
    name: string;
    isKey: boolean;
    isId: boolean;
    values: GraphQLEnumType | null;
  }[];
}

function formOf(type: GraphQLObjectType): ReferenceForm {
  const keys = keysOf(type);
  const members = Object.values(type.getFields()).map(({ name, type: stated }) => {
    const named = getNullableType(stated);
    const values = isEnumType(named) ? named : null;
    return { name, isKey: keys.has(name), isId: String(named) === 'ID', values };
  });
  return { type: type.name, members: members.filter(({ isKey, isId, values }) => isKey || isId || values) };
}

/** Returns the reference for its resolver, or its error. */
function readReference(forms: ReadonlyMap<string, ReferenceForm>, reference: unknown): object | AppError {
  const { __typename: typeName } = Object(reference) as { __typename?: unknown };
  const form = typeof typeName === 'string' ? forms.get(typeName) : undefined;
  if (!form) return invalid('A reference must contain the name of an entity in `__typename`.');
  const internal: Record<string, unknown> = {};
  for (const { name, isKey, isId, values } of form.members) {
    const value = (reference as Record<string, unknown>)[name];
    if (value === undefined || value === null) {
      if (isKey) return invalid(`A reference to \`${form.type}\` must contain \`${name}\`.`);
      continue;
    }
    const isText = typeof value === 'string' && value.length <= longestKey;
    const named = isText ? values?.getValue(value) : undefined;
    if (values && !named)
      return invalid(`\`${name}\` of \`${form.type}\` must be a value of \`${values.name}\`.`);
    if (named) internal[name] = named.value;
    if (isId && !isText)
      return invalid(`\`${name}\` of \`${form.type}\` must be a string of at most ${longestKey} characters.`);
  }
  return Object.keys(internal).length > 0 ? { ...(reference as object), ...internal } : (reference as object);
}

/** Returns the names of the members of every `@key`, all of which are leaves. */
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
