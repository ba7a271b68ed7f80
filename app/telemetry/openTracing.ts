import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** A span in progress. */
export interface OpenSpan {
  /** Work inside becomes its child. */
  within<T>(run: () => T): T;
  rename(name: string, attributes: Attributes): void;
  /**
   * Ends the span.
   *
   * @param failure one of a fixed set of words; undefined if the work succeeded
   */
  end(attributes: Attributes, failure?: string): void;
  readonly traceId: string;
}

/** Spans of this process. */
export interface Tracing {
  /** Starts the span of a request, a child of the client's `traceparent`. */
  beginRequest(method: string, headers: IncomingHttpHeaders): OpenSpan;
  /** Starts a child of the current span. */
  begin(name: string, kind: 'inner' | 'outgoing', attributes: Attributes): OpenSpan;
  /** Returns whether a span is in progress; background work has no spans. */
  isActive(): boolean;
  outgoingHeaders(): Readonly<Record<string, string>>;
  /** Sends the buffered spans. */
  close(): Promise<void>;
}

/** Only the trace context is forwarded, because baggage is free text of a client. */
const traceHeaders = ['traceparent', 'tracestate'] as const;

/**
 * Opens tracing to a collector with OTLP over HTTP. Address, headers, sampler and resource attributes are configured as
 * in the OpenTelemetry specification (`OTEL_EXPORTER_OTLP_…`, `OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES`).
 *
 * @param serviceName name of this process at the collector, unless `OTEL_SERVICE_NAME` is set
 */
export function openTracing(serviceName: string): Tracing {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = trace.getTracer('trigate');
  const open = (span: Span, parent: Context): OpenSpan => {
    const own = trace.setSpan(parent, span);
    return {
      within: (run) => context.with(own, run),
      rename(name, attributes) {
        span.updateName(name).setAttributes(attributes);
      },
      end(attributes, failure) {
        span.setAttributes(attributes);
        if (failure !== undefined)
          span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', failure);
        span.end();
      },
      traceId: span.spanContext().traceId,
    };
  };
  return {
    beginRequest(method, headers) {
      const parent = propagation.extract(ROOT_CONTEXT, pick(headers));
      return open(tracer.startSpan(method, { kind: SpanKind.SERVER }, parent), parent);
    },
    begin(name, kind, attributes) {
      const options = { kind: kind === 'outgoing' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes };
      return open(tracer.startSpan(name, options), context.active());
    },
    isActive: () => trace.getActiveSpan() !== undefined,
    outgoingHeaders() {
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      return pick(carrier);
    },
    close: () => provider.shutdown(),
  };
}

function pick(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of traceHeaders) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}
