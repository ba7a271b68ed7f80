import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { onlyInterface } from '../schema/openapi/onlyInterface.ts';
import { bindRoutes } from '../schema/route/bindRoutes.ts';
import { defaultRestRoot } from '../schema/route/pathTemplate.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';
import { Site } from './Site.ts';
import { type Contracts, staticFiles } from './staticFiles.ts';

const root = path.join(import.meta.dirname, '..');

/**
 * Writes the documentation as static files with relative links.
 *
 * @param out folder, which is created
 * @param product address of the service that explorers and calls lead to; without one, what needs it is left out
 * @returns how many files were written
 */
export function writeStaticSite(out: string, product: string | undefined): number {
  const read = (file: string) => readFileSync(path.join(root, 'schema', file), 'utf8');
  const contract = {
    api: buildSchema(read('api.graphql')),
    supergraph: buildSchema(read('supergraph.graphql')),
  };
  const site = new Site(bindRoutes(readRoutes(), contract), defaultRestRoot);
  const base = product?.replace(/\/+$/, '');
  const files = staticFiles(site, {
    contracts: contractsOf(read('openapi.json'), base),
    ...(base === undefined ? {} : { product: base }),
  });
  for (const { file, body } of files) {
    mkdirSync(path.dirname(path.join(out, file)), { recursive: true });
    writeFileSync(path.join(out, file), body);
  }
  return files.length;
}

/** Returns the contract as a whole and by interface, with the URL of the service. */
function contractsOf(text: string, product: string | undefined): Contracts {
  const all = JSON.parse(text) as Parameters<typeof onlyInterface>[0] & { servers: unknown };
  if (product !== undefined) all.servers = [{ url: product }];
  return { all, a: onlyInterface(all, 'A'), b: onlyInterface(all, 'B'), c: onlyInterface(all, 'C') };
}
