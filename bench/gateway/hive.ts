import { createSecretKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import http from '@graphql-mesh/transport-http';
import { type DocumentNode, execute } from 'graphql';
import pino from 'pino';
import { openProduct } from '../../start/openProduct.ts';
import { readConfiguration } from '../../start/readConfiguration.ts';
import { contextHeaderName, signContext } from '../../subgraphs/platform/context/contextHeader.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { connectMongo } from '../../subgraphs/platform/mongo/connectMongo.ts';

/**
 * Hive Gateway with its planner in Rust over the same subgraphs, as its users run it: those of other processes
 * (`SUBGRAPH_URLS`, JSON by name) by its own HTTP transport, our schemas in this process by graphql-js. Whatever is not the
 * engine is what our router has as well: the caller's context, its signature, the platform.
 */
const { SUBGRAPH_URLS, ROUTER_SECRET = '', INSTALLATION_ID = '' } = process.env;
const urls = JSON.parse(SUBGRAPH_URLS ?? 'null') as Record<string, string> | null;
const contextKey = createSecretKey(Buffer.from(ROUTER_SECRET));

/** What the gateway hands to the executor of a subgraph. */
interface Fetch {
  document: DocumentNode;
  variables?: Record<string, unknown>;
  context?: { trigate?: RequestContext };
}
/** The gateway lets its callers name any answer they like, so the answer here has to be one of every type. */
type Executor = (request: Fetch) => Promise<never>;

const openContext = urls === null ? await openHere() : undefined;
const gateway = createGatewayRuntime({
  supergraph: readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8').replace(
    /@join__graph\(name: "(\w+)", url: "[^"]*"\)/g,
    (whole, name: string) => (urls ? `@join__graph(name: "${name}", url: "${urls[name]}")` : whole),
  ),
  unifiedGraphHandler,
  maskedErrors: false,
  logging: false,
  transports: {
    http: urls ? http : { getSubgraphExecutor: ({ subgraphName }) => inProcess(subgraphName.toLowerCase()) },
  },
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({
      authorization: request.headers.get('authorization') ?? '',
      [contextHeaderName]: signContext(
        contextKey,
        {
          installationId: INSTALLATION_ID,
          clientAddress: '127.0.0.1',
          userAgent: '',
          requestId: randomUUID(),
          depth: 0,
        },
        Date.now(),
      ),
    }),
  },
});

function inProcess(name: string): Executor {
  const schema = openContext?.subgraphs.get(name)?.schema;
  if (!schema) throw new Error(`There is no subgraph "${name}".`);
  return async ({ document, variables, context }) =>
    (await execute({
      schema,
      document,
      variableValues: variables,
      contextValue: context?.trigate,
    })) as never;
}

/** The product in this process without its router, and what makes the context of a request. */
async function openHere() {
  const configuration = readConfiguration(process.env);
  await connectMongo({ uri: configuration.mongodbUri ?? '' });
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: false }));
  const { platform, subgraphs } = await openProduct(configuration, { log });
  return {
    subgraphs,
    context(authorization: string | undefined): RequestContext {
      const installation = platform.installations.findById(INSTALLATION_ID);
      if (!installation) throw new Error(`There is no installation "${INSTALLATION_ID}".`);
      return new RequestContext(platform, {
        installation,
        clientAddress: '127.0.0.1',
        userAgent: '',
        authorization,
      });
    },
  };
}

const server = createServer((request, response) => {
  const trigate = openContext?.context(request.headers.authorization);
  void gateway(request, response, { trigate } as never);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
