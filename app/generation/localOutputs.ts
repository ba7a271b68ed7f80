import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { auditContract } from '../../schema/audit/auditContract.ts';
import type { SubgraphConfig } from '../../schema/compose/readSupergraphConfig.ts';
import { historyOf } from '../../schema/releases/historyOf.ts';
import { nextRelease, readReleases } from '../../schema/releases/storedReleases.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import type { Output } from './Output.ts';

/**
 * Returns generated files that are not committed, derived from the committed ones. Without development dependencies,
 * only files for execution are generated; types and the client package are omitted.
 */
export async function localOutputs(root: string, subgraphs: readonly SubgraphConfig[]): Promise<Output[]> {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  return [
    auditOutput(read('schema/supergraph.graphql')),
    historyOutput(root, read),
    ...(await pages(root)),
    ...(hasGenerators()
      ? [
          ...(await Promise.all(subgraphs.map((subgraph) => typesOutput(root, subgraph)))),
          ...(await clientFiles(root, read)),
        ]
      : []),
  ];
}

/** Returns the output for the resolver types of one subgraph, from its written SDL. */
export async function typesOutput(root: string, { name, file }: SubgraphConfig): Promise<Output> {
  const { generateTypes } = await import('../../schema/compose/generateTypes.ts');
  const sdl = readFileSync(path.join(root, file), 'utf8');
  return { file: `subgraphs/${name}/${name}.generated.ts`, text: await generateTypes(root, name, sdl) };
}

/** Returns whether development dependencies are installed. */
function hasGenerators(): boolean {
  try {
    import.meta.resolve('@graphql-codegen/core');
    return true;
  } catch {
    return false;
  }
}

function auditOutput(supergraph: string): Output {
  const audit = auditContract(buildSchema(supergraph), readRoutes());
  return { file: 'schema/audit.json', text: `${JSON.stringify(audit, null, 2)}\n` };
}

function historyOutput(root: string, read: (file: string) => string): Output {
  const present = {
    name: nextRelease,
    at: null,
    api: read('schema/api.graphql'),
    supergraph: read('schema/supergraph.graphql'),
    openApi: read('schema/openapi.json'),
  };
  const releases = [...readReleases(path.join(root, 'schema/releases')), present];
  return { file: 'schema/history.json', text: `${JSON.stringify(historyOf(releases))}\n` };
}

async function pages(root: string): Promise<Output[]> {
  if (!existsSync(path.join(root, 'site'))) return [];
  const { guideOutputs } = await import('../../site/markdown/guideOutputs.ts');
  return guideOutputs(root);
}

async function clientFiles(root: string, read: (file: string) => string): Promise<Output[]> {
  if (!existsSync(path.join(root, 'packages/client/generate'))) return [];
  const { clientOutputs } = await import('../../packages/client/generate/clientOutputs.ts');
  const openApi = JSON.parse(read('schema/openapi.json')) as object;
  return clientOutputs({ api: read('schema/api.graphql'), openApi, routes: readRoutes() });
}
