import type { GraphQLSchema } from 'graphql';
import { type Guard, readGuard } from '../schema/guards/readGuard.ts';

/** Guards of the root fields by operation type, as the supergraph's directives state them. */
export type RootGuards = Readonly<Record<'query' | 'mutation' | 'subscription', ReadonlyMap<string, Guard>>>;

/**
 * Reads the guard of every root field of the supergraph.
 *
 * @throws Error that lists the root fields without one, because a supergraph that lost its directives must not start
 */
export function readRootGuards(supergraph: GraphQLSchema): RootGuards {
  const unguarded: string[] = [];
  const read = (type: ReturnType<GraphQLSchema['getQueryType']>): Map<string, Guard> => {
    const guards = new Map<string, Guard>();
    for (const field of Object.values(type?.getFields() ?? {})) {
      const guard = readGuard(field);
      if (guard) guards.set(field.name, guard);
      else unguarded.push(`${type?.name}.${field.name}`);
    }
    return guards;
  };
  const guards = {
    query: read(supergraph.getQueryType()),
    mutation: read(supergraph.getMutationType()),
    subscription: read(supergraph.getSubscriptionType()),
  };
  if (unguarded.length > 0)
    throw new Error(`The supergraph has root fields without a guard: ${unguarded.join(', ')}`);
  return guards;
}
