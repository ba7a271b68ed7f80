import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSchema } from 'graphql';
import { onlyInterface } from '../schema/openapi/onlyInterface.ts';
import { bindRoutes } from '../schema/route/bindRoutes.ts';
import { defaultRestRoot } from '../schema/route/pathTemplate.ts';
import { readRoutes } from '../schema/route/readRoutes.ts';
import { Site } from '../site/Site.ts';
import { type Contracts, staticFiles } from '../site/staticFiles.ts';

const root = path.join(import.meta.dirname, '..');
const usage = 'usage: npm run docs:build -- --out DIR [--product https://api.example]';

/**
 * `npm run docs:build -- --out DIR [--product URL]`: the documentation as static files with relative links. With
 * `--product` the explorers and calls lead to that service; without, what needs one is left out.
 *
 * @returns exit code: 0, 2 for wrong options
 */
function build(args: string[]): number {
  const { out, product } = parseArgs({
    args,
    options: { out: { type: 'string' }, product: { type: 'string' } },
  }).values;
  if (out === undefined || (product !== undefined && !/^https?:\/\/[^\s"<>]+$/.test(product))) {
    console.error(usage);
    return 2;
  }
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
  console.log(`wrote ${files.length} files to ${out}`);
  return 0;
}

/** The contract whole and by interface, with the service that answers. */
function contractsOf(text: string, product: string | undefined): Contracts {
  const all = JSON.parse(text) as Parameters<typeof onlyInterface>[0] & { servers: unknown };
  if (product !== undefined) all.servers = [{ url: product }];
  return { all, a: onlyInterface(all, 'A'), b: onlyInterface(all, 'B'), c: onlyInterface(all, 'C') };
}

try {
  process.exitCode = build(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(usage);
  process.exitCode = 2;
}
