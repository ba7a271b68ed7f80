import { createHash } from 'node:crypto';
import type { QueryPlan } from '@graphql-hive/router-query-planner';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import {
  compileOperation,
  type OperationCompilation,
  type Run,
  type SafeOperation,
} from './compileOperation.ts';
import type { PlanCompilation } from './compileRequest.ts';
import { compileSubscription, type Subscribe } from './compileSubscription.ts';
import { type CoerceVariables, compileVariables } from './compileVariables.ts';
import type { Prepared, Refused } from './Engine.ts';
import { rootFieldsOf } from './filterRootFields.ts';
import { renameRiskyAliases } from './renameRiskyAliases.ts';
import { requestError, withCode } from './requestErrors.ts';

/** What an engine knows before it sees an operation. */
export interface PrepareContext extends Omit<PlanCompilation, 'variableNames' | 'options'> {
  readonly apiSchema: GraphQLSchema;
  readonly fieldNames: ReadonlySet<string>;
  readonly jit: boolean;
}

export type PrepareResult = { readonly prepared: Prepared; readonly plans: readonly QueryPlan[] } | Refused;

/**
 * From source text to an executable operation. Yields each text that has to be planned and takes the plan;
 * an error thrown into it means that planning failed.
 */
export function* prepareOperation(
  source: string | DocumentNode,
  operationName: string | null | undefined,
  context: PrepareContext & { readonly eager: boolean },
): Generator<string, PrepareResult, QueryPlan> {
  const parsed = typeof source === 'string' ? parseSource(source) : source;
  if ('errors' in parsed) return parsed;
  const invalid = validate(context.apiSchema, parsed);
  if (invalid.length > 0)
    return { errors: invalid.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
  const operation = findOperation(parsed, operationName);
  if (operation instanceof GraphQLError) return { errors: [operation] };
  const safe = toSafeOperation(parsed, operation, context.fieldNames);
  const compilation: OperationCompilation = {
    ...context,
    variableNames: (operation.variableDefinitions ?? []).map((node) => node.variable.name.value),
    options: { eager: context.eager, jit: context.jit },
  };
  try {
    const compiled = yield* compileOperation(safe, compilation);
    const coerce = compileVariables(context.apiSchema, operation);
    return { plans: compiled.plans, prepared: toPrepared(parsed, operation, compiled, coerce) };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [withCode(error, 'QUERY_PLAN_FAILED')] };
    const originalError = error instanceof Error ? error : new Error(String(error));
    const extensions = { code: 'QUERY_PLAN_FAILED' };
    return {
      errors: [new GraphQLError('The operation could not be planned.', { originalError, extensions })],
    };
  }
}

function parseSource(source: string): DocumentNode | Refused {
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [withCode(error, 'GRAPHQL_PARSE_FAILED')] };
    throw error;
  }
}

function findOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode | GraphQLError {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const wanted = operationName == null || operationName === '' ? null : operationName;
  const found = wanted === null ? operations : operations.filter((node) => node.name?.value === wanted);
  const [operation] = found;
  if (operation === undefined) {
    const message =
      wanted === null ? 'The document has no operation.' : `There is no operation named "${wanted}".`;
    return requestError(message, 'OPERATION_RESOLUTION_FAILURE');
  }
  if (found.length > 1) {
    return requestError(
      'The document has several operations: name one of them.',
      'OPERATION_RESOLUTION_FAILURE',
    );
  }
  // Objects cannot hold a member of this name without losing their prototype.
  if (operation.variableDefinitions?.some((node) => node.variable.name.value === '__proto__')) {
    return requestError('No variable can be named "__proto__".', 'GRAPHQL_VALIDATION_FAILED');
  }
  return operation;
}

function toSafeOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fieldNames: ReadonlySet<string>,
): SafeOperation {
  const own: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: document.definitions.filter(
      (node) => node === operation || node.kind === Kind.FRAGMENT_DEFINITION,
    ),
  };
  const renamed = renameRiskyAliases(own, fieldNames);
  const safeOperation = renamed.document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (safeOperation === undefined) throw new Error('The operation was lost.');
  return {
    document: renamed.document,
    operation: safeOperation,
    clientNames: renamed.clientNames,
    client: { document: own, operation },
  };
}

function toPrepared(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  compiled: {
    readonly plans: readonly QueryPlan[];
    readonly run: Run | null;
    readonly subscribe: Subscribe | null;
  },
  coerce: CoerceVariables,
): Prepared {
  const { run, subscribe } = compiled;
  return {
    document,
    operation,
    operationName: operation.name?.value,
    operationType: operation.operation,
    planHash: createHash('sha256').update(JSON.stringify(compiled.plans)).digest('hex').slice(0, 16),
    rootFields: [...new Set(rootFieldsOf(document, operation).map((field) => field.name.value))],
    execute(variables, context) {
      if (run === null) return wrongKind('A subscription has to be subscribed to.');
      const coerced = coerce(variables);
      return 'errors' in coerced ? { errors: coerced.errors } : run(coerced.variables, context);
    },
    async subscribe(variables, context) {
      if (subscribe === null) return wrongKind(`A ${operation.operation} cannot be subscribed to.`);
      const coerced = coerce(variables);
      return 'errors' in coerced ? { errors: coerced.errors } : subscribe(coerced.variables, context);
    },
  };
}

function wrongKind(message: string): ExecutionResult {
  return { errors: [requestError(message, 'OPERATION_RESOLUTION_FAILURE')] };
}
