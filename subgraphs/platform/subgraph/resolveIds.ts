import { type GraphQLSchema, isObjectType } from 'graphql';

/**
 * Answers the `_id` of a stored record where a type has a field `id` without a resolver. A parent's own `id` is preferred, so
 * types that stand for no record need nothing either.
 */
export function resolveIds(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const field = isObjectType(type) ? type.getFields().id : undefined;
    if (field) field.resolve ??= ({ id, _id }: { id?: unknown; _id?: unknown }) => id ?? _id;
  }
  return schema;
}
