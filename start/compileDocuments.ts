import type { GraphQLSchema } from 'graphql';
import { createLocalTransport } from '../router/transport/localTransport.ts';
import type { PrepareDocument } from '../subgraphs/platform/subgraph/executeDocuments.ts';

/**
 * Executes the documents of routers as a router executes those of a subgraph in its own process: queries that come again
 * and again are compiled.
 *
 * @param jit false executes everything with graphql-js
 */
export function compileDocuments(schema: GraphQLSchema, jit: boolean): PrepareDocument {
  const transport = createLocalTransport(schema, { jit });
  return (document, operation) => transport.compile(document, '', operation);
}
