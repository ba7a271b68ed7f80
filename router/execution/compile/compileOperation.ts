import type { PlanNode, QueryPlan } from '@graphql-hive/router-query-planner';
import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
} from 'graphql';
import type { SubgraphContext, SubgraphResult, Variables } from '../../transport/Transport.ts';
import type { AnalysedOperation } from '../operation/analyseOperation.ts';
import { filterRootFields, responseNameOf, rootFieldsOf } from '../operation/filterRootFields.ts';
import { resolveConditions } from '../operation/resolveConditions.ts';
import { toPlannedDocument } from '../operation/toPlannedDocument.ts';
import type { Planner } from '../planner/Planner.ts';
import {
  compileFinish,
  type Finish,
  introspectionFields,
  type OperationCompilation,
  type SafeOperation,
} from './compileFinish.ts';
import { compilePlan } from './compilePlan.ts';
import { compileRequest, operationOf, whenSettled } from './compileRequest.ts';
import { compileAcceptRoot } from './compileRootFetch.ts';
import { compileSubscription, type Subscribe } from './compileSubscription.ts';
import { createState, type PlanStep, type ResponseObject } from './ExecutionState.ts';
import { isPassThrough } from './isPassThrough.ts';

/** Runs the operation with coerced variables. */
export type Run = (
  variables: Variables,
  context: SubgraphContext,
) => ExecutionResult | Promise<ExecutionResult>;

export interface CompiledOperation {
  readonly plans: readonly QueryPlan[];
  /** Function for queries and mutations; null for subscriptions. */
  readonly run: Run | null;
  /** Function for subscriptions; null for queries and mutations. */
  readonly subscribe: Subscribe | null;
}

/**
 * Compiles one operation for given values of its conditions.
 *
 * @throws Error if it has no plan
 */
export async function compileOperation(
  analysed: AnalysedOperation,
  conditionValues: Variables,
  compilation: OperationCompilation,
  planner: Pick<Planner, 'plan'>,
): Promise<CompiledOperation> {
  const safe = toSafeOperation(analysed, conditionValues);
  const planned = plannedText(safe, compilation.apiSchema);
  const plan = planned === null ? noPlan : await planner.plan(planned);
  const node = plan.node ?? null;
  const { operation: kind } = safe.operation;
  if (kind === OperationTypeNode.SUBSCRIPTION) {
    return { plans: [plan], run: null, subscribe: compileSubscription(safe, node, compilation) };
  }
  // With one fetch, its subgraph ensures the order. In plans with several, the planner completes the entities of one
  // mutation parallel to the next mutation, and continues after a failure that ends the operation.
  if (kind === OperationTypeNode.QUERY || node === null || node.kind === 'Fetch') {
    return { plans: [plan], run: compileRun(safe, node, compilation), subscribe: null };
  }
  const plans: QueryPlan[] = [];
  const runs: Run[] = [];
  for (const part of splitByRootField(safe)) {
    const text = plannedText(part, compilation.apiSchema);
    const partPlan = text === null ? noPlan : await planner.plan(text);
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
    client: { document: analysed.clientDocument, operation: operationOf(analysed.clientDocument) },
  };
}

/** Returns the document for the planner, without introspection and root `__typename`, which are resolved here. */
function plannedText(safe: SafeOperation, schema: GraphQLSchema): string | null {
  const normalised = toPlannedDocument(safe.document, safe.operation, schema);
  const planned = filterRootFields(
    normalised,
    operationOf(normalised),
    ({ name }) => name.value !== '__typename' && !introspectionFields.has(name.value),
  );
  return planned === null ? null : print(planned);
}

/**
 * Splits an operation by root response name, because each field must be complete before the next one starts (6.2.2).
 */
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
      // Sequential by specification.
      const result = await run(variables, context);
      errors.push(...(result.errors ?? []));
      // A null at the root ends the operation; the response has no place for later mutations.
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

/** Compiles an operation of one fetch in the client's shape, whose response is passed on unless it has errors. */
function compileSingleFetch(
  safe: SafeOperation,
  node: Extract<PlanNode, { kind: 'Fetch' }>,
  compilation: OperationCompilation,
  finish: Finish,
): Run | null {
  const transport = compilation.transports.get(node.serviceName);
  const schemas = { api: compilation.apiSchema, supergraph: compilation.supergraph };
  if (transport === undefined || safe.clientNames.size > 0) return null;
  const fetched = parse(node.operation, { noLocation: true });
  if (!isPassThrough(node, fetched, safe, transport, schemas)) return null;
  const request = compileRequest(node, compilation);
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
