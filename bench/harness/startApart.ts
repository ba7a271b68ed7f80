import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { subgraphNames } from '../../app/configuration/federation.ts';
import type { Program } from '../../test/support/stack/startProgram.ts';
import type { Marketplace } from './openMarketplace.ts';
import type { StartProgram } from './programs.ts';

/** The product in four processes. */
export interface Apart {
  router: Program;
  subgraphs: readonly Program[];
  /** Addresses of the subgraphs, by name. */
  urls: Readonly<Record<string, string>>;
  /**
   * Starts another router of the same subgraphs.
   *
   * @param own further environment variables of this router
   */
  startRouter(own: Readonly<Record<string, string>>): Promise<Program>;
}

/** Starts each subgraph and the router in separate processes, on the marketplace's database. */
export async function startApart(
  start: StartProgram,
  { shared }: Pick<Marketplace, 'shared'>,
): Promise<Apart> {
  const ports = await freePorts(subgraphNames.length);
  const urls = Object.fromEntries(
    subgraphNames.map((name, at) => [name, `http://127.0.0.1:${ports[at]}/graphql`]),
  );
  const addresses = Object.fromEntries(
    subgraphNames.map((name) => [`${name.toUpperCase()}_URL`, urls[name] ?? '']),
  );
  const environment = { ...shared, ...addresses };
  const subgraphs = await Promise.all(
    subgraphNames.map((name) => start(name, 'bin/subgraph.ts', environment, [name])),
  );
  const startRouter: Apart['startRouter'] = (own) =>
    start('router', 'bin/router.ts', { ...environment, ...own });
  return { router: await startRouter({}), subgraphs, urls, startRouter };
}

/**
 * Returns ports that were free a moment ago, because each subgraph must know the addresses of the others before it
 * listens.
 */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(
    servers.map((server) => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
