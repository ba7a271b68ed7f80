import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on the loopback interface. */
export interface LocalServer {
  readonly port: number;
  /** Its origin, without a slash at the end. */
  readonly url: string;
  /** Closes the server and its open connections. */
  close(): Promise<void>;
}

/** Lets a server listen on a free port of the loopback interface. */
export async function listenLocally(server: Server): Promise<LocalServer> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
