import { type QueryPlan, QueryPlanner } from '@graphql-hive/router-query-planner';
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Transport, Variables } from '../transport/Transport.ts';
import { type AnalysedOperation, analyseOperation } from './analyseOperation.ts';
import { type CompiledOperation, compileOperation, type OperationCompilation } from './compileOperation.ts';
import type { ObserveFetch } from './compileRequest.ts';
import { createIsolatedPlanner } from './createIsolatedPlanner.ts';
import { createPrepared, primaryValues, toPlanError } from './createPrepared.ts';
import type { Engine, Prepared, Refused } from './Engine.ts';
import { explainPlan } from './explainPlan.ts';
import { overridePercentage } from './overridePercentage.ts';
import { createTypeConditions } from './TypeConditions.ts';
import { toApiSchema } from './toApiSchema.ts';

export type { Engine, Prepared, Refused } from './Engine.ts';

export interface EngineOptions {
  /** A composed supergraph (federation 2). */
  readonly supergraphSdl: string;
  /** By subgraph name, as in the supergraph's `join__Graph`. */
  readonly transports: Readonly<Record<string, Transport>>;
  /** False keeps local transports from compiling JavaScript from operations. Default true. */
  readonly jit?: boolean | undefined;
  /** Called around every fetch, for spans and histograms. */
  readonly observeFetch?: ObserveFetch | undefined;
  /** Operations that `prepareAsync` keeps, least recently used ones leave first. Default 500. */
  readonly cachedOperations?: number | undefined;
}

type Compiling = Generator<string, CompiledOperation, QueryPlan>;

/**
 * Builds the engine of one supergraph.
 *
 * @throws Error when the supergraph cannot be read or planned, or a subgraph has no transport: a router
 * refuses such a supergraph and keeps the one it has.
 */
export function createEngine(options: EngineOptions): Engine {
  const { supergraphSdl } = options;
  const document = parse(supergraphSdl, { noLocation: true });
  const supergraph = buildASTSchema(document, { assumeValidSDL: true });
  const apiSchema = toApiSchema(document);
  const subgraphNames = subgraphNamesOf(document);
  const transports = new Map(Object.entries(options.transports));
  const missing = subgraphNames.filter((name) => !transports.has(name));
  if (missing.length > 0) throw new Error(`There is no transport for the subgraphs: ${missing.join(', ')}.`);

  const planner = new QueryPlanner(supergraphSdl);
  const isolated = createIsolatedPlanner({ supergraphSdl });
  const fieldNames = fieldNamesOf(supergraph);
  const conditions = createTypeConditions(supergraph);
  const plansOf = new WeakMap<Prepared, readonly QueryPlan[]>();

  const beginCompiling = (analysed: AnalysedOperation, values: Variables, eager: boolean): Compiling => {
    const definitions = analysed.operation.variableDefinitions ?? [];
    const compilation: OperationCompilation = {
      supergraph,
      apiSchema,
      conditions,
      transports,
      variableNames: definitions.map((node) => node.variable.name.value),
      options: { eager, jit: options.jit },
      observeFetch: options.observeFetch,
    };
    return compileOperation(analysed, values, compilation);
  };
  const finish = (analysed: AnalysedOperation, primary: CompiledOperation, eager: boolean): Prepared => {
    const compileVariant = (values: Variables) => {
      const compiling = beginCompiling(analysed, values, eager);
      return eager ? planHere(planner, compiling) : planWith(isolated.plan, compiling);
    };
    const prepared = createPrepared(analysed, primary, compileVariant, apiSchema);
    plansOf.set(prepared, primary.plans);
    return prepared;
  };
  const prepareUncached = async (source: string | DocumentNode, operationName: string | null | undefined) => {
    const analysed = analyseOperation(source, operationName, apiSchema, fieldNames);
    if ('errors' in analysed) return analysed;
    try {
      const compiling = beginCompiling(analysed, primaryValues(analysed), false);
      return finish(analysed, await planWith(isolated.plan, compiling), false);
    } catch (error) {
      return { errors: [toPlanError(error)] };
    }
  };

  return {
    apiSchema,
    supergraph,
    subgraphNames,
    prepare(source, operationName) {
      const analysed = analyseOperation(source, operationName, apiSchema, fieldNames);
      if ('errors' in analysed) return analysed;
      try {
        const compiling = beginCompiling(analysed, primaryValues(analysed), true);
        return finish(analysed, planHere(planner, compiling), true);
      } catch (error) {
        return { errors: [toPlanError(error)] };
      }
    },
    prepareAsync: createCachedPrepare(prepareUncached, options.cachedOperations ?? 500),
    explain: (prepared) => (plansOf.get(prepared) ?? []).map(explainPlan).join(''),
    close: () => isolated.close(),
  };
}

function planHere(planner: QueryPlanner, compiling: Compiling): CompiledOperation {
  let step = compiling.next();
  while (step.done !== true) {
    step = compiling.next(planner.plan(step.value, null, new Set(), overridePercentage));
  }
  return step.value;
}

async function planWith(
  plan: (text: string) => Promise<QueryPlan>,
  compiling: Compiling,
): Promise<CompiledOperation> {
  let step = compiling.next();
  // Each plan decides whether another one is needed.
  while (step.done !== true) step = compiling.next(await plan(step.value));
  return step.value;
}

function createCachedPrepare(
  prepare: (source: string | DocumentNode, name: string | null | undefined) => Promise<Prepared | Refused>,
  max: number,
): Engine['prepareAsync'] {
  const cache = new LRUCache<string, Promise<Prepared | Refused>>({ max });
  return (source, operationName) => {
    const key = `${operationName ?? ''}\n${typeof source === 'string' ? source : print(source)}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const preparing = prepare(source, operationName);
    cache.set(key, preparing);
    // A refused operation is not kept: it costs little, and junk must not push good operations out.
    const forget = () => {
      if (cache.peek(key) === preparing) cache.delete(key);
    };
    preparing.then((result) => 'errors' in result && forget(), forget);
    return preparing;
  };
}

/** Reads `enum join__Graph { IDENTITY @join__graph(name: "identity", url: "…") }`. */
function subgraphNamesOf(document: DocumentNode): string[] {
  const names: string[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== 'join__Graph') continue;
    for (const value of definition.values ?? []) {
      const directive = value.directives?.find((node) => node.name.value === 'join__graph');
      const name = directive?.arguments?.find((argument) => argument.name.value === 'name')?.value;
      if (name?.kind === Kind.STRING) names.push(name.value);
    }
  }
  return names;
}

function fieldNamesOf(schema: GraphQLSchema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const name of Object.keys(type.getFields())) names.add(name);
  }
  return names;
}
