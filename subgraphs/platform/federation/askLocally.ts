import { execute, type GraphQLSchema, parse } from 'graphql';
import type { RequestContext } from '../context/RequestContext.ts';
import { askOwnerDocument } from './askOwner.ts';

/** Puts one question about records to another subgraph; its answer is what the question selects. */
export type Ask = (variables: object, context: RequestContext) => Promise<{ _entities: never[] }>;

/**
 * Asks an owning subgraph of the same process: an operation on its schema with the caller's identity, one level
 * deeper, so every guard of the owner holds as it would over HTTP.
 *
 * @param ownerSchema called at the first question, because subgraphs of one process are built in any order
 * @param source the operation; default: the one of `AskOwner`
 */
export function askLocally(ownerSchema: () => GraphQLSchema, source: string = askOwnerDocument): Ask {
  const document = parse(source, { noLocation: true });
  return async (variables, context) => {
    const { data, errors } = await execute({
      schema: ownerSchema(),
      document,
      variableValues: { ...variables },
      contextValue: context.descend(),
    });
    if (!data)
      throw errors?.[0]?.originalError ?? errors?.[0] ?? new Error('The owning subgraph gave no answer.');
    return data as Awaited<ReturnType<Ask>>;
  };
}
