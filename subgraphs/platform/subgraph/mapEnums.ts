import { addResolversToSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { enumValuesOf } from '../../../schema/compose/enumValues.ts';

/**
 * Lets resolvers use the internal values of enums, as they are stored. Clients and the defaults in the SDL use the
 * names. A value that the enum does not have stays an error.
 */
export function mapEnums(schema: GraphQLSchema): GraphQLSchema {
  // In place, because a copy of the schema would keep the names inside the defaults of input objects.
  return addResolversToSchema({
    schema,
    resolvers: enumValuesOf(schema),
    updateResolversInPlace: true,
  });
}
