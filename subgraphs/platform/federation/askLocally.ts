import { execute, type GraphQLSchema, parse } from 'graphql';
import { type AskOwner, askOwnerDocument } from './askOwner.ts';

/**
 * Asks an owning subgraph of the same process: an operation on its schema with the caller's identity, one level
 * deeper, so every guard of the owner holds as it would over HTTP.
 *
 * @param ownerSchema called at the first question, because subgraphs of one process are built in any order
 */
export function askLocally(ownerSchema: () => GraphQLSchema): AskOwner {
  const document = parse(askOwnerDocument, { noLocation: true });
  return async (variables, context) => {
    const { data, errors } = await execute({
      schema: ownerSchema(),
      document,
      variableValues: variables,
      contextValue: context.descend(),
    });
    if (!data)
      throw errors?.[0]?.originalError ?? errors?.[0] ?? new Error('The owning subgraph gave no answer.');
    return data as unknown as Awaited<ReturnType<AskOwner>>;
  };
}
