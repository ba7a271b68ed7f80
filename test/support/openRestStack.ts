import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { createFacade } from '../../rest-facade/createFacade.ts';
import { createRouter } from '../../router/createRouter.ts';
import { createLocalTransport } from '../../router/transport/localTransport.ts';
import type { Transport } from '../../router/transport/Transport.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import { openTestStack, type TestStack } from './openTestStack.ts';

/** What a route has answered. */
export interface RestAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** How a route is called. */
export interface RestCall {
  token?: string;
  /** Sent as JSON; `URLSearchParams` as a form. */
  body?: unknown;
  /** Body as it goes over the wire, its media type among the headers; none if it is empty. */
  text?: string;
  headers?: Record<string, string>;
}

/** Subgraphs on a database of their own behind the real router and facade, over HTTP on the loopback. */
export interface RestStack {
  stack: TestStack;
  port: number;
  /** Scheme, address and port. */
  origin: string;
  call(method: string, path: string, options?: RestCall): Promise<RestAnswer>;
  close(): Promise<void>;
}

/** A subgraph that was not opened: its part of the answer is missing, as it is when a subgraph is down. */
const down: Transport = {
  conforming: true,
  compile: () => () => ({
    errors: [{ message: 'not opened', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
  }),
};

/**
 * Opens the routes of some subgraphs; the demonstration installation answers.
 *
 * @param subgraphs as for `openTestStack`; their routes are those below `rest-facade/<name>`
 * @param options further ones of the stack
 */
export async function openRestStack(
  subgraphs: readonly (() => Subgraph)[],
  options: Omit<Parameters<typeof openTestStack>[0], 'subgraphs'> = {},
): Promise<RestStack> {
  const stack = await openTestStack({ subgraphs, ...options });
  const router = createRouter({
    supergraphSdl: readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'),
    transports: {
      ...Object.fromEntries(['identity', 'seo', 'translation'].map((name) => [name, down])),
      ...Object.fromEntries(stack.subgraphs.map(({ name, schema }) => [name, createLocalTransport(schema)])),
    },
    platform: stack.platform,
    trustedProxies: 0,
  });
  const routes = readRoutes('rest-facade').filter(({ file }) =>
    stack.subgraphs.some(({ name }) => file.startsWith(`${name}/`)),
  );
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const { issuer, storage, secrets, now, streams } = stack.platform;
  const files = {
    storage,
    secret: secrets.derive('file'),
    uploadSecret: secrets.derive('upload'),
    now,
  };
  const server = createServer(
    // A test file calls a few routes: it does not wait until all are compiled, as a product that starts does.
    createFacade({ gateway: router, routes, log, issuer, files, streams, isReady: () => true, lazy: true }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    stack,
    port,
    origin,
    call: (method, path, options) => call(`${origin}${path}`, method, options),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await router.close();
      await stack.close();
    },
  };
}

async function call(
  url: string,
  method: string,
  { token, body, text: wire, headers = {} }: RestCall = {},
): Promise<RestAnswer> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(wire ? { body: wire } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
