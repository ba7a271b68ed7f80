import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import { type DocumentNode, OperationTypeNode, print } from 'graphql';
import pino from 'pino';
import { Pool } from 'undici';
import { maskingTransport } from '../../router/maskingTransport.ts';
import { createLocalTransport } from '../../router/transport/localTransport.ts';
import type { SubgraphRequest } from '../../router/transport/Transport.ts';
import {
  askIdentity,
  askTranslation,
  openSharedPlatform,
  subgraphBuilders,
} from '../../start/openProduct.ts';
import { openStorage } from '../../start/openStorage.ts';
import { readConfiguration } from '../../start/readConfiguration.ts';
import { contextHeaderName, signContext } from '../../subgraphs/platform/context/contextHeader.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { connectMongo } from '../../subgraphs/platform/mongo/connectMongo.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';

/**
 * Hive Gateway with its planner in Rust over the same subgraphs: those of other processes (`SUBGRAPH_URLS`, JSON by
 * name), or our schemas in this one. Whatever it is handed is what our router has as well, so that the engines are
 * compared and not their surroundings: subgraphs are executed by our local transport, reached by undici, and the text of a
 * fetch is printed once.
 */
const { SUBGRAPH_URLS, ROUTER_SECRET = '', INSTALLATION_ID = '' } = process.env;
const urls = JSON.parse(SUBGRAPH_URLS ?? 'null') as Record<string, string> | null;

/** What the gateway hands to the executor of a subgraph. */
interface Fetch {
  document: DocumentNode;
  variables?: Record<string, unknown>;
  context?: { headers?: Record<string, string>; trigate?: RequestContext };
}
/** The gateway lets its callers name any answer they like, so the answer here has to be one of every type. */
type Executor = (request: Fetch) => Promise<never>;

const openContext = urls === null ? await openHere() : undefined;
const gateway = createGatewayRuntime({
  supergraph: readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'),
  unifiedGraphHandler,
  maskedErrors: false,
  logging: false,
  transports: {
    http: { getSubgraphExecutor: ({ subgraphName }) => executorOf(subgraphName.toLowerCase()) },
  },
});

function executorOf(name: string): Executor {
  const url = urls?.[name];
  if (url !== undefined) return overHttp(url);
  const subgraph = openContext?.subgraphs.get(name);
  if (!subgraph) throw new Error(`There is no subgraph "${name}".`);
  return inProcess(subgraph);
}

function overHttp(url: string): Executor {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: 64 });
  const textOf = remember(print);
  const contextKey = Buffer.from(ROUTER_SECRET);
  return async ({ document, variables, context }) => {
    const { authorization } = context?.headers ?? {};
    const caller = { clientAddress: '127.0.0.1', userAgent: '', requestId: randomUUID(), depth: 0 };
    const { body } = await pool.request({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...(authorization !== undefined && { authorization }),
        [contextHeaderName]: signContext(
          contextKey,
          { installationId: INSTALLATION_ID, ...caller },
          Date.now(),
        ),
      },
      body: JSON.stringify({ query: textOf(document), variables }),
    });
    return (await body.json()) as never;
  };
}

function inProcess({ schema }: Subgraph): Executor {
  const transport = maskingTransport(createLocalTransport(schema), log());
  const requestOf = remember<SubgraphRequest>((document) =>
    transport.compile(document, '', OperationTypeNode.QUERY, { eager: true }),
  );
  return ({ document, variables = {}, context }) =>
    requestOf(document)(variables, context?.trigate as RequestContext) as Promise<never>;
}

/** By the text, because some gateways make a document anew for every request; the object is asked first. */
function remember<T>(make: (document: DocumentNode) => T): (document: DocumentNode) => T {
  const byObject = new WeakMap<DocumentNode, T>();
  const byText = new Map<string, T>();
  return (document) => {
    const known = byObject.get(document);
    if (known !== undefined) return known;
    const text = print(document);
    const made = byText.get(text) ?? make(document);
    byText.set(text, made);
    byObject.set(document, made);
    return made;
  };
}

/** The three subgraphs in this process, and what makes the context of a request. */
async function openHere() {
  const configuration = readConfiguration(process.env);
  await connectMongo({ uri: configuration.mongodbUri ?? '' });
  const subgraphs = new Map<string, Subgraph>();
  for (const [name, build] of Object.entries(subgraphBuilders)) subgraphs.set(name, build());
  const platform = await openSharedPlatform(configuration, {
    log: log(),
    askOwner: askIdentity(subgraphs, undefined),
    ...askTranslation(subgraphs, undefined),
    storage: await openStorage(configuration, { apart: false, log: log() }),
  });
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

function log(): pino.Logger {
  return pino({ level: 'warn' }, pino.destination({ dest: 2, sync: false }));
}

const server = createServer((request, response) => {
  const trigate = openContext?.context(request.headers.authorization);
  void gateway(request, response, { trigate } as never);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
