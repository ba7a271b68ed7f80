import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import { type DocumentNode, print } from 'graphql';
import { contextHeaderName, signContext } from '../../subgraphs/platform/context/contextHeader.ts';

/**
 * Hive Gateway with its planner in Rust on our supergraph, in a process of its own. It is told nothing of our directives
 * and guards; all it brings is what any router must: the caller's token, and the signed context.
 *
 * `SUBGRAPH_URLS` (JSON, by name), `CONTEXT_KEY` (base64), `INSTALLATION_ID`
 */
const { SUBGRAPH_URLS = '{}', CONTEXT_KEY = '', INSTALLATION_ID = '' } = process.env;
const urls = JSON.parse(SUBGRAPH_URLS) as Record<string, string>;
const contextKey = Buffer.from(CONTEXT_KEY, 'base64');

type Executor = (request: { document: DocumentNode; variables?: unknown; context?: unknown }) => Promise<any>;

const gateway = createGatewayRuntime({
  supergraph: readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8').replace(
    /@join__graph\(name: "(\w+)", url: "[^"]*"\)/g,
    (_, name: string) => `@join__graph(name: "${name}", url: "${urls[name]}")`,
  ),
  unifiedGraphHandler,
  // Errors of the subgraphs are made for clients; masked, their codes would be lost.
  maskedErrors: false,
  logging: Boolean(process.env.HIVE_LOG),
  transports: {
    http: { getSubgraphExecutor: ({ transportEntry }) => createExecutor(transportEntry?.location ?? '') },
  },
});

/** GraphQL over HTTP to one subgraph; the package of Hive's own transport is not among our dependencies. */
function createExecutor(url: string): Executor {
  return async ({ document, variables, context }) => {
    const { headers = {} } = (context ?? {}) as { headers?: Record<string, string> };
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        // Tests move the clock of the subgraphs.
        [contextHeaderName]: contextAt(Number(headers['x-clock'] ?? Date.now())),
      },
      body: JSON.stringify({ query: print(document), variables }),
    });
    return answer.json();
  };
}

function contextAt(nowMs: number): string {
  const origin = { clientAddress: '192.0.2.1', userAgent: 'hive', requestId: randomUUID(), depth: 0 };
  return signContext(contextKey, { installationId: INSTALLATION_ID, ...origin }, nowMs);
}

const server = createServer((request, response) => void gateway(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
