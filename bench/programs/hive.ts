import { createSecretKey, randomUUID } from 'node:crypto';
import http from '@graphql-mesh/transport-http';
import { type DocumentNode, execute } from 'graphql';
import { contextHeaderName, signContext } from '../../subgraphs/platform/context/contextHeader.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { serveHive } from '../../test/support/servers/serveHive.ts';
import { openHere } from './openHere.ts';

/**
 * Hive Gateway over the same subgraphs, as its users run it: remote subgraphs (`SUBGRAPH_URLS`, JSON by name) by its
 * own HTTP transport, local schemas by graphql-js. Everything except the engine is the same as in the router: the
 * caller's context, its signature, the platform.
 */
const { SUBGRAPH_URLS, ROUTER_SECRET = '', INSTALLATION_ID = '' } = process.env;
const urls = JSON.parse(SUBGRAPH_URLS ?? 'null') as Record<string, string> | null;
const contextKey = createSecretKey(Buffer.from(ROUTER_SECRET));
const client = { clientAddress: '127.0.0.1', userAgent: '' };

/** Request that the gateway passes to the executor of a subgraph. */
interface Fetch {
  document: DocumentNode;
  variables?: Record<string, unknown>;
  context?: { trigate?: RequestContext };
}
/** The gateway lets callers choose the type of the result, so the result here has a type compatible with all. */
type Executor = (request: Fetch) => Promise<never>;

const here = urls === null ? await openExecutors() : undefined;
serveHive({
  urlOf: (name) => urls?.[name],
  transports: {
    http: here
      ? { getSubgraphExecutor: ({ subgraphName }) => here.executorOf(subgraphName.toLowerCase()) }
      : http,
  },
  headersOf: ({ headers }) => ({
    authorization: headers.get('authorization') ?? '',
    [contextHeaderName]: signContext(
      contextKey,
      { ...client, installationId: INSTALLATION_ID, requestId: randomUUID(), depth: 0 },
      Date.now(),
    ),
  }),
  ...(here && { contextOf: ({ headers }) => ({ trigate: here.contextOf(headers.authorization) }) }),
});

/**
 * Opens the product in this process without its router: executors of its subgraphs, and the factory of request
 * contexts.
 */
async function openExecutors() {
  const { platform, subgraphs } = await openHere();
  return {
    executorOf(name: string): Executor {
      const schema = subgraphs.get(name)?.schema;
      if (!schema) throw new Error(`There is no subgraph "${name}".`);
      return async ({ document, variables: variableValues, context }) =>
        (await execute({ schema, document, variableValues, contextValue: context?.trigate })) as never;
    },
    contextOf(authorization: string | undefined): RequestContext {
      const installation = platform.installations.findById(INSTALLATION_ID);
      if (!installation) throw new Error(`There is no installation "${INSTALLATION_ID}".`);
      return new RequestContext(platform, { ...client, installation, authorization });
    },
  };
}
