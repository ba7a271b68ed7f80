import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

/**
 * Returns the members of the public schema without a description: types, fields, arguments and input members. The build
 * refuses them.
 *
 * @returns coordinates, as in `Listing.price` and `Query.listing(id:)`
 */
export function findUndescribed(schema: GraphQLSchema): string[] {
  const missing: string[] = [];
  const roots = new Set<unknown>([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    const isRoot = roots.has(type);
    if (!type.description && !isRoot) missing.push(type.name);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.description) missing.push(`${type.name}.${field.name}`);
      for (const argument of 'args' in field ? field.args : []) {
        if (!argument.description) missing.push(`${type.name}.${field.name}(${argument.name}:)`);
      }
    }
  }
  return missing.sort();
}
