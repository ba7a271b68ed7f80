import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toChange } from '../../packages/schema-check/src/Change.ts';
import type { SourceDocument } from '../../packages/schema-check/src/Contract.ts';
import { expandManifests } from '../../packages/schema-check/src/documents/expandManifests.ts';
import { readOperationsLog } from '../../packages/schema-check/src/documents/readOperationsLog.ts';
import { assembleSubgraphSdl } from '../compose/assembleSubgraphSdl.ts';
import { readSupergraphConfig, type SubgraphConfig } from '../compose/readSupergraphConfig.ts';
import { InvalidRoutes } from '../route/Route.ts';
import { parseRouteDocument, readRoutes } from '../route/readRoutes.ts';
import { findRouteFiles, readRouteText } from '../route/readRouteText.ts';
import { type ContractSource, type GeneratedContract, operationsFolder, routesFolder } from './Contract.ts';
import { toInvalidDocument } from './describeInvalidRoutes.ts';

/**
 * Reads subgraphs, REST documents and registered operations of the project, and logs of operations wherever they are.
 *
 * @throws UsageError when a log cannot be read
 */
export function readWorkingTree(directory: string, operationsLogs: readonly string[] = []): ContractSource {
  const { routes, findings: invalid } = readWhatParses(path.join(directory, routesFolder));
  const routeDocuments = readFiles(directory, `${routesFolder}/**/*.graphql`);
  const { operations, findings: unreadable } = expandManifests(
    readFiles(directory, `${operationsFolder}/**/*.*`),
  );
  const logged = operationsLogs.flatMap(readOperationsLog);
  try {
    const subgraphs = readSubgraphs(directory);
    return { subgraphs, routes, routeDocuments, operations, logged, findings: [...invalid, ...unreadable] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = toChange('composition-failed', 'supergraph.yaml', message);
    return {
      subgraphs: [],
      routes,
      routeDocuments,
      operations,
      logged,
      findings: [...invalid, ...unreadable, failure],
    };
  }
}

/**
 * Reads the SDL of all subgraphs of the project.
 *
 * @throws Error that names the file if a document does not parse
 */
export function readSubgraphs(directory: string): ContractSource['subgraphs'] {
  return readSupergraphConfig(directory).map(({ name, url }) => ({
    name,
    url,
    sdl: assembleSubgraphSdl(name),
  }));
}

function readWhatParses(directory: string): Pick<ContractSource, 'routes' | 'findings'> {
  try {
    return { routes: readRoutes(directory), findings: [] };
  } catch (error) {
    if (!(error instanceof InvalidRoutes)) throw error;
    const broken = new Set(error.findings.map(({ file }) => file));
    const routes = findRouteFiles(directory)
      .filter((file) => !broken.has(file))
      .flatMap((file) => parseRouteDocument(file, readRouteText(directory, file)));
    return { routes, findings: error.findings.map(toInvalidDocument) };
  }
}

function readFiles(directory: string, pattern: string): SourceDocument[] {
  return globSync(pattern, { cwd: directory })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(directory, file), 'utf8') }));
}

/**
 * Returns the generated files of the working tree that are stale. The comparison uses what `npm run generate` would
 * write.
 */
export function findStaleFiles(
  directory: string,
  { subgraphs }: ContractSource,
  { composed, openApi }: GeneratedContract,
): string[] {
  if (!composed) return [];
  const expected = new Map([
    ...subgraphFiles(directory, subgraphs),
    ['schema/supergraph.graphql', composed.supergraph] as const,
    ['schema/api.graphql', composed.api] as const,
    ['schema/openapi.json', `${JSON.stringify(openApi, null, 2)}\n`] as const,
  ]);
  return [...expected].flatMap(([file, text]) => {
    const target = path.join(directory, file);
    return existsSync(target) && readFileSync(target, 'utf8') === text ? [] : [file];
  });
}

function subgraphFiles(
  directory: string,
  subgraphs: ContractSource['subgraphs'],
): (readonly [string, string])[] {
  const files = new Map(
    readSupergraphConfig(directory).map(({ name, file }: SubgraphConfig) => [name, file]),
  );
  return subgraphs.map(({ name, sdl }) => [files.get(name) ?? `schema/${name}.graphql`, sdl] as const);
}
