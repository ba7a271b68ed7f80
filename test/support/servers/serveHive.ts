import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime, type GatewayConfig } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';

/** How Hive Gateway reaches the subgraphs. */
interface HiveOptions {
  /** Address of a subgraph by its name in lower case; undefined: that of `supergraph.yaml`. */
  urlOf(name: string): string | undefined;
  transports: NonNullable<GatewayConfig['transports']>;
  /** What it sends to subgraphs besides. */
  headersOf(request: Request): Record<string, string>;
  /** What executors get with a request, in this process. */
  contextOf?(request: IncomingMessage): object;
  logging?: boolean;
}

/** Serves Hive Gateway with its planner in Rust over our supergraph on a free port, and prints where: the whole program. */
export function serveHive({ urlOf, transports, headersOf, contextOf, logging = false }: HiveOptions): void {
  const supergraph = readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8');
  const gateway = createGatewayRuntime({
    supergraph: supergraph.replace(/(@join__graph\(name: "(\w+)", url: ")([^"]*)/g, (_, head, name, url) => {
      return head + (urlOf(name) ?? url);
    }),
    unifiedGraphHandler,
    // Errors of the subgraphs are made for clients; masked, their codes would be lost.
    maskedErrors: false,
    logging,
    transports,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => headersOf(request),
    },
  });
  const server = createServer((request, response) => {
    void gateway(request, response, (contextOf?.(request) ?? {}) as never);
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.once('SIGTERM', () => process.exit(0));
}
