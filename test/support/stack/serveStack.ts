import { createServer } from 'node:http';
import { compileDocuments } from '../../../app/federation/compileDocuments.ts';
import { openRouters, type RouterLimits } from '../../../app/federation/openRouters.ts';
import { type LiveApp, serveLive } from '../../../app/federation/serveLive.ts';
import { type App, createApp } from '../../../app/http/createApp.ts';
import type { Router } from '../../../router/createRouter.ts';
import {
  type ConcurrencySettings,
  defaultConcurrency,
} from '../../../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import { serveSubgraph } from '../../../subgraphs/platform/subgraph/serveSubgraph.ts';
import { listenLocally } from '../servers/listenLocally.ts';
import { type HttpAnswer, type HttpRequest, openHttpClient } from './openHttpClient.ts';
import type { TestStack } from './openTestStack.ts';

/** Path under which interfaces B and C answer. */
export const restRoot = '/api/rest';

/** How a stack is served over HTTP. */
export interface ServeOptions {
  /** Whether each subgraph answers its router over HTTP, as in a separate process. */
  apart?: boolean;
  /** Maps the address of a separate subgraph to the one that the router uses. */
  through?: (name: string, url: string) => string | Promise<string>;
  /** Limits of running and queued executions. Default: those of the product. */
  concurrency?: ConcurrencySettings;
  /** Whether introspection is allowed. Default: yes. */
  introspection?: boolean;
  /** Time limits of the router. Default: those of the product. */
  limits?: RouterLimits;
  /** File of the supergraph, which is read again when it changes. Default: the file of the release, read once. */
  supergraph?: string;
  /** File of precomputed plans. */
  plans?: string;
  /** False: behaves as on a platform without a binary of the planner. */
  nativePlanner?: boolean;
}

/** A stack behind the product's router, facade and GraphQL endpoint on one port of the loopback. */
export interface ServedStack extends App {
  readonly port: number;
  /** Addresses of separate subgraphs by name. */
  readonly subgraphUrls: ReadonlyMap<string, string>;
  /** Sends a request. Without a `host`, it is sent to the demonstration's installation. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** The answer of a REST call. */
export interface RestAnswer {
  readonly call: RestCall & { readonly method: string; readonly path: string };
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, the text of any other media type, or null if the answer has no body. */
  readonly body: any;
}

/** Options of a REST call. */
export interface RestCall {
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  /** Body that is sent as JSON, `URLSearchParams` and `FormData` as forms, and a `Buffer` unchanged. */
  readonly body?: unknown;
  /** Encoded body, whose media type is in the headers. */
  readonly text?: string;
  /** Headers. An array is sent as repeated headers. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Serves a stack as `npm start` mounts the product. */
export async function serveStack(
  stack: TestStack,
  {
    apart = false,
    through = (_, url) => url,
    introspection = true,
    concurrency = defaultConcurrency,
    limits = {},
    supergraph,
    plans,
    nativePlanner = true,
  }: ServeOptions = {},
): Promise<ServedStack> {
  const { platform, subgraphs } = stack;
  const served = new Map(
    apart
      ? await Promise.all(
          subgraphs.map(async (subgraph) => {
            const prepare = compileDocuments(subgraph.schema, true);
            return [subgraph.name, await serveSubgraph(subgraph, { platform, prepare, port: 0 })] as const;
          }),
        )
      : [],
  );
  const addresses = [...served].map(async ([name, { url }]) => [name, await through(name, url)] as const);
  const routers = openRouters(
    { jit: true, introspection, trustedProxies: 0, concurrency, plans, nativePlanner },
    {
      local: apart ? new Map() : new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph])),
      remote: Object.fromEntries(await Promise.all(addresses)),
      platform,
      limits,
    },
  );
  const configuration = { issuer: platform.issuer, restRoot };
  // A test file calls few routes, so each is compiled at its first call. With a supergraph that is read again, they are
  // compiled at once, because the product must verify that they are valid for it.
  const lazy = supergraph === undefined;
  const toApp = (router: Router) => createApp({ router, platform }, configuration, () => true, { lazy });
  const live = supergraph
    ? await serveLive({ routers, file: supergraph, toApp, log: platform.log, intervalMs: 50 })
    : await serveOnce(routers.open(), toApp);
  // The default of 5 s would close idle connections of a client that a busy machine has blocked for that time.
  const options = { keepAliveTimeout: 0, shouldUpgradeCallback: live.sockets.accepts };
  const server = createServer(options, live.handle).on('upgrade', live.sockets.open);
  const { port, close } = await listenLocally(server);
  const client = openHttpClient(port);
  const host = stack.demo.hosts[0] ?? 'demo.localhost';
  return {
    port,
    handle: live.handle,
    sockets: live.sockets,
    subgraphUrls: new Map([...served].map(([name, { url }]) => [name, url])),
    send: (request) => client.send({ host, ...request }),
    async close() {
      client.close();
      await close();
      await live.close();
      await routers.close();
      for (const subgraph of served.values()) await subgraph.close();
    },
  };
}

/** Calls a REST route of a served stack. */
export async function callRest(
  { send }: Pick<ServedStack, 'send'>,
  method: string,
  path: string,
  call: RestCall = {},
): Promise<RestAnswer> {
  const { host, token, body, text, headers = {} } = call;
  const isForm = body instanceof URLSearchParams || body instanceof FormData;
  const form = isForm ? new Response(body) : undefined;
  const {
    status,
    headers: received,
    text: answered,
    json,
  } = await send({
    method,
    path,
    ...(host !== undefined && { host }),
    token,
    headers: Object.entries({
      ...(form && { 'content-type': form.headers.get('content-type') ?? '' }),
      ...headers,
    }).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const)),
    body: text ?? (form ? Buffer.from(await form.arrayBuffer()) : toJson(body)),
  });
  return {
    call: { ...call, method, path },
    status,
    headers: toHeaders(received),
    body: json ?? (answered === '' ? null : answered),
  };
}

/** The client sends an object as JSON and a buffer unchanged. */
function toJson(body: unknown): object | string | undefined {
  return typeof body === 'object' && body !== null
    ? body
    : body === undefined
      ? undefined
      : JSON.stringify(body);
}

function toHeaders(received: HttpAnswer['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

async function serveOnce(router: Router, toApp: (router: Router) => Promise<App>): Promise<LiveApp> {
  return { ...(await toApp(router)), close: () => router.close() };
}
