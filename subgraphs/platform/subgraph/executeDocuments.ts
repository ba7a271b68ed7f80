import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { RequestContext } from '../context/RequestContext.ts';
import { toPublicError } from '../errors/toPublicError.ts';
import type { Execute } from '../federation/askLocally.ts';

/** Makes a document of one operation ready to be executed on a schema; asked once for each document. */
export type PrepareDocument = (document: DocumentNode, operation: OperationTypeNode) => Execute;

type Gateway = ApolloServerOptionsWithGateway<RequestContext>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/**
 * What Apollo Server executes documents with, after it has parsed and validated them. It is called a gateway there
 * because gateways are who brings an executor of their own; nothing is asked of anybody else here.
 */
export function executeDocuments(schema: GraphQLSchema, prepare: PrepareDocument): Gateway {
  // Apollo Server keeps the documents: what was made of one goes with it.
  const prepared = new WeakMap<DocumentNode, Execute>();
  const executor: Executor = async ({ document, operation, request, context }) => {
    const { variables = {}, operationName } = request;
    // It finds the words for an operation that is not there.
    if (!operation || !standsAlone(document))
      return execute({ schema, document, operationName, variableValues: variables, contextValue: context });
    let run = prepared.get(document);
    if (run === undefined) {
      run = prepare(document, operation.operation);
      prepared.set(document, run);
    }
    const asker = context as RequestContext;
    const result = (await run(variables, asker)) as ExecutionResult;
    return masked(result, asker, operation) as Awaited<ReturnType<Executor>>;
  };
  return {
    onSchemaLoadOrUpdate(tell) {
      tell({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => ({ executor }),
    stop: async () => undefined,
  };
}

/** Here and not where Apollo Server formats errors, because there nobody knows whether it was a write that failed. */
function masked(
  result: ExecutionResult,
  { platform, requestId }: RequestContext,
  { operation }: OperationDefinitionNode,
): ExecutionResult {
  if (!result.errors) return result;
  const origin = { requestId, isWrite: operation === OperationTypeNode.MUTATION };
  return { ...result, errors: result.errors.map((error) => toPublicError(error, platform.log, origin)) };
}

function standsAlone({ definitions }: DocumentNode): boolean {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
}
