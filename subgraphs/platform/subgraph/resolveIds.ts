import { type GraphQLSchema, isObjectType } from 'graphql';

/**
 * Resolves the field `id` by the `_id` of a stored record, for types without a resolver. A parent's own `id` takes
 * precedence, so types without a record need no resolver either.
 */
export function resolveIds(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const field = isObjectType(type) ? type.getFields().id : undefined;
    if (field) field.resolve ??= ({ id, _id }: { id?: unknown; _id?: unknown }) => id ?? _id;
  }
  return schema;
}
