import mongoose from 'mongoose';
import type { Logger } from 'pino';
import type { Telemetry } from '../../subgraphs/platform/telemetry/Telemetry.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { createTelemetry } from './createTelemetry.ts';
import { serveMetrics } from './serveMetrics.ts';
import { watchCommands } from './watchCommands.ts';

/** Metrics of the process, and their listener. */
export interface OpenTelemetry {
  /** Telemetry; undefined if nothing is measured. */
  readonly telemetry: Telemetry | undefined;
  /** Sets the function that returns the number of open event streams. It is called when metrics are read. */
  countStreams(count: () => number): void;
  /** Lines for the user who started the process. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** Returns whether database commands are measured, which must be configured in their connection. */
export function measuresCommands({ metrics, tracing }: Pick<Configuration, 'metrics' | 'tracing'>): boolean {
  return metrics !== undefined || tracing;
}

/**
 * Opens the configured telemetry: metrics with `METRICS_PORT`, traces with `OTEL_EXPORTER_OTLP_ENDPOINT`, a line for
 * every request with `LOG_LEVEL=info`. Without any of them, requests have no overhead. The database connection must be
 * open, and report its commands if they are measured.
 *
 * @param role role of this process, as in `router`
 */
export async function openTelemetry(
  configuration: Pick<Configuration, 'metrics' | 'tracing'>,
  { log, role }: { log: Logger; role: string },
): Promise<OpenTelemetry> {
  const { metrics: address, tracing: isTraced } = configuration;
  let streams = (): number => 0;
  // Their libraries take a tenth of a second and some megabytes, so only processes that use them load them.
  const metrics = address && (await import('./openMetrics.ts')).openMetrics(() => streams());
  const tracing = isTraced ? (await import('./openTracing.ts')).openTracing(`trigate-${role}`) : undefined;
  const served = metrics && address ? await serveMetrics(metrics, address) : undefined;
  const isMeasured = measuresCommands(configuration);
  const stopWatching = isMeasured
    ? watchCommands(mongoose.connection.getClient(), { metrics, tracing })
    : undefined;
  const isOn = isMeasured || log.isLevelEnabled('info');
  return {
    telemetry: isOn ? createTelemetry({ metrics, tracing, log }) : undefined,
    countStreams: (count) => void (streams = count),
    notices: served ? [`metrics: ${served.url}`] : [],
    async close() {
      stopWatching?.();
      await served?.close();
      // An unresponsive collector must not delay the shutdown.
      await tracing?.close().catch((error: unknown) => log.warn({ err: error }, 'traces were not delivered'));
    },
  };
}
