import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigner } from '../../router/signer/createSigner.ts';
import type { World } from '../authorization/world/openWorld.ts';
import { type FaultyProxy, openFaultyProxy } from '../support/servers/openFaultyProxy.ts';
import { type HttpAnswer, type HttpRequest, openHttpClient } from '../support/stack/openHttpClient.ts';
import type { Engine } from './engines.ts';

/** A world whose GraphQL requests are answered by another engine. */
export interface EngineWorld {
  /** The same world, whose requests for `/graphql` are sent to the engine. REST requests are sent to the product. */
  readonly world: World;
  /** Address of the engine's GraphQL endpoint. */
  readonly url: string;
  /** Proxies between the signer and the subgraphs, by name of the subgraph. */
  readonly proxies: ReadonlyMap<string, FaultyProxy>;
  /** Every GraphQL request that the engine answered, in order. */
  readonly answers: readonly EngineAnswer[];
  close(): Promise<void>;
}

export interface EngineAnswer {
  readonly body: { readonly query: string };
  readonly answer: HttpAnswer;
}

/** Header with the installation's host, as a proxy in front of an engine sends it. */
export const forwardedHost = ['x-forwarded-host', 'demo.localhost'] as const;

/**
 * Starts an engine in front of the subgraphs of a world that runs apart. The signer runs in this process, because the
 * clock of a world is not the clock of the machine.
 */
export async function openBehind(world: World, engine: Engine): Promise<EngineWorld> {
  const { stack, subgraphUrls, send } = world.app;
  const proxies = new Map<string, FaultyProxy>();
  for (const [name, url] of subgraphUrls) proxies.set(name, await openFaultyProxy(url));
  const subgraphs = new Map([...proxies].map(([name, { url }]) => [name, url]));
  const signer = createSigner({ platform: stack.platform, subgraphs, key: undefined, trustedProxies: 0 });
  const server = createServer({ keepAliveTimeout: 0 }, signer.handle);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const running = await engine.start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = openHttpClient(Number(new URL(running.url).port));
  const answers: EngineAnswer[] = [];
  const ask = async ({ token, body, headers = [] }: HttpRequest): Promise<HttpAnswer> => {
    const answer = await client.send({
      method: 'POST',
      path: '/graphql',
      token,
      body,
      headers: [forwardedHost, ['accept', 'application/json'], ...headers],
    });
    answers.push({ body: body as EngineAnswer['body'], answer });
    return answer;
  };
  return {
    url: running.url,
    proxies,
    answers,
    world: {
      ...world,
      app: {
        ...world.app,
        send: (request) =>
          request.method === 'POST' && request.path === '/graphql' ? ask(request) : send(request),
      },
    },
    async close() {
      client.close();
      await running.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await signer.close();
      for (const proxy of proxies.values()) await proxy.close();
    },
  };
}
