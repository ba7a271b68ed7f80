import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { Change } from '../Change.ts';

const kinds: ReadonlySet<string> = new Set(['field-removed', 'argument-removed', 'enum-value-removed']);
const sunset = /\bremoved after (\d{4}-\d{2}-\d{2})\b/i;

/**
 * Returns the last day of a deprecated member that a change removes, from its reason: `removed after 2027-05-31`. Null
 * for other changes, and for members without such a day.
 */
export function findSunset(
  { kind, path }: Pick<Change, 'kind' | 'path'>,
  base: GraphQLSchema,
): string | null {
  if (!kinds.has(kind)) return null;
  const [, typeName = '', name = '', argument] = /^(\w+)\.(\w+)(?:\((\w+):\))?$/.exec(path) ?? [];
  return sunset.exec(reasonOf(base, typeName, name, argument) ?? '')?.[1] ?? null;
}

function reasonOf(
  schema: GraphQLSchema,
  typeName: string,
  name: string,
  argument: string | undefined,
): string | null | undefined {
  const type = schema.getType(typeName);
  if (isEnumType(type)) return type.getValue(name)?.deprecationReason;
  if (isInputObjectType(type)) return type.getFields()[name]?.deprecationReason;
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const field = type.getFields()[name];
  if (argument === undefined) return field?.deprecationReason;
  return field?.args.find((candidate) => candidate.name === argument)?.deprecationReason;
}
