import { execute, type GraphQLSchema, parse } from 'graphql';
import type { RequestContext } from '../context/RequestContext.ts';
import { type AskOwner, askOwnerDocument } from './askOwner.ts';

/** A question about records to another subgraph. */
export type Ask = (variables: never, context: RequestContext) => Promise<{ _entities: unknown[] }>;

/**
 * Asks an owning subgraph of the same process: an operation on its schema with the caller's identity, one level
 * deeper, so every guard of the owner holds as it would over HTTP.
 *
 * @param ownerSchema called at the first question, because subgraphs of one process are built in any order
 * @param source the operation; default: the one of `AskOwner`
 */
export function askLocally<A extends Ask = AskOwner>(
  ownerSchema: () => GraphQLSchema,
  source: string = askOwnerDocument,
): A {
  const document = parse(source, { noLocation: true });
  const ask = async (variables: Record<string, unknown>, context: RequestContext) => {
    const { data, errors } = await execute({
      schema: ownerSchema(),
      document,
      variableValues: variables,
      contextValue: context.descend(),
    });
    if (!data)
      throw errors?.[0]?.originalError ?? errors?.[0] ?? new Error('The owning subgraph gave no answer.');
    return data;
  };
  return ask as unknown as A;
}
