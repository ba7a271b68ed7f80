import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Usage } from '../graph/findUsage.ts';
import type { OperationUse, RecordedUsage } from './Usage.ts';

/** Recorded use by part of the API. */
export interface Users extends Usage {
  /**
   * Returns the use of a part by client, in descending order of count; empty if it is below the minimum.
   *
   * @param part schema coordinate, name of a type, or route as in `GET /items/{id}`
   */
  of(part: string): readonly OperationUse[];
}

/**
 * Finds the recorded use of each part of an API.
 *
 * @param schema public schema of the base, which states what else an operation depends on; null without one
 */
export function findUsers({ operations, rules }: RecordedUsage, schema: GraphQLSchema | null): Users {
  const expanded = operations.map(({ operation, coordinates, uses }) => ({
    parts: new Set([operation, ...coordinates.flatMap((coordinate) => expand(coordinate, schema))]),
    uses,
  }));
  const of = (part: string): readonly OperationUse[] => {
    const found = addUp(expanded.filter(({ parts }) => parts.has(part)).flatMap(({ uses }) => uses));
    return found.reduce((sum, { count }) => sum + count, 0) < rules.minimumCount ? [] : found;
  };
  return {
    of,
    usesField: (type, field) => of(`${type}.${field}`).length > 0,
    usesType: (name) => of(name).length > 0,
  };
}

function addUp(uses: readonly OperationUse[]): OperationUse[] {
  const byClient = new Map<string, OperationUse>();
  for (const { client, count, lastUsedAt } of uses) {
    const known = byClient.get(client);
    byClient.set(client, {
      client,
      count: count + (known?.count ?? 0),
      lastUsedAt: known && known.lastUsedAt > lastUsedAt ? known.lastUsedAt : lastUsedAt,
    });
  }
  return [...byClient.values()].sort((a, b) => b.count - a.count || (a.client < b.client ? -1 : 1));
}

/**
 * Returns the parts that an operation uses together with a coordinate: its type, the same field of the types behind an
 * interface, the type that the field returns, and each member of an enum or input object that is used as a whole.
 */
function expand(coordinate: string, schema: GraphQLSchema | null): readonly string[] {
  const [typeName = '', member] = coordinate.split('.', 2);
  const type = schema?.getType(typeName);
  if (!schema || !type || member === undefined) return [coordinate, typeName];
  if (member === '*') return [typeName, ...membersOf(type)];
  if (!isObjectType(type) && !isInterfaceType(type)) return [coordinate, typeName];
  const behind = typesBehind(type, schema).map(({ name }) => `${name}.${member}`);
  const field = type.getFields()[member];
  const returned = field ? getNamedType(field.type) : type;
  const types = [returned, ...typesBehind(returned, schema)].map(({ name }) => name);
  return [coordinate, typeName, ...behind, ...types];
}

function membersOf(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`);
  if (isInputObjectType(type)) return Object.keys(type.getFields()).map((name) => `${type.name}.${name}`);
  return [];
}

function typesBehind(type: GraphQLNamedType, schema: GraphQLSchema): readonly GraphQLNamedType[] {
  if (!isAbstractType(type)) return [];
  return isInterfaceType(type)
    ? [...schema.getPossibleTypes(type), ...schema.getImplementations(type).interfaces]
    : schema.getPossibleTypes(type);
}
