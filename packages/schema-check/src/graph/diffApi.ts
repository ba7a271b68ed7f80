import {
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLArgument,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql';
import { type Change, toChange } from '../Change.ts';
import { diffMembers } from './diffMembers.ts';
import type { Usage } from './findUsage.ts';
import { type GraphqlChange, readGraphqlChange } from './readGraphqlChange.ts';

/** Two public schemas, and the members of the first that known operations use. */
interface Sides {
  readonly base: GraphQLSchema;
  readonly next: GraphQLSchema;
  readonly usage: Usage;
}

/**
 * Compares two public schemas. The findings of graphql-js are corrected by circumstances that it does not consider: a
 * field that no known operation uses, a default that made an argument optional, an enum that is only an input. Changes
 * that it misses are added.
 */
export function diffApi(base: GraphQLSchema, next: GraphQLSchema, usage: Usage): Change[] {
  const found = [...findBreakingChanges(base, next), ...findDangerousChanges(base, next)];
  const sides = { base, next, usage };
  return [...found.map((change) => judge(readGraphqlChange(change), sides)), ...diffMembers(base, next)];
}

function judge(change: GraphqlChange, sides: Sides): Change {
  const { kind, path, description } = change;
  switch (kind) {
    case 'field-removed':
      return isFieldUsed(path, sides)
        ? toChange(kind, path, description)
        : toChange(kind, path, `${description} No known operation uses it.`, 'dangerous');
    case 'type-removed':
      return judgeRemovedType(change, sides);
    case 'argument-default-changed':
      return isRequiredNow(path, sides.next)
        ? toChange('argument-became-required', path, `${description} It is non-null, so it must be sent.`)
        : toChange(kind, path, description);
    case 'enum-value-added': {
      const isAnswered = isOutput(path.split('.')[0] ?? '', sides.next);
      return isAnswered
        ? toChange(kind, path, description)
        : toChange(kind, path, `${description} It is only taken, never answered.`, 'safe');
    }
    default:
      return toChange(kind, path, description);
  }
}

/** Returns whether an input member is used; it may be in any variable of its type, so it is used if the type is. */
function isFieldUsed(path: string, { base, usage }: Sides): boolean {
  const [type = '', field = ''] = path.split('.');
  return isInputObjectType(base.getType(type)) ? usage.usesType(type) : usage.usesField(type, field);
}

/** Rates a removed type. A removed scalar breaks only its uses, and each of these is a separate change. */
function judgeRemovedType({ kind, path, description }: GraphqlChange, { base, usage }: Sides): Change {
  if (isScalarType(base.getType(path))) return toChange(kind, path, description, 'safe');
  return usage.usesType(path)
    ? toChange(kind, path, description)
    : toChange(kind, path, `${description} No known operation mentions it.`, 'dangerous');
}

function isRequiredNow(path: string, next: GraphQLSchema): boolean {
  const argument = findArgument(path, next);
  return argument !== undefined && isRequiredArgument(argument);
}

/**
 * Finds an argument.
 *
 * @param path `Type.field(argument:)`
 */
function findArgument(path: string, schema: GraphQLSchema): GraphQLArgument | undefined {
  const [, typeName = '', fieldName = '', argumentName] = /^(\w+)\.(\w+)\((\w+):\)$/.exec(path) ?? [];
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  return type.getFields()[fieldName]?.args.find(({ name }) => name === argumentName);
}

function isOutput(name: string, schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) =>
      (isObjectType(type) || isInterfaceType(type)) &&
      !type.name.startsWith('__') &&
      Object.values(type.getFields()).some((field) => getNamedType(field.type).name === name),
  );
}
