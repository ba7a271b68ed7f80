import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigner } from '../../../router/signer/createSigner.ts';
import type { ServedProduct } from '../product.ts';
import { type HttpAnswer, type HttpRequest, openHttpClient } from '../stack/openHttpClient.ts';
import { startProgram } from '../stack/startProgram.ts';

/** Hive Gateway over the subgraphs of an app that run apart: another engine in the place of our router. */
export interface Hive {
  url: string;
  /** Asks it by GraphQL over HTTP, as a client of the demonstration installation. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/**
 * Starts it in a process of its own: a gateway that brings libraries of another kind. It asks the signer, which shares the
 * clock of the app.
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

/** @param signerUrl what it takes for the subgraphs, with a slash at the end */
export function startHive(signerUrl: string): ReturnType<typeof startProgram> {
  return startProgram('hive', 'test/support/servers/hiveProgram.ts', {
    SIGNER_URL: signerUrl,
    NODE_OPTIONS: '',
  });
}
