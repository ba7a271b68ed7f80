import { addResolversToSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { enumValuesOf } from '../../../schema/compose/enumValues.ts';

/**
 * Lets resolvers take and return the internal values of enums, as they are stored. Clients see the names, and so do the
 * defaults in the SDL; a value that the enum does not have stays an error.
 */
export function mapEnums(schema: GraphQLSchema): GraphQLSchema {
  // In place: a copy of the schema would keep the names inside the defaults of input objects.
  return addResolversToSchema({
    schema,
    resolvers: enumValuesOf(schema),
    updateResolversInPlace: true,
  });
}
