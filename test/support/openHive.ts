import { type HttpAnswer, type HttpRequest, openHttpClient } from './openHttpClient.ts';
import type { TestApp } from './openTestApp.ts';
import { startProgram } from './startProgram.ts';

/** Hive Gateway over the subgraphs of an app that run apart: another engine in the place of our router. */
export interface Hive {
  /** Asks it by GraphQL over HTTP, as a client of the demonstration installation. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Starts it in a process of its own: its libraries do not stand the sandboxes of jest. */
export async function openHive({ stack: { platform, demo }, subgraphUrls }: TestApp): Promise<Hive> {
  const program = await startProgram('hive', 'test/support/hiveProgram.ts', {
    SUBGRAPH_URLS: JSON.stringify(Object.fromEntries(subgraphUrls)),
    CONTEXT_KEY: platform.contextKey.toString('base64'),
    INSTALLATION_ID: demo.id,
    NODE_OPTIONS: '',
  });
  const client = openHttpClient(Number(new URL(program.url).port));
  return {
    send: ({ token, body }) =>
      client.send({
        method: 'POST',
        path: '/graphql',
        token,
        body,
        headers: [
          ['x-clock', String(platform.now())],
          ['accept', 'application/json'],
        ],
      }),
    async close() {
      client.close();
      await program.stop();
    },
  };
}
