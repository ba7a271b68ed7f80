import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigner } from '../../../router/signer/createSigner.ts';
import type { ServedProduct } from '../product.ts';
import { type HttpAnswer, type HttpRequest, openHttpClient } from '../stack/openHttpClient.ts';
import { startProgram } from '../stack/startProgram.ts';

/** Hive Gateway over the separate subgraphs of an app, instead of the router. */
export interface Hive {
  url: string;
  /** Sends a GraphQL request, as a client of the demonstration installation. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/**
 * Starts the gateway in a separate process, because it loads other versions of libraries. It sends requests to the signer,
 * which shares the clock of the app.
 */
export async function openHive({ stack: { platform }, subgraphUrls }: ServedProduct): Promise<Hive> {
  const signer = createSigner({ platform, subgraphs: subgraphUrls, key: undefined, trustedProxies: 0 });
  const server = createServer(signer.handle);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const program = await startHive(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const client = openHttpClient(Number(new URL(program.url).port));
  return {
    url: program.url,
    send: ({ token, body, headers = [['accept', 'application/json']] }) =>
      client.send({
        method: 'POST',
        path: '/graphql',
        token,
        body,
        headers: [['x-forwarded-host', 'demo.localhost'], ...headers],
      }),
    async close() {
      client.close();
      await program.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await signer.close();
    },
  };
}

/** @param signerUrl address of the signer, with a trailing slash */
export function startHive(signerUrl: string): ReturnType<typeof startProgram> {
  return startProgram('hive', 'test/support/servers/hiveProgram.ts', {
    SIGNER_URL: signerUrl,
    NODE_OPTIONS: '',
  });
}
