import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import http from '@graphql-mesh/transport-http';

/**
 * Hive Gateway with its planner in Rust and its own HTTP transport on our supergraph, in a process of its own. It is told
 * nothing of our directives and guards, and nothing of ours runs in it: the caller's token and the headers of the proxy in
 * front of it go to the signer, which it takes for the subgraphs.
 *
 * `SIGNER_URL`; `HIVE_LOG` makes it talk
 */
const { SIGNER_URL = '', HIVE_LOG = '' } = process.env;
const propagated = ['authorization', 'user-agent', 'x-forwarded-host', 'x-forwarded-for', 'traceparent'];

const gateway = createGatewayRuntime({
  supergraph: readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8').replace(
    /@join__graph\(name: "(\w+)", url: "[^"]*"\)/g,
    (_, name: string) => `@join__graph(name: "${name}", url: "${new URL(name, SIGNER_URL).href}")`,
  ),
  unifiedGraphHandler,
  // Errors of the subgraphs are made for clients; masked, their codes would be lost.
  maskedErrors: false,
  logging: HIVE_LOG !== '',
  transports: { http },
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) =>
      Object.fromEntries(
        propagated.flatMap((name) => {
          const value = request.headers.get(name);
          return value === null ? [] : [[name, value]];
        }),
      ),
  },
});

const server = createServer((request, response) => void gateway(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
