import { type QueryPlan, QueryPlanner } from '@graphql-hive/router-query-planner';
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Transport } from '../transport/Transport.ts';
import type { ObserveFetch } from './compileRequest.ts';
import type { Engine, Prepared, Refused } from './Engine.ts';
import { explainPlan } from './explainPlan.ts';
import { type PrepareContext, prepareOperation } from './prepareOperation.ts';
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
  /** Operations that `prepareAsync` keeps, least recently used ones leave first. Default 1,000. */
  readonly cachedOperations?: number | undefined;
}

const noLabels: ReadonlySet<string> = new Set<string>();
/** `@override(label: "percent(x)")` decides by this value; 50 is only a constant, so that plans are stable. */
const overridePercentage = 50;

/**
 * Builds the engine of one supergraph.
 *
 * @throws Error when the supergraph cannot be read or planned, or a subgraph has no transport: a router
 * refuses such a supergraph and keeps the one it has.
 */
export function createEngine(options: EngineOptions): Engine {
  const document = parse(options.supergraphSdl, { noLocation: true });
  const supergraph = buildASTSchema(document, { assumeValidSDL: true });
  const apiSchema = toApiSchema(document);
  const subgraphNames = subgraphNamesOf(document);
  const transports = new Map(Object.entries(options.transports));
  const missing = subgraphNames.filter((name) => !transports.has(name));
  if (missing.length > 0) throw new Error(`There is no transport for the subgraphs: ${missing.join(', ')}.`);

  const planner = new QueryPlanner(options.supergraphSdl);
  const context: PrepareContext = {
    apiSchema,
    supergraph,
    transports,
    conditions: createTypeConditions(supergraph),
    fieldNames: fieldNamesOf(supergraph),
    jit: options.jit ?? true,
    observeFetch: options.observeFetch,
  };
  const plans = new WeakMap<Prepared, readonly QueryPlan[]>();
  const cache = new LRUCache<string, Promise<Prepared | Refused>>({ max: options.cachedOperations ?? 1000 });
  const remember = (
    result: { prepared: Prepared; plans: readonly QueryPlan[] } | Refused,
  ): Prepared | Refused => {
    if ('errors' in result) return result;
    plans.set(result.prepared, result.plans);
    return result.prepared;
  };
  const prepareUncached = async (source: string | DocumentNode, operationName: string | null | undefined) => {
    const steps = prepareOperation(source, operationName, { ...context, eager: false });
    let step = steps.next();
    while (step.done !== true) {
      const text = step.value;
      step = await planner.planAsync(text, null, noLabels as Set<string>, overridePercentage).then(
        (plan) => steps.next(plan),
        (error: unknown) => steps.throw(error),
      );
    }
    return remember(step.value);
  };

  return {
    apiSchema,
    supergraph,
    subgraphNames,
    prepare(source, operationName) {
      const steps = prepareOperation(source, operationName, { ...context, eager: true });
      let step = steps.next();
      while (step.done !== true) step = planStep(planner, steps, step.value);
      return remember(step.value);
    },
    prepareAsync(source, operationName) {
      const key = `${operationName ?? ''}\n${typeof source === 'string' ? source : print(source)}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const preparing = prepareUncached(source, operationName);
      cache.set(key, preparing);
      // A refused operation is not kept: it costs little, and junk must not push good operations out.
      const forget = () => cache.peek(key) === preparing && cache.delete(key);
      preparing.then((result) => 'errors' in result && forget(), forget);
      return preparing;
    },
    explain: (prepared) => (plans.get(prepared) ?? []).map(explainPlan).join(''),
  };
}

function planStep(
  planner: QueryPlanner,
  steps: ReturnType<typeof prepareOperation>,
  text: string,
): ReturnType<ReturnType<typeof prepareOperation>['next']> {
  let plan: QueryPlan;
  try {
    plan = planner.plan(text, null, noLabels as Set<string>, overridePercentage);
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(plan);
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
    if (isInputObjectType(type) || !(isObjectType(type) || isInterfaceType(type))) continue;
    for (const name of Object.keys(type.getFields())) names.add(name);
  }
  return names;
}
