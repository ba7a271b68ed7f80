import {
  GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  printSchema,
  specifiedDirectives,
} from 'graphql';

/**
 * The public SDL: only what an operation can reach. The enums of guard directives and types that every public field
 * left behind are dropped, implementations of reachable interfaces stay.
 */
export function toApiSdl(schema: GraphQLSchema): string {
  const implementations = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.getInterfaces().length > 0 && !type.name.startsWith('__'),
  );
  const reachable = new GraphQLSchema({
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
    types: implementations,
    directives: specifiedDirectives,
  });
  return `${printSchema(reachable)}\n`;
}

/**
 * Members of the public schema without a description: types, fields, arguments and input members. What needs no
 * words for its author needs them for everybody else, so the build refuses them.
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
