import type { DocumentNode, GraphQLSchema } from 'graphql';
import {
  conditionVariablesOf,
  resolveConditions,
} from '../../router/execution/operation/resolveConditions.ts';
import { createLocalTransport } from '../../router/transport/localTransport.ts';
import type { SubgraphRequest } from '../../router/transport/Transport.ts';
import type { PrepareDocument } from '../../subgraphs/platform/subgraph/executeDocuments.ts';

/** Maximum number of conditions; with more, there may be too many combinations to cache. */
const mostConditions = 5;

/**
 * Returns the executor of routers' documents. It works as a router does for a subgraph in its own process: recurring
 * queries are compiled, once for each combination of their conditions.
 *
 * @param jit false executes everything with graphql-js
 */
export function compileDocuments(schema: GraphQLSchema, jit: boolean): PrepareDocument {
  const transport = createLocalTransport(schema, { jit });
  return (document, operation) => {
    const whole = transport.compile(document, '', operation);
    const conditions = conditionVariablesOf(document);
    if (conditions.length === 0 || conditions.length > mostConditions) return whole;
    const resolved = compileCombinations(document, conditions, (asked) =>
      transport.compile(asked, '', operation),
    );
    return (variables, context) => {
      // A value that is not a Boolean is refused with the unmodified document.
      const areStated = conditions.every((name) => typeof variables[name] === 'boolean');
      return (areStated ? resolved(variables) : whole)(variables, context);
    };
  };
}

function compileCombinations(
  document: DocumentNode,
  conditions: readonly string[],
  compile: (asked: DocumentNode) => SubgraphRequest,
): (variables: Readonly<Record<string, unknown>>) => SubgraphRequest {
  const requests = new Map<string, SubgraphRequest>();
  return (variables) => {
    const key = conditions.map((name) => (variables[name] === true ? '1' : '0')).join('');
    let request = requests.get(key);
    if (!request) {
      request = compile(resolveConditions(document, variables));
      requests.set(key, request);
    }
    return request;
  };
}
