import type { IncomingMessage } from 'node:http';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Guard } from '../schema/guards/readGuard.ts';
import { recordDenial } from '../subgraphs/platform/audit/recordDenial.ts';
import { recordOperatorUse } from '../subgraphs/platform/audit/recordOperatorUse.ts';
import { assertGuard, needsFreshPrincipal } from '../subgraphs/platform/auth/checkGuard.ts';
import type { ConcurrencyLimit } from '../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import { toRateHeaders } from '../subgraphs/platform/context/Budget.ts';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { toPublicError } from '../subgraphs/platform/errors/toPublicError.ts';
import { isIssuerRoot } from '../subgraphs/platform/installation/issuerRoot.ts';
import type { Identity } from '../subgraphs/platform/principal/Identity.ts';
import type { Telemetry } from '../subgraphs/platform/telemetry/Telemetry.ts';
import { type Bounds, boundPrepared } from './boundPrepared.ts';
import { checkExclusive } from './checkExclusive.ts';
import { createEngine } from './execution/createEngine.ts';
import type { Engine, Prepared } from './execution/Engine.ts';
import { type Planner, PlannerUnavailable } from './execution/planner/Planner.ts';
import { type ContextOptions, type OpenOptions, openContext } from './http/openContext.ts';
import { defaultLimits } from './limits/DocumentLimits.ts';
import { observePrepared } from './observePrepared.ts';
import { type RootGuards, readRootGuards } from './rootGuards.ts';
import type { Transport } from './transport/Transport.ts';
import { countPrepared } from './usage/countPrepared.ts';

/** Parts of a router. */
export interface RouterOptions extends ContextOptions {
  /** Text of the composed schema. */
  supergraphSdl: string;
  /** Query planner; closed with the router. */
  planner: Planner;
  /** Transports by name of the subgraph in the supergraph. */
  transports: Readonly<Record<string, Transport>>;
  /** Off where code generation from strings is forbidden. */
  jit?: boolean;
  /** Whether clients may ask for the schema. */
  introspection?: boolean;
  /** Concurrent executions; all routers of a process share one limit. */
  limit: ConcurrencyLimit;
  /** Maximum duration of an execution in milliseconds; 10,000 by default. */
  requestTimeoutMs?: number | undefined;
}

/** Router of the product: checks the caller, then plans and executes the operation. */
export interface Router {
  readonly engine: Engine;
  readonly apiSchema: GraphQLSchema;
  readonly supergraph: GraphQLSchema;
  readonly log: Logger;
  /** Whether clients may ask for the schema. */
  readonly introspection: boolean;
  /** Returns whether the next request is to be rejected before its caller is identified. */
  isFull(): boolean;
  /** Validates, plans and compiles a known operation at start. */
  prepare(document: DocumentNode, operationName: string): Promise<Prepared>;
  openContext(request: IncomingMessage, options: OpenOptions): RequestContext;
  /** Identifies the caller; the request counts as in progress during this time. */
  identify(context: RequestContext, fresh?: boolean): Identity | Promise<Identity>;
  /** Requires only an accepted identity of this installation. */
  authenticate(context: RequestContext): void | Promise<void>;
  /** Checks the static guards of the operation's root fields, before the body is read and variables are coerced. */
  authorize(prepared: Prepared, context: RequestContext): void | Promise<void>;
  /**
   * Checks the demands of an operation of the service that no root field states. The use by an operator is recorded.
   */
  admit(guard: Guard, action: string, context: RequestContext): Promise<void>;
  installationIdOf(context: RequestContext): string;
  realmOf(context: RequestContext): string;
  baseUrlOf(context: RequestContext): string;
  isIssuerRoot(context: RequestContext): boolean;
  /** Returns further headers of the response: repetition and rate limits. */
  answerOf(context: RequestContext): AnswerNotes;
  close(): Promise<void>;
}

/** Notes of an execution for the headers of its response. */
export interface AnswerNotes {
  idempotentReplayed?: boolean;
  rateLimit?: string;
  rateLimitPolicy?: string;
  /** Value of `Server-Timing`. */
  serverTiming?: string;
}

/**
 * Any accepted identity. API clients, suspended accounts and accounts without a second factor get the same answer for
 * unknown paths as every caller.
 */
const anyIdentity: Guard = {
  authenticated: true,
  clientScope: '*',
  allowedStates: ['suspended', 'deletion_scheduled'],
  allowsWithoutMfa: true,
};

/**
 * Builds the router of a supergraph.
 *
 * @throws Error when the supergraph cannot be read, or has a root field without a guard
 */
export function createRouter(options: RouterOptions): Router {
  const { transports, limit, requestTimeoutMs, ...contextOptions } = options;
  const identify = countLookups(limit);
  const engine = openEngine(options, { limit, timeoutMs: requestTimeoutMs });
  const guards = readRootGuards(engine.supergraph);
  return {
    engine,
    apiSchema: engine.apiSchema,
    supergraph: engine.supergraph,
    log: contextOptions.platform.log,
    introspection: options.introspection ?? true,
    isFull: () => limit.isFull,
    identify,
    async prepare(document, operationName) {
      const prepared = await engine.prepareKnown(document, operationName);
      if ('errors' in prepared) throw refusal(operationName, prepared.errors);
      return prepared;
    },
    openContext: (request, options) => openContext(request, options, contextOptions),
    authenticate: (context) =>
      judge(identify, context, false, (identity) => assertGuard(anyIdentity, identity, context)),
    authorize: createAuthorize(guards, identify),
    async admit(guard, action, context) {
      await judge(identify, context, needsFreshPrincipal(guard), (identity) =>
        assertCaller(action, guard, identity, context),
      );
      if (context.viewerOrNull?.isOperator) await recordOperatorUse(context, action);
    },
    installationIdOf: (context) => context.installationId,
    realmOf: (context) => context.installation.id,
    baseUrlOf: (context) => context.installation.baseUrl,
    isIssuerRoot: ({ installation }) => isIssuerRoot(installation),
    answerOf,
    async close() {
      engine.close();
      for (const transport of Object.values(transports)) await transport.close?.();
    },
  };
}

/** Returns an engine with limited executions, which are measured if telemetry is on. */
function openEngine(
  { supergraphSdl, transports, jit = true, introspection = true, planner, platform }: RouterOptions,
  bounds: Bounds,
): Engine {
  const { telemetry, usage } = platform;
  const engine: Engine = createEngine({
    supergraphSdl,
    transports,
    jit,
    planner,
    limits: { ...defaultLimits, introspection },
    observe(prepared, isKnown) {
      const counted = usage
        ? countPrepared(prepared, { ledger: usage, schema: () => engine.apiSchema, isKnown })
        : prepared;
      return measured(boundPrepared(counted, bounds), isKnown, telemetry);
    },
    ...(telemetry && { onPlanLookup: (lookup) => telemetry.notePlan(lookup) }),
    checkRootFields: (type, names) => checkExclusive(engine.supergraph, type, names),
  });
  return engine;
}

function measured(prepared: Prepared, isKnown: boolean, telemetry: Telemetry | undefined): Prepared {
  return telemetry ? observePrepared(prepared, isKnown, telemetry) : prepared;
}

function answerOf({ answer: { idempotentReplayed, rates, timings } }: RequestContext): AnswerNotes {
  return {
    ...(idempotentReplayed ? { idempotentReplayed } : {}),
    ...(rates ? toRateHeaders(rates) : {}),
    ...(timings ? { serverTiming: toServerTiming(timings) } : {}),
  };
}

function toServerTiming(timings: Readonly<Record<string, number>>): string {
  return Object.entries(timings)
    .map(([part, milliseconds]) => `${part};dur=${milliseconds}`)
    .join(', ');
}

/**
 * Counts requests while their caller is identified, because in a cold process many lookups precede the first execution.
 */
function countLookups(limit: ConcurrencyLimit): Router['identify'] {
  return (context, fresh) => {
    const identity = context.identify(fresh);
    return identity instanceof Promise ? limit.duringLookup(identity) : identity;
  };
}

function createAuthorize(guards: RootGuards, identify: Router['identify']): Router['authorize'] {
  const demands = new WeakMap<Prepared, Demand>();
  return (prepared, context) => {
    let demand = demands.get(prepared);
    if (!demand) {
      demand = demandOf(prepared, guards);
      demands.set(prepared, demand);
    }
    const { fields, isFresh } = demand;
    return judge(identify, context, isFresh, (identity) => {
      for (const { name, guard } of fields) assertCaller(name, guard, identity, context);
    });
  };
}

/** Demands of an operation on its caller. */
interface Demand {
  readonly fields: readonly { readonly name: string; readonly guard: Guard }[];
  readonly isFresh: boolean;
}

function demandOf({ operationType, rootFields }: Prepared, guards: RootGuards): Demand {
  const fields = rootFields.flatMap((name) => {
    const guard = guards[operationType].get(name);
    return guard ? [{ name, guard }] : [];
  });
  return { fields, isFresh: fields.some(({ guard }) => needsFreshPrincipal(guard)) };
}

function assertCaller(name: string, guard: Guard, identity: Identity, context: RequestContext): void {
  try {
    assertGuard(guard, identity, context);
  } catch (error) {
    recordDenial(context, name, error);
    throw error;
  }
}

/**
 * Checks the caller. An error during the identification is reported like an error of a field: 503 for the database,
 * masked for a bug.
 */
function judge(
  identify: Router['identify'],
  context: RequestContext,
  fresh: boolean,
  assert: (identity: Identity) => void,
): void | Promise<void> {
  const identity = identify(context, fresh);
  if (!(identity instanceof Promise)) return assert(identity);
  const { platform, requestId } = context;
  return identity
    .catch((error: unknown) => {
      throw toPublicError(error, platform.log, { requestId });
    })
    .then(assert);
}

function refusal(operationName: string, errors: readonly GraphQLError[]): Error {
  if (errors[0] instanceof PlannerUnavailable)
    return new Error(
      `there is no planner for this machine and no plan of "${operationName}". Write the plans of this supergraph with "npm run plans" on a machine that has a planner.`,
    );
  // The planner's message, if planning failed.
  const reasons = errors.map(({ message, originalError }) => originalError?.message ?? message);
  return new Error(`The operation "${operationName}" does not match the supergraph: ${reasons.join('; ')}`);
}
