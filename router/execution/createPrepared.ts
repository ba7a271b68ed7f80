import { createHash } from 'node:crypto';
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { CheckVariableLimits } from '../limits/compileVariableLimits.ts';
import type { RootFieldLimits } from '../limits/readRootFieldLimits.ts';
import { isPromise } from '../transport/isPromise.ts';
import type { SubgraphContext, Variables } from '../transport/Transport.ts';
import type { CompiledOperation } from './compile/compileOperation.ts';
import { compileVariables } from './compile/compileVariables.ts';
import type { Prepared, Refused } from './Engine.ts';
import type { AnalysedOperation } from './operation/analyseOperation.ts';
import { requestError, withCode } from './operation/requestErrors.ts';

/** Plans and compiles the operation for given values of its condition variables. */
type CompileVariant = (values: Variables) => Promise<CompiledOperation>;

type Find = (variables: Variables) => CompiledOperation | Refused | Promise<CompiledOperation | Refused>;

export interface PreparedParts {
  readonly analysed: AnalysedOperation;
  readonly primary: CompiledOperation;
  readonly compileVariant: CompileVariant;
  readonly apiSchema: GraphQLSchema;
  readonly rootFields: readonly string[];
  readonly rootFieldLimits: RootFieldLimits;
  /** Combinations of condition values that stay compiled. */
  readonly keptVariants: number;
  /** Check of variables; null if they are not limited. */
  readonly checkVariables: CheckVariableLimits | null;
  readonly hideSuggestions: boolean;
}

export function createPrepared(parts: PreparedParts): Prepared {
  const { analysed, primary, compileVariant, apiSchema } = parts;
  const { source, operation } = analysed;
  const find = createFind(analysed.conditionVariables, primary, compileVariant, parts.keptVariants);
  const coerce = compileVariables(apiSchema, operation, parts.checkVariables, {
    renamed: analysed.safeVariables,
    hideSuggestions: parts.hideSuggestions,
  });
  const plan = JSON.stringify(primary.plans);
  return {
    document: source,
    operation,
    operationName: operation.name?.value,
    operationType: operation.operation,
    planHash: createHash('sha256').update(plan).digest('hex').slice(0, 16),
    planLength: plan.length,
    variants: Math.min(parts.keptVariants, 2 ** analysed.conditionVariables.length),
    rootFields: parts.rootFields,
    rootFieldLimits: parts.rootFieldLimits,
    execute(raw, context) {
      const coerced = coerce(raw);
      if ('errors' in coerced) return coerced;
      const { variables } = coerced;
      const compiled = find(variables);
      if (isPromise(compiled)) return compiled.then((found) => runOrRefuse(found, variables, context));
      return runOrRefuse(compiled, variables, context);
    },
    async subscribe(raw, context) {
      const coerced = coerce(raw);
      if ('errors' in coerced) return coerced;
      const found = await find(coerced.variables);
      if ('errors' in found) return found;
      if (found.subscribe === null) return wrongKind(`A ${operation.operation} cannot be subscribed to.`);
      return found.subscribe(coerced.variables, context);
    },
  };
}

function runOrRefuse(
  found: CompiledOperation | Refused,
  variables: Variables,
  context: SubgraphContext,
): ExecutionResult | Promise<ExecutionResult> {
  if ('errors' in found) return found;
  return found.run === null
    ? wrongKind('A subscription has to be subscribed to.')
    : found.run(variables, context);
}

/** Returns values of variables that include as many fields as possible; their plan represents the operation. */
export function primaryValues(analysed: AnalysedOperation): Variables {
  return Object.fromEntries(analysed.conditionVariables.map((name) => [name, true]));
}

/** Yields all other values, for which further plans may be needed. */
export function* otherValues({ conditionVariables: names }: AnalysedOperation): Generator<Variables> {
  for (let bits = 0; bits < 2 ** names.length - 1; bits++)
    yield Object.fromEntries(names.map((name, index) => [name, ((bits >> index) & 1) === 1]));
}

function createFind(
  names: readonly string[],
  primary: CompiledOperation,
  compileVariant: CompileVariant,
  max: number,
): Find {
  if (names.length === 0) return () => primary;
  const keyOf = (variables: Variables) =>
    names.map((name) => (variables[name] === true ? '1' : '0')).join('');
  const variants = new LRUCache<string, CompiledOperation | Promise<CompiledOperation | Refused>>({ max });
  variants.set('1'.repeat(names.length), primary);
  return (variables) => {
    const key = keyOf(variables);
    const known = variants.get(key);
    if (known !== undefined) return known;
    const values = Object.fromEntries(names.map((name) => [name, variables[name] === true]));
    const compiling = compileVariant(values).then(
      (compiled) => {
        variants.set(key, compiled);
        return compiled;
      },
      (error: unknown): Refused => {
        variants.delete(key);
        return { errors: [toPlanError(error)] };
      },
    );
    variants.set(key, compiling);
    return compiling;
  };
}

/** Returns the error of planning for the client; the planner's message is only logged. */
export function toPlanError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return withCode(error, 'QUERY_PLAN_FAILED');
  return new GraphQLError('The operation could not be planned.', {
    originalError: error instanceof Error ? error : new Error(String(error)),
    extensions: { code: 'QUERY_PLAN_FAILED' },
  });
}

function wrongKind(message: string): ExecutionResult {
  return { errors: [requestError(message, 'OPERATION_RESOLUTION_FAILURE')] };
}
