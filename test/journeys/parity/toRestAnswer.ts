import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Route } from '../../../schema/route/Route.ts';

/**
 * Converts a GraphQL answer to the expected REST answer. It uses no code of the facade, so that a fault of the facade is
 * detected.
 */

const schema: GraphQLSchema = buildSchema(
  readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'),
  {
    assumeValidSDL: true,
  },
);

type Data = Record<string, unknown>;

/** Body that the route should return for this `data`. */
export function toRestAnswer(route: Route, data: Data): unknown {
  const root = route.kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const [operation] = route.document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !root) throw new Error('No operation.');
  const lowered = lower(data, operation.selectionSet, root.name, fragmentsOf(route.document)) as Data;
  const result = shape(route, read(lowered, route.result ?? []), lowered);
  return finish(route, result);
}

function shape(route: Route, result: unknown, data: Data): unknown {
  if (route.list) {
    const parent = result as Data;
    const isConnection = !Array.isArray(result) && Array.isArray(parent.nodes);
    const meta = Object.fromEntries(
      route.meta.flatMap((name) => {
        const value = isConnection ? parent[name] : read(data, [...(route.result ?? []).slice(0, -1), name]);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const withMeta = Object.keys(meta).length > 0 ? { meta } : {};
    if (!isConnection) return { data: result, ...withMeta };
    const { hasNextPage, endCursor } = parent.pageInfo as { hasNextPage: boolean; endCursor: string | null };
    return { data: parent.nodes, page: { nextCursor: hasNextPage ? endCursor : null }, ...withMeta };
  }
  if (route.spread && result && typeof result === 'object' && route.spread in result) {
    const { [route.spread]: spread, ...rest } = result as Data;
    const created = route.created?.at(-1);
    if (created) delete rest[created];
    return { ...(spread as Data), ...rest };
  }
  return result;
}

/** Applies snake case and omits nulls if the route states it. Always omits type names. */
function finish(route: Route, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => finish(route, entry));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name, member]) => name !== '__typename' && !(route.omitNull && member === null))
    .map(([name, member]) => [
      route.snakeCase ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name,
      finish(route, member),
    ]);
  return Object.fromEntries(members);
}

function read(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Data | null | undefined)?.[name], value);
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf(document: DocumentNode): Fragments {
  return new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
}

/** Enum values in lower case, which are the only difference between scalars of the two styles. */
function lower(
  value: unknown,
  selections: SelectionSetNode | undefined,
  typeName: string,
  fragments: Fragments,
): unknown {
  if (Array.isArray(value)) return value.map((entry) => lower(entry, selections, typeName, fragments));
  if (value === null || value === undefined) return value;
  const type = schema.getType(typeName);
  if (isEnumType(type)) return String(value).toLowerCase();
  if (!selections) return value;
  const data = value as Data;
  const concrete = typeof data.__typename === 'string' ? data.__typename : typeName;
  const lowered: Data = {};
  for (const node of flatten(selections, concrete, fragments)) {
    const key = node.alias?.value ?? node.name.value;
    // A field that `@include` omits is in neither answer.
    if (!(key in data)) continue;
    if (node.name.value === '__typename') lowered[key] = data[key];
    else lowered[key] = lower(data[key], node.selectionSet, fieldType(concrete, node.name.value), fragments);
  }
  return lowered;
}

function fieldType(typeName: string, field: string): string {
  const type = schema.getType(typeName);
  const definition = type && 'getFields' in type ? type.getFields()[field] : undefined;
  if (!definition) throw new Error(`${typeName}.${field} is not in the schema.`);
  return getNamedType(definition.type).name;
}

function flatten(selections: SelectionSetNode, typeName: string, fragments: Fragments): FieldNode[] {
  return selections.selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    const condition = fragment?.typeCondition?.name.value;
    const type = schema.getType(condition ?? typeName);
    if (!fragment || (condition && condition !== typeName && isObjectType(type))) return [];
    return flatten(fragment.selectionSet, typeName, fragments);
  });
}
