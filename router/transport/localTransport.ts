import { type DocumentNode, execute, type GraphQLSchema, OperationTypeNode, subscribe } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type {
  CompileOptions,
  SubgraphContext,
  SubgraphRequest,
  SubgraphResult,
  SubgraphSubscription,
  Transport,
  Variables,
} from './Transport.ts';

export interface LocalTransportOptions {
  /** False executes everything with graphql-js. Default true. */
  readonly jit?: boolean | undefined;
}

/**
 * Executes a subgraph in this process: no serialisation, one context object for all resolvers of a request.
 */
export function createLocalTransport(schema: GraphQLSchema, options: LocalTransportOptions = {}): Transport {
  return {
    conforming: true,
    compile(document, _text, operationType, compileOptions: CompileOptions = {}): SubgraphRequest {
      const interpreted = interpret(schema, document);
      const mayCompile = options.jit !== false && compileOptions.jit !== false;
      if (!mayCompile || operationType !== OperationTypeNode.QUERY) return interpreted;
      return compileToJavaScript(schema, document) ?? interpreted;
    },
    compileSubscription(document): SubgraphSubscription {
      return (variables, context) =>
        subscribe({ schema, document, variableValues: variables, contextValue: context }) as Promise<
          SubgraphResult | AsyncIterable<SubgraphResult>
        >;
    },
  };
}

function interpret(schema: GraphQLSchema, document: DocumentNode): SubgraphRequest {
  return (variables: Variables, context: SubgraphContext) =>
    execute({ schema, document, variableValues: variables, contextValue: context }) as SubgraphResult;
}

function compileToJavaScript(schema: GraphQLSchema, document: DocumentNode): SubgraphRequest | null {
  try {
    const compiled = compileQuery(schema, document);
    if (!isCompiledQuery(compiled)) return null;
    return (variables, context) => compiled.query(undefined, context, variables) as SubgraphResult;
  } catch {
    return null;
  }
}
