import { GraphQLSchema, isObjectType, printSchema, specifiedDirectives } from 'graphql';

/**
 * Prints the public SDL: only types that an operation can reach. Enums of guard directives and unreachable types are
 * left out, implementations of reachable interfaces are kept.
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
