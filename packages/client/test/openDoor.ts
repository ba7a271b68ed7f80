import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address of an installation that needs no resolver for its host name. */
export interface Door {
  url: string;
  close(): Promise<void>;
}

/** Forwards requests to the product as requests of one host; that of the demonstration by default. */
export async function openDoor(port: number, host = 'demo.localhost'): Promise<Door> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const inner = request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...headers, host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    inner.on('error', () => outgoing.destroy());
    outgoing.on('close', () => inner.destroy());
    incoming.pipe(inner);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
