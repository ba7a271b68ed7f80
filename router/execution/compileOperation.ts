import type { PlanNode, QueryPlan } from '@graphql-hive/router-query-planner';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
} from 'graphql';
import type { SubgraphContext, SubgraphResult, Variables } from '../transport/Transport.ts';
import type { AnalysedOperation } from './analyseOperation.ts';
import { compilePlan } from './compilePlan.ts';
import { compileProjection, type Projection } from './compileProjection.ts';
import { compileRequest, operationOf, type PlanCompilation, whenSettled } from './compileRequest.ts';
import { compileAcceptRoot } from './compileRootFetch.ts';
import { compileSubscription, type Subscribe } from './compileSubscription.ts';
import { createState, type ExecutionState, type PlanStep, type ResponseObject } from './ExecutionState.ts';
import { filterRootFields, rootFieldsOf } from './filterRootFields.ts';
import { isPassThrough } from './isPassThrough.ts';
import { responseNameOf } from './renameRiskyAliases.ts';
import { resolveConditions } from './resolveConditions.ts';
import { settlePending } from './subgraphErrors.ts';
import { toPlannedDocument } from './toPlannedDocument.ts';

export interface ClientOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** An operation whose response names are already safe (see renameRiskyAliases). */
export interface SafeOperation extends ClientOperation {
  readonly clientNames: ReadonlyMap<string, string>;
  /** The same operation under the client's names. */
  readonly client: ClientOperation;
}

export interface OperationCompilation extends PlanCompilation {
  readonly apiSchema: GraphQLSchema;
}

/** Variables are coerced already. */
export type Run = (
  variables: Variables,
  context: SubgraphContext,
) => ExecutionResult | Promise<ExecutionResult>;

export interface CompiledOperation {
  readonly plans: readonly QueryPlan[];
  /** Null for subscriptions. */
  readonly run: Run | null;
  /** Null for queries and mutations. */
  readonly subscribe: Subscribe | null;
}

const introspectionFields = new Set(['__schema', '__type']);
const isMeta = (field: FieldNode) =>
  field.name.value === '__typename' || introspectionFields.has(field.name.value);

/**
 * Compiles one operation for given values of its conditions. It asks for plans by yielding the text of a
 * document, so that the caller decides where planning happens.
 */
export function* compileOperation(
  analysed: AnalysedOperation,
  conditionValues: Variables,
  compilation: OperationCompilation,
): Generator<string, CompiledOperation, QueryPlan> {
  const safe = toSafeOperation(analysed, conditionValues);
  const planned = plannedText(safe, compilation.apiSchema);
  const plan = planned === null ? noPlan : yield planned;
  const node = plan.node ?? null;
  const { operation: kind } = safe.operation;
  if (kind === OperationTypeNode.SUBSCRIPTION) {
    return { plans: [plan], run: null, subscribe: compileSubscription(safe, node, compilation) };
  }
  if (kind === OperationTypeNode.QUERY || isSerial(node)) {
    return { plans: [plan], run: compileRun(safe, node, compilation), subscribe: null };
  }
  const plans: QueryPlan[] = [];
  const runs: Run[] = [];
  for (const part of splitByRootField(safe)) {
    const text = plannedText(part, compilation.apiSchema);
    const partPlan: QueryPlan = text === null ? noPlan : yield text;
    plans.push(partPlan);
    runs.push(compileRun(part, partPlan.node ?? null, compilation));
  }
  return { plans, run: runSerially(runs), subscribe: null };
}

const noPlan: QueryPlan = { kind: 'QueryPlan' };

function toSafeOperation(analysed: AnalysedOperation, conditionValues: Variables): SafeOperation {
  const document = resolveConditions(analysed.safeDocument, conditionValues);
  return {
    document,
    operation: operationOf(document),
    clientNames: analysed.clientNames,
    client: { document: analysed.source, operation: analysed.operation },
  };
}

/** What the planner has to see: neither introspection nor `__typename` of the root, which are answered here. */
function plannedText(safe: SafeOperation, schema: GraphQLSchema): string | null {
  const normalised = toPlannedDocument(safe.document, safe.operation, schema);
  const planned = filterRootFields(
    normalised,
    operationOf(normalised),
    ({ name }) => name.value !== '__typename' && !introspectionFields.has(name.value),
  );
  return planned === null ? null : print(planned);
}

/** The planner completes one mutation's entities beside the next mutation; without entities there is no race. */
function isSerial(node: PlanNode | null): boolean {
  if (node === null || node.kind === 'Fetch') return true;
  return node.kind === 'Sequence' && node.nodes.every((child) => child.kind === 'Fetch');
}

/** One operation per root response name, because each must be complete before the next begins (6.2.2). */
function splitByRootField(safe: SafeOperation): SafeOperation[] {
  const names = new Set(rootFieldsOf(safe.document, safe.operation).map(responseNameOf));
  return [...names].flatMap((name) => {
    const document = filterRootFields(
      safe.document,
      safe.operation,
      (field) => responseNameOf(field) === name,
    );
    const [operation] = document?.definitions ?? [];
    if (document === null || operation === undefined) return [];
    return [{ ...safe, document, operation: operation as OperationDefinitionNode }];
  });
}

function runSerially(runs: readonly Run[]): Run {
  return async (variables, context) => {
    const data: ResponseObject = Object.create(null);
    const errors: GraphQLError[] = [];
    for (const run of runs) {
      // One after the other is the point.
      const result = await run(variables, context);
      errors.push(...(result.errors ?? []));
      // A null that reached the root ends the operation: later mutations would have no place in the answer.
      if (result.data == null) return { data: null, errors };
      Object.assign(data, result.data);
    }
    return errors.length > 0 ? { data, errors } : { data };
  };
}

function compileRun(safe: SafeOperation, node: PlanNode | null, compilation: OperationCompilation): Run {
  const finish = compileFinish(safe, compilation);
  if (node !== null && node.kind === 'Fetch') {
    const direct = compileSingleFetch(safe, node, compilation, finish);
    if (direct !== null) return direct;
  }
  const step: PlanStep | null = node === null ? null : compilePlan(node, compilation);
  return (variables, context) => {
    const state = createState(variables, context);
    const waiting = step?.(state);
    return waiting === undefined ? finish(state) : waiting.then(() => finish(state));
  };
}

type Finish = (state: ExecutionState) => ExecutionResult;

/** An operation of one fetch in the client's shape passes the answer on, unless it has errors. */
function compileSingleFetch(
  safe: SafeOperation,
  node: Extract<PlanNode, { kind: 'Fetch' }>,
  compilation: OperationCompilation,
  finish: Finish,
): Run | null {
  const transport = compilation.transports.get(node.serviceName);
  const schemas = { api: compilation.apiSchema, supergraph: compilation.supergraph };
  if (transport === undefined || safe.clientNames.size > 0) return null;
  const request = compileRequest(node, compilation);
  if (!isPassThrough(node, request.document, safe, transport, schemas)) return null;
  const accept = compileAcceptRoot(node, request, compilation);
  return (variables, context) => {
    const settle = (result: SubgraphResult): ExecutionResult => {
      if (result.errors === undefined && result.data != null) return { data: result.data };
      const state = createState(variables, context);
      accept(state, result);
      return finish(state);
    };
    return whenSettled(request.send(request.pickVariables(variables), context), settle);
  };
}

/** From the merged data to the client's answer. */
export function compileFinish(safe: SafeOperation, compilation: OperationCompilation): Finish {
  const { apiSchema } = compilation;
  const project: Projection = compileProjection(apiSchema, safe.document, safe.operation, safe.clientNames);
  const introspect = compileIntrospection(safe, apiSchema);
  return (state) => {
    introspect?.(state);
    const data = project(state.data ?? {}, state);
    if (state.pending.length > 0) settlePending(state);
    if (state.errors.length === 0) return { data };
    return { data, errors: state.errors.map((error) => withClientNames(error, safe.clientNames)) };
  };
}

/** `__schema` and `__type` are answered from the API schema, never by a subgraph. */
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
