import type { Program } from '../../test/support/startProgram.ts';
import type { Marketplace } from '../harness/openMarketplace.ts';
import type { StartProgram } from '../harness/withPrograms.ts';
import { freePorts } from './freePorts.ts';

/** The product in four processes. */
export interface Apart {
  router: Program;
  subgraphs: readonly Program[];
  /** Addresses of the subgraphs, by name. */
  urls: Readonly<Record<string, string>>;
}

const names = ['identity', 'seo', 'translation'] as const;

/** Starts each subgraph and the router in processes of their own, on the marketplace's database. */
export async function startApart(
  start: StartProgram,
  { shared }: Pick<Marketplace, 'shared'>,
  own: Readonly<Record<string, string>> = {},
): Promise<Apart> {
  const ports = await freePorts(names.length);
  const urls = Object.fromEntries(names.map((name, at) => [name, `http://127.0.0.1:${ports[at]}/graphql`]));
  const addresses = Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_URL`, urls[name] ?? '']));
  const environment = { ...shared, ...addresses };
  const subgraphs = await Promise.all(
    names.map((name) => start(name, 'start/subgraph.ts', environment, [name])),
  );
  const router = await start('router', 'start/router.ts', { ...environment, ...own });
  return { router, subgraphs, urls };
}
