import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context/RequestContext.ts';
import { forgetRecords } from '../context/recordLoader.ts';

/**
 * Drops the records that were loaded for a mutation, such as those of its guard, once it has written. The members of its
 * payload therefore read the new state.
 */
export function forgetAfterWrites(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}))
    field.resolve = forgetting(field.resolve ?? defaultFieldResolver);
  return schema;
}

function forgetting(
  resolve: GraphQLFieldResolver<unknown, RequestContext>,
): GraphQLFieldResolver<unknown, RequestContext> {
  return async (source, args, context, info) => {
    const payload = await resolve(source, args, context, info);
    forgetRecords(context);
    return payload;
  };
}
