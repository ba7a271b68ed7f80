import { GraphQLSchema, isObjectType, printSchema, specifiedDirectives } from 'graphql';

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
