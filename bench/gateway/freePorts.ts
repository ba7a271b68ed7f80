import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Ports that nobody listened at a moment ago, for programs that others must know before they listen. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(
    servers.map((server) => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
