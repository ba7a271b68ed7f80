import type { DocumentNode, GraphQLSchema } from 'graphql';
import { OperationTypeNode, print } from 'graphql';
import {
  conditionVariablesOf,
  resolveConditions,
} from '../../router/execution/operation/resolveConditions.ts';
import { createLocalTransport } from '../../router/transport/localTransport.ts';
import type { SubgraphRequest } from '../../router/transport/Transport.ts';
import type { Ask } from '../../subgraphs/platform/context/AskSubgraph.ts';
import { askLocally, type Execute } from '../../subgraphs/platform/federation/askLocally.ts';

/**
 * Returns `askLocally` with questions that are compiled on first use, because nearly every request uses the same few.
 */
export function askHere(ownerSchema: () => GraphQLSchema, source: string): Ask {
  return askLocally(ownerSchema, source, compileQuestion);
}

/** Compiles one request for each combination of its conditions, because compiled requests have no conditions. */
function compileQuestion(schema: GraphQLSchema, document: DocumentNode): Execute {
  const transport = createLocalTransport(schema);
  const conditions = conditionVariablesOf(document);
  const requests = new Map<string, SubgraphRequest>();
  return (variables, context) => {
    const key = conditions.map((name) => (variables[name] === true ? '1' : '0')).join('');
    let request = requests.get(key);
    if (!request) {
      const asked = resolveConditions(document, variables);
      request = transport.compile(asked, print(asked), OperationTypeNode.QUERY, { eager: true });
      requests.set(key, request);
    }
    return request(variables, context);
  };
}
