import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime, type GatewayConfig } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';

/** Settings of Hive Gateway's requests to subgraphs. */
interface HiveOptions {
  /** Address of a subgraph by its name in lower case. Undefined: the one in `supergraph.yaml`. */
  urlOf(name: string): string | undefined;
  transports: NonNullable<GatewayConfig['transports']>;
  /** Further headers of its requests to subgraphs. */
  headersOf(request: Request): Record<string, string>;
  /** Context that executors in this process receive. */
  contextOf?(request: IncomingMessage): object;
  logging?: boolean;
}

/** Serves Hive Gateway with its Rust planner over the supergraph on a free port, and prints the address. */
export function serveHive({ urlOf, transports, headersOf, contextOf, logging = false }: HiveOptions): void {
  const supergraph = readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8');
  const gateway = createGatewayRuntime({
    supergraph: supergraph.replace(/(@join__graph\(name: "(\w+)", url: ")([^"]*)/g, (_, head, name, url) => {
      return head + (urlOf(name) ?? url);
    }),
    unifiedGraphHandler,
    // Errors of the subgraphs are intended for clients. Masking would remove their codes.
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
