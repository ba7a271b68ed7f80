import {
  createSourceEventStream,
  type DocumentNode,
  defaultFieldResolver,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  OperationTypeNode,
  print,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { isCompilable } from './isCompilable.ts';
import { isPromise } from './isPromise.ts';
import { mapEvents } from './mapEvents.ts';
import type { SubgraphError, SubgraphRequest, SubgraphResult, Transport } from './Transport.ts';

export interface LocalTransportOptions {
  /** Whether graphql-jit may be used. True by default. */
  readonly jit?: boolean | undefined;
}

/** An operation that clients sent is compiled when it has run this often: compiling costs as much as 100 runs. */
const runsBeforeCompiling = 5;
/** Memory of compiled operations that clients sent, and that of one for each character of its text, as measured. */
const compiledBytes = 16 * 1024 * 1024;
const bytesOfCharacter = 250;

/**
 * Creates a transport that executes a subgraph in this process. Nothing is serialized, and all resolvers of a request
 * share one context object. Queries are compiled by graphql-jit if the result is the same (see isCompilable); mutations
 * and subscriptions always run on graphql-js. If code generation is forbidden
 * (`--disallow-code-generation-from-strings`), queries run on graphql-js as well.
 *
 * Fields of `schema` that return objects or custom scalars and have no resolver get graphql-js's default one.
 * Otherwise, graphql-jit would read promises and methods as values.
 */
export function createLocalTransport(schema: GraphQLSchema, options: LocalTransportOptions = {}): Transport {
  if (options.jit !== false) nameDefaultResolvers(schema);
  const hot = new LRUCache<symbol, SubgraphRequest>({ maxSize: compiledBytes });
  return {
    conforming: true,
    compile(document, text, operationType, compileOptions = {}) {
      const interpreted = interpret(schema, document);
      const mayCompile = options.jit !== false && compileOptions.jit !== false;
      if (!mayCompile || operationType !== OperationTypeNode.QUERY || !isCompilable(schema, document)) {
        return interpreted;
      }
      if (compileOptions.eager === true) return compileToJavaScript(schema, document) ?? interpreted;
      return compileWhenHot(hot, interpreted, () => ({
        request: compileToJavaScript(schema, document) ?? interpreted,
        size: bytesOfCharacter * (text || print(document)).length,
      }));
    },
    compileSubscription(document) {
      return async (variables, context) => {
        const operation = { schema, document, variableValues: variables };
        const source = await createSourceEventStream({ ...operation, contextValue: context });
        if (!(Symbol.asyncIterator in source)) return withInputCode(source);
        return mapEvents(source, (rootValue) =>
          execute({ ...operation, rootValue, contextValue: context.forEvent?.() ?? context }),
        );
      };
    },
  };
}

function interpret(schema: GraphQLSchema, document: DocumentNode): SubgraphRequest {
  return (variables, context) => {
    const result = execute({ schema, document, variableValues: variables, contextValue: context });
    return isPromise(result) ? result : withInputCode(result);
  };
}

function compileToJavaScript(schema: GraphQLSchema, document: DocumentNode): SubgraphRequest | null {
  const compiled = compileQuery(schema, document);
  if (!isCompiledQuery(compiled)) return null;
  return (variables, context) => {
    const result = compiled.query(undefined, context, variables);
    return isPromise(result) ? result : withInputCode(result);
  };
}

function compileWhenHot(
  hot: LRUCache<symbol, SubgraphRequest>,
  interpreted: SubgraphRequest,
  compile: () => { readonly request: SubgraphRequest; readonly size: number },
): SubgraphRequest {
  const key = Symbol('operation');
  let runs = 0;
  return (variables, context) => {
    runs++;
    if (runs <= runsBeforeCompiling) return interpreted(variables, context);
    const known = hot.get(key);
    if (known !== undefined) return known(variables, context);
    const { request, size } = compile();
    hot.set(key, request, { size });
    return request(variables, context);
  };
}

/**
 * Adds the input code. A result without `data` was refused before execution. The document is valid, so the subgraph
 * refused a value of a custom scalar that the API schema does not check.
 */
function withInputCode(result: SubgraphResult): SubgraphResult {
  if (result.errors === undefined || result.data !== undefined) return result;
  const errors = result.errors.map((error): SubgraphError => {
    const extensions = { code: 'BAD_USER_INPUT', ...error.extensions };
    // A GraphQLError, because any other error counts as a bug and is masked.
    return new GraphQLError(error.message, { originalError: error.originalError ?? null, extensions });
  });
  return { errors };
}

function nameDefaultResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type);
      const isPlainLeaf = !isCompositeType(named) && (isEnumType(named) || isSpecifiedScalarType(named));
      if (!isPlainLeaf) field.resolve ??= defaultFieldResolver;
    }
  }
}
