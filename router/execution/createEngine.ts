import type { QueryPlan } from '@graphql-hive/router-query-planner';
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql';
import { type CheckVariableLimits, compileVariableLimits } from '../limits/compileVariableLimits.ts';
import { type DocumentLimits, defaultLimits } from '../limits/DocumentLimits.ts';
import { combineRootFieldLimits } from '../limits/readRootFieldLimits.ts';
import type { Transport, Variables } from '../transport/Transport.ts';
import { type AnalysedOperation, analyseOperation, type CheckRootFields } from './analyseOperation.ts';
import { cachePrepared, type PreparedCacheOptions } from './cachePrepared.ts';
import type { OperationCompilation } from './compileFinish.ts';
import { type CompiledOperation, compileOperation } from './compileOperation.ts';
import type { ObserveFetch } from './compileRequest.ts';
import { createPrepared, otherValues, primaryValues, toPlanError } from './createPrepared.ts';
import type { Engine, Prepared, Refused } from './Engine.ts';
import { explainPlan } from './explainPlan.ts';
import { rootFieldsOf } from './filterRootFields.ts';
import { IsolatedPlanner, PlannerUnavailable } from './IsolatedPlanner.ts';
import { openPlanner, type PlannerOptions } from './openPlanner.ts';
import { assertSupported, readSubgraphs } from './readSubgraphs.ts';
import { withIncrementalDirectives } from './resolveConditions.ts';
import { createTypeConditions, type TypeConditions } from './TypeConditions.ts';
import { toApiSchema } from './toApiSchema.ts';

export type { Engine, Prepared } from './Engine.ts';

export interface EngineOptions extends PlannerOptions, PreparedCacheOptions {
  /** A composed supergraph (federation 2). */
  readonly supergraphSdl: string;
  /** By subgraph name, as in the supergraph's `join__Graph`. */
  readonly transports: Readonly<Record<string, Transport>>;
  /** False keeps local transports from compiling JavaScript from operations. Default true. */
  readonly jit?: boolean | undefined;
  /** Called around every fetch, for spans and histograms. */
  readonly observeFetch?: ObserveFetch | undefined;
  /** Limits of `prepareAsync` and of variables; null for none. Default `defaultLimits`. */
  readonly limits?: DocumentLimits | null | undefined;
  /**
   * Judges the root fields of an operation beyond its validity, aliases apart and whatever `@skip` says: the words of
   * its refusal, or null.
   */
  readonly checkRootFields?: CheckRootFields | undefined;
  /** Wraps every prepared operation, for spans and histograms; `isKnown`: it was known at start. */
  readonly observe?: ((prepared: Prepared, isKnown: boolean) => Prepared) | undefined;
}

type Compiling = Generator<string, CompiledOperation, QueryPlan>;

/** What one engine works with. */
interface Workshop {
  readonly options: EngineOptions;
  readonly supergraph: GraphQLSchema;
  readonly apiSchema: GraphQLSchema;
  readonly validationSchema: GraphQLSchema;
  readonly fieldNames: ReadonlySet<string>;
  readonly checkRootFields: CheckRootFields | undefined;
  readonly conditions: TypeConditions;
  readonly transports: ReadonlyMap<string, Transport>;
  readonly plan: (text: string) => QueryPlan;
  readonly isolated: IsolatedPlanner;
  readonly limits: DocumentLimits | null;
  /** Where the schema may not be asked for, refusals must not tell it name by name. */
  readonly hideSuggestions: boolean;
  readonly plansOf: WeakMap<Prepared, readonly QueryPlan[]>;
}

/**
 * Builds the engine of one supergraph.
 *
 * @throws Error when the supergraph cannot be read or planned, or a subgraph has no transport: a router
 * refuses such a supergraph and keeps the one it has. Of some broken supergraphs the native planner ends the
 * process instead; ask `probeSupergraph` first about one that is not part of the release.
 */
export function createEngine(options: EngineOptions): Engine {
  const document = parse(options.supergraphSdl, { noLocation: true });
  const supergraph = buildASTSchema(document, { assumeValidSDL: true });
  assertSupported(document);
  const subgraphNames = readSubgraphs(document).map(({ name }) => name);
  const transports = new Map(Object.entries(options.transports));
  const missing = subgraphNames.filter((name) => !transports.has(name));
  if (missing.length > 0) throw new Error(`There is no transport for the subgraphs: ${missing.join(', ')}.`);
  const apiSchema = toApiSchema(document);
  const { limits = defaultLimits } = options;
  const workshop: Workshop = {
    options,
    supergraph,
    apiSchema,
    validationSchema: withIncrementalDirectives(apiSchema),
    fieldNames: fieldNamesOf(supergraph),
    checkRootFields: options.checkRootFields,
    conditions: createTypeConditions(supergraph),
    transports,
    plan: openPlanner(options),
    isolated: new IsolatedPlanner({ supergraphSdl: options.supergraphSdl }),
    limits,
    hideSuggestions: limits?.introspection === false,
    plansOf: new WeakMap(),
  };
  return {
    apiSchema,
    supergraph,
    subgraphNames,
    prepare: (source, operationName) => prepareHere(workshop, source, operationName),
    prepareAsync: cachePrepared(
      (source, operationName) => prepareApart(workshop, source, operationName),
      options,
    ),
    explain: (prepared) => (workshop.plansOf.get(prepared) ?? []).map(explainPlan).join(''),
    close: () => workshop.isolated.close(),
  };
}

function prepareHere(
  workshop: Workshop,
  source: string | DocumentNode,
  operationName: string | null | undefined,
): Prepared | Refused {
  const analysed = analyseOperation(source, operationName, workshop, null);
  if ('errors' in analysed) return analysed;
  const { begin, finish } = createCompletion(workshop, analysed, true);
  try {
    return finish(planHere(workshop.plan, begin(primaryValues(analysed))));
  } catch (error) {
    return { errors: [toPlanError(error)] };
  }
}

async function prepareApart(
  workshop: Workshop,
  source: string | DocumentNode,
  operationName: string | null | undefined,
): Promise<Prepared | Refused> {
  const analysed = analyseOperation(source, operationName, workshop, workshop.limits);
  if ('errors' in analysed) return analysed;
  const { begin, finish } = createCompletion(workshop, analysed, false);
  try {
    return finish(await planApart(workshop, begin(primaryValues(analysed))));
  } catch (error) {
    return { errors: [toPlanError(error)] };
  }
}

/** The steps after the analysis. Operations of our own (`eager`) are planned in this process. */
function createCompletion(workshop: Workshop, analysed: AnalysedOperation, eager: boolean) {
  const { apiSchema, supergraph, plan, options } = workshop;
  const { operation, source } = analysed;
  const rootFields = [...new Set(rootFieldsOf(source, operation).map((field) => field.name.value))];
  const rootFieldLimits = combineRootFieldLimits(supergraph, operation.operation, rootFields);
  const compilation: OperationCompilation = {
    ...workshop,
    variableNames: (operation.variableDefinitions ?? []).map(
      ({ variable: { name } }) => analysed.safeVariables.get(name.value) ?? name.value,
    ),
    options: { eager, jit: options.jit, timeoutMs: rootFieldLimits.timeoutMs },
    observeFetch: options.observeFetch,
  };
  const begin = (values: Variables): Compiling => compileOperation(analysed, values, compilation);
  const finish = (primary: CompiledOperation): Prepared => {
    const created = createPrepared({
      analysed,
      primary,
      compileVariant: (values) =>
        eager ? planHere(plan, begin(values)) : planApart(workshop, begin(values)),
      apiSchema,
      rootFields,
      rootFieldLimits,
      keptVariants: eager ? 16 : 4,
      checkVariables: createVariableCheck(workshop, analysed, eager),
      hideSuggestions: workshop.hideSuggestions,
    });
    const prepared = options.observe?.(created, eager) ?? created;
    workshop.plansOf.set(prepared, primary.plans);
    if (eager && options.onPlan !== undefined)
      for (const values of otherValues(analysed)) planHere(plan, begin(values));
    return prepared;
  };
  return { begin, finish };
}

function createVariableCheck(
  { limits, apiSchema, supergraph }: Workshop,
  { source, operation }: AnalysedOperation,
  eager: boolean,
): CheckVariableLimits | null {
  if (limits === null) return null;
  // The author of a document of our own answers for the size of its answer.
  const applied = eager ? { ...limits, nodes: Number.POSITIVE_INFINITY } : limits;
  return compileVariableLimits(source, operation, apiSchema, supergraph, applied);
}

function planHere(plan: Workshop['plan'], compiling: Compiling): CompiledOperation {
  let step = compiling.next();
  while (step.done !== true) step = compiling.next(plan(step.value));
  return step.value;
}

async function planApart({ isolated, options }: Workshop, compiling: Compiling): Promise<CompiledOperation> {
  const { findPlan, nativePlanner } = options;
  let step = compiling.next();
  while (step.done !== true) {
    const known = findPlan?.(step.value);
    if (known === undefined && nativePlanner === false) throw new PlannerUnavailable();
    // Each plan decides whether another one is needed.
    step = compiling.next(known ?? (await isolated.plan(step.value)));
  }
  return step.value;
}

function fieldNamesOf(schema: GraphQLSchema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const name of Object.keys(type.getFields())) names.add(name);
  }
  return names;
}
