import { choice, type Environment, integer, readAll, text } from './Setting.ts';

/** Settings of logs, metrics and traces. */
export const telemetrySettings = {
  metricsPort: integer('METRICS_PORT', {
    least: 0,
    most: 65_535,
    meaning:
      'Separate port of `/metrics`. Unset: no metrics are collected. See [observability](../how-to/observability.md).',
  }),
  metricsHost: text('METRICS_HOST', {
    fallback: '127.0.0.1',
    meaning: 'Interface of `/metrics`.',
    allowed: 'an address or a host name of this machine',
  }),
  collector: text('OTEL_EXPORTER_OTLP_ENDPOINT', {
    meaning: 'Collector that spans are sent to. Other OpenTelemetry variables apply too.',
    allowed: 'the address of a collector',
  }),
  traceCollector: text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
    meaning: 'Collector of spans only.',
    allowed: 'the address of a collector',
  }),
  logLevel: choice('LOG_LEVEL', {
    words: ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    fallback: 'warn',
    meaning: 'Log level. The log is JSON lines on standard error; `info` logs every request.',
  }),
};

export function readTelemetry(environment: Environment) {
  const { metricsPort, metricsHost, collector, traceCollector, logLevel } = readAll(
    telemetrySettings,
    environment,
  );
  return {
    /** Address of `/metrics`; undefined if it is off. */
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost },
    /** Whether spans are sent to a collector of OpenTelemetry. */
    tracing: collector !== undefined || traceCollector !== undefined,
    logLevel,
  };
}
