import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { acceptedChangesFile, applyAcceptedChanges, readAcceptedChanges } from './acceptedChanges.ts';
import type { BaseContract } from './Contract.ts';
import { checkContract } from './checkContract.ts';
import { findBase, readBase } from './git/readBase.ts';
import { findStaleFiles, readWorkingTree } from './readWorkingTree.ts';
import { createLocator } from './report/createLocator.ts';
import type { Report } from './report/Report.ts';

const nothing: BaseContract = { supergraph: null, api: null, openApi: null, documents: [] };

/**
 * Compares the project's working tree with a commit.
 *
 * @param ref commit to compare with; undefined lets `findBase` choose
 * @param operationsLogs files with operations that clients were seen to send: what they use cannot go
 * @throws UsageError when the ref is unknown, the base unreadable, or the list of accepted changes wrong
 */
export function runCheck(
  directory: string,
  ref: string | undefined,
  operationsLogs: readonly string[],
): Report {
  const base = findBase(directory, ref);
  const contract = base ? readBase(directory, base) : nothing;
  const accepted = readAccepted(directory);
  const source = readWorkingTree(directory, operationsLogs);
  const { generated, changes } = checkContract(contract, source);
  const { reasons, unused } = applyAcceptedChanges(changes, accepted);
  const locate = createLocator(directory, source.routes);
  return {
    base,
    missing: missingFiles(contract),
    looked: {
      subgraphs: source.subgraphs.length,
      routes: source.routes.length,
      registeredOperations: source.operations.length,
      loggedOperations: source.logged.length,
    },
    changes: changes.map((change) => ({
      ...change,
      accepted: reasons.get(change.id) ?? null,
      place: locate(change),
    })),
    unusedAcceptances: unused,
    staleFiles: findStaleFiles(directory, source, generated),
  };
}

function missingFiles({ supergraph, api, openApi }: BaseContract): string[] {
  const files = {
    'schema/supergraph.graphql': supergraph,
    'schema/api.graphql': api,
    'schema/openapi.json': openApi,
  };
  return Object.entries(files).flatMap(([file, text]) => (text === null ? [file] : []));
}

function readAccepted(directory: string) {
  const file = path.join(directory, acceptedChangesFile);
  return existsSync(file) ? readAcceptedChanges(readFileSync(file, 'utf8')) : [];
}
