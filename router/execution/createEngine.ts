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
import { cachePrepared, type PreparedCacheOptions } from './cachePrepared.ts';
import type { OperationCompilation } from './compile/compileFinish.ts';
import { compileOperation } from './compile/compileOperation.ts';
import type { ObserveFetch } from './compile/compileRequest.ts';
import { createTypeConditions, type TypeConditions } from './compile/TypeConditions.ts';
import { createPrepared, otherValues, primaryValues, toPlanError } from './createPrepared.ts';
import type { Engine, Prepared, Refused } from './Engine.ts';
import {
  type AnalysedOperation,
  analyseOperation,
  type CheckRootFields,
} from './operation/analyseOperation.ts';
import { rootFieldsOf } from './operation/filterRootFields.ts';
import { withIncrementalDirectives } from './operation/resolveConditions.ts';
import { explainPlan } from './planner/explainPlan.ts';
import { IsolatedPlanner } from './planner/IsolatedPlanner.ts';
import type { Planner } from './planner/Planner.ts';
import { assertSupported, readSubgraphs } from './readSubgraphs.ts';
import { toApiSchema } from './toApiSchema.ts';

export type { Engine, Prepared } from './Engine.ts';

export interface EngineOptions extends PreparedCacheOptions {
  /** A composed supergraph (federation 2). */
  readonly supergraphSdl: string;
  /** Closed with the engine. Default: an `IsolatedPlanner`. */
  readonly planner?: Planner | undefined;
  /** Whether known operations are planned for every combination of their conditions, for a file of plans. */
  readonly plansEveryVariant?: boolean | undefined;
  /** Transports by subgraph name, as in the supergraph's `join__Graph`. */
  readonly transports: Readonly<Record<string, Transport>>;
  /** Whether local transports may compile operations to JavaScript. True by default. */
  readonly jit?: boolean | undefined;
  /** Called around every fetch, for spans and histograms. */
  readonly observeFetch?: ObserveFetch | undefined;
  /** Limits of `prepare` and of variables; null for none. `defaultLimits` by default. */
  readonly limits?: DocumentLimits | null | undefined;
  /**
   * Checks the root fields of a valid operation, without aliases and regardless of `@skip`. Returns the message of the
   * refusal, or null.
   */
  readonly checkRootFields?: CheckRootFields | undefined;
  /** Wraps every prepared operation, for spans and histograms; `isKnown`: it was known at start. */
  readonly observe?: ((prepared: Prepared, isKnown: boolean) => Prepared) | undefined;
}

/** Parts of an engine. */
interface Workshop {
  readonly options: EngineOptions;
  readonly supergraph: GraphQLSchema;
  readonly apiSchema: GraphQLSchema;
  readonly validationSchema: GraphQLSchema;
  readonly fieldNames: ReadonlySet<string>;
  readonly checkRootFields: CheckRootFields | undefined;
  readonly conditions: TypeConditions;
  readonly transports: ReadonlyMap<string, Transport>;
  readonly planner: Planner;
  readonly limits: DocumentLimits | null;
  /** Whether errors must not reveal names of the schema, because introspection is off. */
  readonly hideSuggestions: boolean;
  readonly plansOf: WeakMap<Prepared, readonly QueryPlan[]>;
}

/**
 * Builds the engine of one supergraph.
 *
 * @throws Error if the supergraph is invalid, or a subgraph has no transport; a router then keeps its current
 *   supergraph. Whether it can be planned is known when the first operation is prepared.
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
  const { supergraphSdl, limits = defaultLimits, planner = new IsolatedPlanner({ supergraphSdl }) } = options;
  const workshop: Workshop = {
    options,
    supergraph,
    apiSchema,
    validationSchema: withIncrementalDirectives(apiSchema),
    fieldNames: fieldNamesOf(supergraph),
    checkRootFields: options.checkRootFields,
    conditions: createTypeConditions(supergraph),
    transports,
    planner,
    limits,
    hideSuggestions: limits?.introspection === false,
    plansOf: new WeakMap(),
  };
  return {
    apiSchema,
    supergraph,
    subgraphNames,
    prepareKnown: (source, operationName) => prepare(workshop, source, operationName, true),
    prepare: cachePrepared(
      (source, operationName) => prepare(workshop, source, operationName, false),
      options,
    ),
    explain: (prepared) => (workshop.plansOf.get(prepared) ?? []).map(explainPlan).join(''),
    close: () => planner.close(),
  };
}

/**
 * Prepares an operation.
 *
 * @param isKnown the operation is known at start: its document is not limited, and it is compiled eagerly
 */
async function prepare(
  workshop: Workshop,
  source: string | DocumentNode,
  operationName: string | null | undefined,
  isKnown: boolean,
): Promise<Prepared | Refused> {
  const analysed = analyseOperation(source, operationName, workshop, isKnown ? null : workshop.limits);
  if ('errors' in analysed) return analysed;
  try {
    return await planAndCompile(workshop, analysed, isKnown);
  } catch (error) {
    return { errors: [toPlanError(error)] };
  }
}

async function planAndCompile(
  workshop: Workshop,
  analysed: AnalysedOperation,
  isKnown: boolean,
): Promise<Prepared> {
  const { apiSchema, supergraph, planner, options } = workshop;
  const { operation, source } = analysed;
  const rootFields = [...new Set(rootFieldsOf(source, operation).map((field) => field.name.value))];
  const rootFieldLimits = combineRootFieldLimits(supergraph, operation.operation, rootFields);
  const compilation: OperationCompilation = {
    ...workshop,
    variableNames: (operation.variableDefinitions ?? []).map(
      ({ variable: { name } }) => analysed.safeVariables.get(name.value) ?? name.value,
    ),
    options: { eager: isKnown, jit: options.jit, timeoutMs: rootFieldLimits.timeoutMs },
    observeFetch: options.observeFetch,
  };
  const compileVariant = (values: Variables) => compileOperation(analysed, values, compilation, planner);
  const primary = await compileVariant(primaryValues(analysed));
  const created = createPrepared({
    analysed,
    primary,
    compileVariant,
    apiSchema,
    rootFields,
    rootFieldLimits,
    keptVariants: isKnown ? 16 : 4,
    checkVariables: createVariableCheck(workshop, analysed, isKnown),
    hideSuggestions: workshop.hideSuggestions,
  });
  const prepared = options.observe?.(created, isKnown) ?? created;
  workshop.plansOf.set(prepared, primary.plans);
  if (isKnown && options.plansEveryVariant)
    for (const values of otherValues(analysed)) await compileVariant(values);
  return prepared;
}

function createVariableCheck(
  { limits, apiSchema, supergraph }: Workshop,
  { source, operation }: AnalysedOperation,
  isKnown: boolean,
): CheckVariableLimits | null {
  if (limits === null) return null;
  // The authors of built-in documents are responsible for the size of their responses.
  const applied = isKnown ? { ...limits, nodes: Number.POSITIVE_INFINITY } : limits;
  return compileVariableLimits(source, operation, apiSchema, supergraph, applied);
}

function fieldNamesOf(schema: GraphQLSchema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const name of Object.keys(type.getFields())) names.add(name);
  }
  return names;
}
