import { type ApolloServerPlugin, type GraphQLResponse, HeaderMap } from '@apollo/server';
import { type DocumentNode, type GraphQLError, Kind, OperationTypeNode } from 'graphql';
import type { RequestContext } from '../context/RequestContext.ts';
import type { Execute } from '../federation/askLocally.ts';
import { toEdgeError } from './toEdgeError.ts';

/** Prepares a document with one operation for execution on a schema; called once for each document. */
export type PrepareDocument = (document: DocumentNode, operation: OperationTypeNode) => Execute;

/** Executes documents instead of Apollo Server, after it has parsed and validated them. */
export function executeDocuments(prepare: PrepareDocument): ApolloServerPlugin<RequestContext> {
  // Apollo Server caches the documents; a prepared form is released with its document.
  const prepared = new WeakMap<DocumentNode, Execute>();
  return {
    requestDidStart: async () => ({
      async responseForOperation({ document, operation, request, contextValue }) {
        // Apollo Server selects one of several operations, and reports a missing one.
        if (!operation || !standsAlone(document)) return null;
        let run = prepared.get(document);
        if (run === undefined) {
          run = prepare(document, operation.operation);
          prepared.set(document, run);
        }
        const { data, errors } = await run(request.variables ?? {}, contextValue);
        const { log } = contextValue.platform;
        const isWrite = operation.operation === OperationTypeNode.MUTATION;
        return toResponse(
          data as Record<string, unknown> | null | undefined,
          errors?.map((error) => toEdgeError(error, log, contextValue, { isWrite })),
        );
      },
    }),
  };
}

/**
 * Returns the response. An executed operation has the status 200, also if all its fields were refused: some engines
 * add an error of their own to any other status. Invalid variables are 400.
 */
function toResponse(
  data: Record<string, unknown> | null | undefined,
  errors: readonly GraphQLError[] | undefined,
): GraphQLResponse {
  const headers = new HeaderMap();
  if (!errors) return { http: { headers }, body: { kind: 'single', singleResult: { data: data ?? null } } };
  return {
    http: { headers, status: data === undefined ? 400 : 200 },
    body: {
      kind: 'single',
      singleResult: {
        ...(data !== undefined && { data }),
        errors: errors.map((error) => error.toJSON()),
      },
    },
  };
}

function standsAlone({ definitions }: DocumentNode): boolean {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
}
