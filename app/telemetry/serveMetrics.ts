import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dropStalledReaders } from '../../subgraphs/platform/http/dropStalledReaders.ts';
import type { Metrics } from './openMetrics.ts';

/** Address of the metrics. */
export interface MetricsAddress {
  readonly port: number;
  readonly host: string;
}

/**
 * Serves `GET /metrics` at a separate address to which no load balancer forwards. Metrics are for the operator only,
 * and the endpoint has no credential that could leak.
 *
 * @throws Error if the port is in use
 */
export async function serveMetrics(
  { contentType, toText }: Metrics,
  { port, host }: MetricsAddress,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    toText().then(
      (text) =>
        response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  dropStalledReaders(server);
  await new Promise<void>((listening, failed) => {
    server.once('error', () =>
      failed(
        new Error(`METRICS_PORT ${port} is used by another program or not allowed. Choose another one.`),
      ),
    );
    server.listen(port, host, listening);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
