import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readAcceptedFile } from '../../packages/schema-check/src/acceptedChanges.ts';
import { emptyContract, type SourceDocument } from '../../packages/schema-check/src/Contract.ts';
import { expandManifests } from '../../packages/schema-check/src/documents/expandManifests.ts';
import {
  type Base,
  findBase,
  listCommittedFiles,
  readCommittedFile,
} from '../../packages/schema-check/src/git/git.ts';
import { parseOpenApi } from '../../packages/schema-check/src/project/readContract.ts';
import { createLocator } from '../../packages/schema-check/src/report/createLocator.ts';
import { type Report, reportChanges } from '../../packages/schema-check/src/report/Report.ts';
import type { RecordedUsage } from '../../packages/schema-check/src/usage/Usage.ts';
import { addGuardPrefix } from '../guards/addGuardPrefix.ts';
import { defaultRestRoot, withRestRoot } from '../route/pathTemplate.ts';
import type { Route } from '../route/Route.ts';
import { acceptedChangesFile, type BaseContract, operationsFolder, routesFolder } from './Contract.ts';
import { checkContract } from './checkContract.ts';
import { findStaleFiles, readWorkingTree } from './readWorkingTree.ts';

const files = {
  supergraph: 'schema/supergraph.graphql',
  api: 'schema/api.graphql',
  openApi: 'schema/openapi.json',
} as const;

/** Use of the contract by clients, which makes a removal breaking. */
interface ObservedUse {
  /** Files with observed operations of clients, whose fields cannot be removed. */
  readonly operationsLogs: readonly string[];
  /** Use that a ledger recorded. */
  readonly usage?: RecordedUsage | undefined;
}

/**
 * Compares the product's working tree with a commit. The package compares two contracts; this function generates the
 * next one from subgraphs and REST documents, and reads guards as the product does.
 *
 * @param ref commit to compare with; undefined lets `findBase` choose
 * @throws UsageError if the ref is unknown, the base unreadable, or the list of accepted changes invalid
 */
export function runCheck(
  directory: string,
  ref: string | undefined,
  { operationsLogs, usage }: ObservedUse,
): Report {
  const base = findBase(directory, ref);
  const contract = base ? readBase(directory, base) : { ...emptyContract, routeDocuments: [] };
  const accepted = readAcceptedFile(directory, acceptedChangesFile);
  const source = readWorkingTree(directory, operationsLogs);
  const { generated, changes } = checkContract(contract, source, { usage });
  const locate = createLocator({ sdl: readSdl(directory), routes: routeFiles(source.routes), ...files });
  const missing = (['supergraph', 'api', 'openApi'] as const).filter((part) => contract[part] === null);
  return {
    base,
    isBaseEmpty: missing.length === 3,
    missing: missing.map((part) => files[part]),
    compared: [
      `${source.subgraphs.length} subgraphs`,
      `${source.routes.length} routes`,
      `${source.operations.length} registered operations`,
      `${source.logged.length} operations of logs`,
      ...(usage ? [`${usage.recordedDays} days of usage`] : []),
    ],
    ...reportChanges(changes, accepted, locate),
    acceptedChangesFile,
    staleFiles: findStaleFiles(directory, source, generated),
  };
}

/** Reads the base; a part that the commit does not have is null. */
function readBase(directory: string, { ref, commit }: Base): BaseContract {
  const read = (file: string) => readCommittedFile(directory, commit, file);
  const readFiles = (folder: string) =>
    listCommittedFiles(directory, commit, folder).map((file) => ({ file, text: read(file) ?? '' }));
  const openApi = read(files.openApi);
  const supergraph = read(files.supergraph);
  return {
    supergraph: supergraph === null ? null : addGuardPrefix(supergraph),
    api: read(files.api),
    openApi: openApi === null ? null : parseOpenApi(openApi, files.openApi, { name: ref }),
    operations: expandManifests(readFiles(operationsFolder)).operations,
    routeDocuments: readFiles(routesFolder).filter(({ file }) => file.endsWith('.graphql')),
  };
}

function readSdl(directory: string): SourceDocument[] {
  return globSync('subgraphs/*/**/schema.graphql', { cwd: directory })
    .sort()
    .map((name) => ({
      file: name.replaceAll(path.sep, '/'),
      text: readFileSync(path.join(directory, name), 'utf8'),
    }));
}

function routeFiles(routes: readonly Route[]): Map<string, string> {
  return new Map(
    routes.map(({ method, path: template, file }) => [
      `${method} ${withRestRoot(template, defaultRestRoot)}`,
      `${routesFolder}/${file}`,
    ]),
  );
}
