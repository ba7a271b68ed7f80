import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Outcome, Telemetry, Work } from '../../subgraphs/platform/telemetry/Telemetry.ts';
import type { Metrics } from './openMetrics.ts';
import type { OpenSpan, Tracing } from './openTracing.ts';

/** Receivers of measurements; at least one of them. */
export interface Sinks {
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  /** Gets one line a request at `info`, and one an operation and a fetch at `debug`. */
  readonly log: Logger;
}

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;
const toMs = (seconds: number): number => Math.round(seconds * 1e5) / 100;

/** Creates telemetry that measures once for all sinks, so that they agree. */
export function createTelemetry({ metrics, tracing, log }: Sinks): Telemetry {
  const routes = new WeakMap<ServerResponse, string>();
  return {
    serve(request, response, handle) {
      const begun = performance.now();
      const span = tracing?.beginRequest(request.method ?? '', request.headers);
      metrics?.requestBegun();
      response.once('close', () => {
        const route = routes.get(response) ?? 'none';
        const seconds = secondsSince(begun);
        metrics?.requestEnded(route, request.method ?? '', response.statusCode, seconds);
        logRequest(log, { request, response, route, seconds, span });
        endRequest(span, { request, response, route });
      });
      if (span) span.within(handle);
      else handle();
    },
    nameRoute: (response, template) => void routes.set(response, template),
    observe: (work, requestId, outcomeOf, run) => {
      const begun = performance.now();
      const span = tracing?.begin(...spanOf(work));
      const note = (outcome: Outcome): void => {
        const seconds = secondsSince(begun);
        metrics?.observed(work, outcome, seconds);
        span?.end({}, outcome === 'ok' ? undefined : outcome);
        log.debug({ requestId, ...work, outcome, ms: toMs(seconds) }, 'executed');
      };
      const result = span ? span.within(run) : run();
      if (!(result instanceof Promise)) {
        note(outcomeOf(result));
        return result;
      }
      return result.then(
        (settled) => {
          note(outcomeOf(settled));
          return settled;
        },
        (error: unknown) => {
          note('failed');
          throw error;
        },
      );
    },
    notePlan: (lookup) => metrics?.planLookedUp(lookup),
    noteUsageOverflow: (executions) => metrics?.usageOverflowed(executions),
    noteCatalogLag: (seconds) => metrics?.catalogLagged(seconds),
    outgoingHeaders: () => tracing?.outgoingHeaders() ?? {},
  };
}

function spanOf(work: Work): Parameters<Tracing['begin']> {
  if (work.kind === 'fetch') {
    const attributes = { 'trigate.subgraph': work.subgraph, 'graphql.operation.type': work.type };
    return [`fetch ${work.subgraph}`, 'outgoing', attributes];
  }
  const { operation, type, planHash } = work;
  return [
    `${type} ${operation}`,
    'inner',
    {
      'graphql.operation.name': operation,
      'graphql.operation.type': type,
      'trigate.plan_hash': planHash,
    },
  ];
}

interface Ended {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: string;
}

/** Logs a request with the template of the path instead of the path, because a link to a file grants access to it. */
function logRequest(
  log: Logger,
  { request, response, route, seconds, span }: Ended & { seconds: number; span: OpenSpan | undefined },
): void {
  if (!log.isLevelEnabled('info')) return;
  const line = {
    requestId: response.getHeader('x-request-id'),
    method: request.method,
    route,
    status: response.statusCode,
    ms: toMs(seconds),
    ...(span && { traceId: span.traceId }),
    ...(!response.writableFinished && { left: true }),
  };
  log.info(line, 'answered');
}

function endRequest(span: OpenSpan | undefined, { request, response, route }: Ended): void {
  if (span === undefined) return;
  const { statusCode } = response;
  const requestId = response.getHeader('x-request-id');
  span.rename(`${request.method} ${route}`, {});
  span.end(
    {
      'http.request.method': request.method ?? '',
      'http.route': route,
      'http.response.status_code': statusCode,
      ...(typeof requestId === 'string' && { 'trigate.request_id': requestId }),
    },
    statusCode >= 500 ? String(statusCode) : undefined,
  );
}
