import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { filterRootFields, responseNameOf, rootFieldsOf } from '../operation/filterRootFields.ts';
import { compileProjection, type Projection } from './compileProjection.ts';
import type { PlanCompilation } from './compileRequest.ts';
import type { ExecutionState } from './ExecutionState.ts';
import { reportMissing, reportPending } from './subgraphErrors.ts';

export interface ClientOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** An operation whose response names are already safe (see avoidPlannerFaults). */
export interface SafeOperation extends ClientOperation {
  readonly clientNames: ReadonlyMap<string, string>;
  /** The same operation under the client's names. */
  readonly client: ClientOperation;
}

export interface OperationCompilation extends PlanCompilation {
  readonly apiSchema: GraphQLSchema;
}

export type Finish = (state: ExecutionState) => ExecutionResult;

export const introspectionFields: ReadonlySet<string> = new Set(['__schema', '__type']);

/** Compiles the step from the merged data to the client's response. */
export function compileFinish(safe: SafeOperation, compilation: OperationCompilation): Finish {
  const { apiSchema } = compilation;
  const project: Projection = compileProjection(apiSchema, safe.document, safe.operation, safe.clientNames);
  const introspect = compileIntrospection(safe, apiSchema);
  return (state) => {
    introspect?.(state);
    const data = project(state.data ?? {}, state);
    if (state.doubts.length > 0) reportMissing(state, data, safe.clientNames);
    if (state.pending.length > 0) reportPending(state);
    if (state.errors.length === 0) return { data };
    return { data, errors: state.errors.map((error) => withClientNames(error, safe.clientNames)) };
  };
}

/** Compiles introspection: `__schema` and `__type` are resolved from the API schema, never by a subgraph. */
function compileIntrospection(
  safe: SafeOperation,
  schema: GraphQLSchema,
): ((state: ExecutionState) => void) | null {
  const isWanted = (field: FieldNode) => introspectionFields.has(field.name.value);
  const document = filterRootFields(safe.client.document, safe.client.operation, isWanted);
  if (document === null) return null;
  const names = rootFieldsOf(safe.document, safe.operation).filter(isWanted).map(responseNameOf);
  const isConstant = (safe.operation.variableDefinitions ?? []).length === 0;
  let known: ExecutionResult | null = null;
  return (state) => {
    const result =
      known ?? (execute({ schema, document, variableValues: state.variables }) as ExecutionResult);
    if (isConstant) known = result;
    state.errors.push(...(result.errors ?? []));
    state.data ??= {};
    for (const name of names) state.data[name] = result.data?.[safe.clientNames.get(name) ?? name];
  };
}

function withClientNames(error: GraphQLError, clientNames: ReadonlyMap<string, string>): GraphQLError {
  if (clientNames.size === 0 || error.path === undefined) return error;
  const path = error.path.map((segment) =>
    typeof segment === 'string' ? (clientNames.get(segment) ?? segment) : segment,
  );
  const { message, extensions, originalError } = error;
  return new GraphQLError(message, { path, extensions, originalError: originalError ?? null });
}
