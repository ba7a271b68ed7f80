import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Outcome, PlanLookup, Work } from '../../subgraphs/platform/telemetry/Telemetry.ts';

/** Buckets in seconds, from the duration of a cached response to the deadline of a request. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const commandBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Labels of a command of the driver. */
export interface CommandLabels {
  readonly command: string;
  readonly collection: string;
}

/** Counters and histograms of this process, in the text format of Prometheus. */
export type Metrics = ReturnType<typeof openMetrics>;

/**
 * Opens a separate registry, so that several can exist in one process.
 *
 * @param openStreams returns the number of open event streams
 */
export function openMetrics(openStreams: () => number) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const {
    requests,
    inFlight,
    operations,
    fetches,
    commands,
    plans,
    usageOverflow,
    connectionWait,
    catalogLag,
  } = createInstruments(registry, openStreams);
  return {
    requestBegun: () => inFlight.inc(),
    requestEnded(route: string, method: string, status: number, seconds: number): void {
      inFlight.dec();
      requests.observe(
        { route, method: knownMethods.has(method) ? method : 'OTHER', status: String(status) },
        seconds,
      );
    },
    observed(work: Work, outcome: Outcome, seconds: number): void {
      if (work.kind === 'fetch')
        fetches.observe({ subgraph: work.subgraph, type: work.type, outcome }, seconds);
      else operations.observe({ operation: work.operation, type: work.type, outcome }, seconds);
    },
    commandEnded({ command, collection }: CommandLabels, outcome: 'ok' | 'failed', seconds: number): void {
      commands.observe({ command, collection, outcome }, seconds);
    },
    connectionAwaited: (seconds: number) => connectionWait.observe(seconds),
    planLookedUp: (result: PlanLookup) => plans.inc({ result }),
    usageOverflowed: (executions: number) => usageOverflow.inc(executions),
    catalogLagged: (seconds: number) => catalogLag.set(seconds),
    contentType: registry.contentType,
    toText: () => registry.metrics(),
  };
}

function createInstruments(registry: Registry, openStreams: () => number) {
  const registers = [registry];
  const streams = new Gauge({
    name: 'trigate_event_streams',
    help: 'Open server-sent event responses and WebSocket connections',
    registers,
    collect(this: Gauge): void {
      this.set(openStreams());
    },
  });
  return {
    streams,
    requests: new Histogram({
      name: 'trigate_http_request_duration_seconds',
      help: 'Time from the request head to the end of the response, by route template',
      labelNames: ['route', 'method', 'status'],
      buckets: requestBuckets,
      registers,
    }),
    inFlight: new Gauge({
      name: 'trigate_http_requests_in_flight',
      help: 'Requests in progress',
      registers,
    }),
    operations: new Histogram({
      name: 'trigate_operation_duration_seconds',
      help: 'Executions of the router; operations sent by clients have the name ad_hoc',
      labelNames: ['operation', 'type', 'outcome'],
      buckets: requestBuckets,
      registers,
    }),
    fetches: new Histogram({
      name: 'trigate_fetch_duration_seconds',
      help: 'Subgraph requests of query plans, in this process or over HTTP',
      labelNames: ['subgraph', 'type', 'outcome'],
      buckets: requestBuckets,
      registers,
    }),
    commands: new Histogram({
      name: 'trigate_database_command_duration_seconds',
      help: 'Commands of the MongoDB driver, without waiting change streams',
      labelNames: ['command', 'collection', 'outcome'],
      buckets: commandBuckets,
      registers,
    }),
    plans: new Counter({
      name: 'trigate_plan_cache_lookups_total',
      help: 'Operations of clients whose plan was cached (hit) or not (miss)',
      labelNames: ['result'],
      registers,
    }),
    usageOverflow: new Counter({
      name: 'trigate_usage_overflow_total',
      help: 'Executions that the usage ledger counted as (other), because of its limits',
      registers,
    }),
    connectionWait: createConnectionWait(registers),
    catalogLag: createCatalogLag(registers),
  };
}

function createConnectionWait(registers: Registry[]): Histogram {
  return new Histogram({
    name: 'trigate_database_connection_wait_seconds',
    help: 'Waits for a connection of the pool of the MongoDB driver, also those that failed',
    buckets: commandBuckets,
    registers,
  });
}

function createCatalogLag(registers: Registry[]): Gauge {
  return new Gauge({
    name: 'trigate_catalog_lag_seconds',
    help: 'Age of the oldest change when it was written to OpenSearch, or the time since it accepted changes',
    registers,
  });
}
