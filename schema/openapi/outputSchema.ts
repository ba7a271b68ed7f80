import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { RouteBinding } from '../route/RouteBinding.ts';
import { toSnakeCase } from '../route/restNames.ts';
import { type FieldShape, findMember, type SelectionShape } from '../route/selectionShape.ts';
import { withoutMembers } from '../route/withoutMembers.ts';
import { leafSchema } from './inputSchema.ts';
import { type Components, deprecatedIf, described, type JsonSchema, orNull } from './JsonSchema.ts';
import { shareSchema } from './shareComponents.ts';

interface Naming {
  snakeCase: boolean;
  omitNull: boolean;
}

/** Returns the schema of a route's response body; undefined if it has none. */
export function bodySchema(binding: RouteBinding, components: Components): JsonSchema | undefined {
  const { route, result } = binding;
  if (!result) return undefined;
  if (route.list) return listSchema(binding, result, components);
  const shape = result.shape && withoutMembers(result.shape, route.overlay);
  if (!shape) return described(nonNull(result, components, route), result.description);
  const variants = shape.variants.map((variant) => {
    const fields = variant.fields.filter(({ key }) => !isHidden(binding, key));
    const lifted = fields.find(({ key }) => key === route.spread);
    const members = lifted
      ? [...liftedFields(lifted), ...fields.filter((field) => field !== lifted)]
      : fields;
    return namedSchema(variant.type, members, components, route);
  });
  return oneOrMore(variants);
}

function liftedFields({ shape }: FieldShape): FieldShape[] {
  return shape?.variants.flatMap(({ fields }) => [...fields]) ?? [];
}

/** Returns whether a member is hidden: the boolean for the status is not part of the body. */
function isHidden({ route }: RouteBinding, key: string): boolean {
  return route.created?.join('.') === [...(route.result ?? []), key].join('.');
}

function listSchema(
  { route, paging, shape }: RouteBinding,
  result: FieldShape,
  components: Components,
): JsonSchema {
  const entries = paging ? findMember(result.shape, ['nodes']) : result;
  const nodes = entries?.shape
    ? { ...entries, shape: withoutMembers(entries.shape, route.overlay) }
    : entries;
  const parent = paging ? result.shape : parentShape(shape, route.result ?? []);
  const page: JsonSchema = {
    type: 'object',
    properties: {
      nextCursor: { type: ['string', 'null'], description: 'Cursor of the next page; null on the last one.' },
      limit: { type: 'integer', description: 'Page size of this response.' },
    },
    required: ['nextCursor', 'limit'],
  };
  const meta = route.meta.flatMap((name) => findMember(parent, [name]) ?? []);
  const holder = route.within ? parentShape(shape, route.result ?? []) : undefined;
  const beside =
    holder?.variants.flatMap(({ fields }) => fields.filter(({ key }) => key !== result.key)) ?? [];
  const properties: Record<string, JsonSchema> = { ...objectSchema(beside, components, route).properties };
  if (nodes) properties.data = nonNull(nodes, components, route);
  if (paging) properties.page = page;
  if (meta.length > 0) properties.meta = objectSchema(meta, components, route);
  return { type: 'object', properties, required: Object.keys(properties) };
}

function parentShape(shape: SelectionShape, path: readonly string[]): SelectionShape | undefined {
  return path.length <= 1 ? shape : findMember(shape, path.slice(0, -1))?.shape;
}

function fieldSchema(field: FieldShape, components: Components, naming: Naming): JsonSchema {
  const schema = typeSchema(field.type, field, components, naming);
  return deprecatedIf(described(schema, field.description), field.deprecationReason);
}

function nonNull(field: FieldShape, components: Components, naming: Naming): JsonSchema {
  return typeSchema(getNullableType(field.type), field, components, naming, true);
}

function typeSchema(
  type: GraphQLOutputType,
  field: FieldShape,
  components: Components,
  naming: Naming,
  neverNull = isNonNullType(type),
): JsonSchema {
  const nullable = getNullableType(type);
  const schema: JsonSchema = isListType(nullable)
    ? { type: 'array', items: typeSchema(nullable.ofType, field, components, naming) }
    : field.shape
      ? oneOrMore(
          field.shape.variants.map(({ type: variant, fields }) =>
            namedSchema(variant, fields, components, naming),
          ),
        )
      : leafSchema(getNamedType(type), components);
  return neverNull || naming.omitNull ? schema : orNull(schema);
}

/** Returns a reference to the schema of a route's selection of a type. */
function namedSchema(
  type: GraphQLObjectType,
  fields: readonly FieldShape[],
  components: Components,
  naming: Naming,
): JsonSchema {
  return shareSchema(
    described(objectSchema(fields, components, naming), type.description),
    type.name,
    components,
  );
}

function objectSchema(fields: readonly FieldShape[], components: Components, naming: Naming): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of fields) {
    const name = naming.snakeCase ? toSnakeCase(field.key) : field.key;
    properties[name] = fieldSchema(field, components, naming);
    if (!field.conditional && (!naming.omitNull || isNonNullType(field.type))) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function oneOrMore(schemas: JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = distinct;
  return only && distinct.length === 1 ? only : { anyOf: distinct };
}
