import path from 'node:path';
import { buildSchema, GraphQLError } from 'graphql';
import { readAcceptedFile } from '../acceptedChanges.ts';
import { toChange } from '../Change.ts';
import type { SourceDocument } from '../Contract.ts';
import { compareContracts, sortChanges } from '../compareContracts.ts';
import { readOperationsLog } from '../documents/readOperationsLog.ts';
import { directiveGuards, federationGuards } from '../guards/directiveGuards.ts';
import { createLocator } from '../report/createLocator.ts';
import { type Report, reportChanges } from '../report/Report.ts';
import { readOpenApi } from '../rest/OpenApi.ts';
import { UsageError } from '../UsageError.ts';
import { readUsage } from '../usage/readUsage.ts';
import type { RecordedUsage } from '../usage/Usage.ts';
import { folderSource } from './folderSource.ts';
import { readBase } from './readBase.ts';
import { type Configuration, readConfiguration } from './readConfiguration.ts';
import { readContract } from './readContract.ts';

/** Options of a check. */
export interface CheckOptions {
  /** Folder that the other paths are relative to. */
  readonly directory: string;
  /** Path of the configuration; the project is the folder of this file. */
  readonly configurationFile: string;
  /** A git ref, folder, file or URL; undefined lets git choose. */
  readonly base: string | undefined;
  /** Files with operations that clients were seen to send. */
  readonly operationsLogs: readonly string[];
}

/**
 * Compares the contract in the working tree of a project with that of a base.
 *
 * @throws UsageError if the check is not possible
 */
export async function checkProject({
  directory: current,
  configurationFile,
  base: name,
  operationsLogs,
}: CheckOptions): Promise<Report> {
  const configuration = readConfiguration(path.resolve(current, configurationFile), configurationFile);
  const directory = path.dirname(path.resolve(current, configurationFile));
  const source = folderSource(directory);
  const next = await readContract(source, configuration);
  const [absent] = next.missing;
  if (absent !== undefined)
    throw new UsageError(
      `${configurationFile} names ${absent}, which does not exist. Create the file, or correct its path.`,
    );
  assertSchema(configuration, next.contract.api);
  const { base, contract, missing } = await readBase({ directory, current, name }, configuration);
  const { guards } = configuration;
  const usage = await readRecordedUsage(configuration, directory);
  const found = compareContracts(contract, next.contract, {
    guards: directiveGuards(guards ? { ...guards, public: guards.public ?? null } : federationGuards),
    known: operationsLogs.flatMap(readOperationsLog),
    usage,
  });
  const failures =
    next.failure === null ? [] : [toChange('composition-failed', configurationFile, next.failure)];
  const accepted = readAcceptedFile(directory, configuration.acceptedChanges);
  const { openApi, operations, api, supergraph } = contract;
  const locate = createLocator({
    sdl: await readSdl(configuration, source.read),
    routes: new Map(),
    openApi: configuration.openApi ?? configurationFile,
    api: configuration.api ?? configuration.supergraph ?? configurationFile,
  });
  return {
    base,
    isBaseEmpty: api === null && supergraph === null && openApi === null && operations.length === 0,
    missing,
    compared: [
      ...(configuration.subgraphs ? [counted(configuration.subgraphs.length, 'subgraph')] : []),
      ...(next.contract.api === null ? [] : ['a public schema']),
      ...(next.contract.openApi
        ? [counted(readOpenApi(next.contract.openApi).operations.size, 'route')]
        : []),
      counted(next.contract.operations.length, 'registered operation'),
      ...(usage ? [`${counted(usage.recordedDays, 'day')} of usage`] : []),
    ],
    ...reportChanges(
      sortChanges([...failures, ...next.findings, ...found]),
      accepted,
      locate,
      configuration.rulesUrl,
    ),
    acceptedChangesFile: configuration.acceptedChanges,
    staleFiles: next.stale,
  };
}

/** Refuses a public schema of the project that is not valid. Subgraphs are checked by their composition. */
function assertSchema({ api: file = 'The public schema' }: Configuration, api: string | null): void {
  if (api === null) return;
  try {
    buildSchema(api);
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    const [line] = error instanceof GraphQLError ? (error.locations ?? []) : [];
    const place = line ? `, line ${line.line}` : '';
    throw new UsageError(
      `${file} is not a valid schema (${reason.replace(/\.$/, '')}${place}). Correct it.`,
      {
        cause: error,
      },
    );
  }
}

async function readRecordedUsage(
  { usage, usageRules: rules }: Configuration,
  directory: string,
): Promise<RecordedUsage | undefined> {
  if (usage === undefined) return undefined;
  return readUsage({ source: usage, directory, rules, nowMs: Date.now() });
}

/** Returns the handwritten SDL: that of the subgraphs, otherwise the public schema or the supergraph. */
async function readSdl(
  { subgraphs, api, supergraph }: Configuration,
  read: (file: string) => Promise<string | null>,
): Promise<SourceDocument[]> {
  const files = subgraphs?.map(({ file }) => file) ?? [api ?? supergraph ?? []].flat();
  return Promise.all(files.map(async (file) => ({ file, text: (await read(file)) ?? '' })));
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
