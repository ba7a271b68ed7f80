import picomatch from 'picomatch';
import { type Change, toChange } from '../src/Change.ts';
import { compareContracts, sortChanges } from '../src/compareContracts.ts';
import { directiveGuards, federationGuards, type GuardDirectives } from '../src/guards/directiveGuards.ts';
import type { Configuration } from '../src/project/readConfiguration.ts';
import { type ReadContract, readContract } from '../src/project/readContract.ts';
import type { Source } from '../src/project/Source.ts';
import { parseUsage } from '../src/usage/readUsage.ts';
import { defaultRules, type UsageRules } from '../src/usage/Usage.ts';
import { createPlanInProcess } from './planInProcess.ts';

/** Files of a project by path, relative to its folder. */
export type Files = Readonly<Record<string, string>>;

/** Settings of a check besides the files. */
export interface CheckSettings {
  readonly guards?: GuardDirectives;
  /** Lines of recorded usage. */
  readonly usage?: string;
  readonly usageRules?: Partial<UsageRules>;
  /** Time of the check. */
  readonly now?: Date;
}

const configurationOf = (files: Files): Configuration => ({
  ...('supergraph.graphql' in files
    ? { supergraph: 'supergraph.graphql' }
    : { subgraphs: subgraphsOf(files).map((name) => ({ name, file: `${name}.graphql`, url: '' })) }),
  ...('openapi.json' in files && { openApi: 'openapi.json' }),
  operations: ['operations/*'],
  acceptedChanges: 'accepted-changes.yaml',
  usageRules: defaultRules,
});

const contracts = new Map<string, Promise<ReadContract>>();
const plan = createPlanInProcess();

/**
 * Compares two states of a project as the command does, without git and without files. Each `.graphql` file outside of
 * `operations/` is a subgraph.
 */
export async function checkFiles(base: Files, next: Files, settings: CheckSettings = {}): Promise<Change[]> {
  const { guards = federationGuards, usage, usageRules, now = new Date() } = settings;
  const [before, after] = [await read(base), await read(next)];
  if (before.failure !== null) throw new Error(`the base does not compose: ${before.failure}`);
  const rules = { ...defaultRules, ...usageRules };
  const changes = compareContracts(before.contract, after.contract, {
    guards: directiveGuards(guards),
    usage:
      usage === undefined ? undefined : parseUsage(usage, 'usage.jsonl', { rules, nowMs: now.getTime() }),
    today: now.toISOString().slice(0, 10),
    plan,
  });
  const failures =
    after.failure === null ? [] : [toChange('composition-failed', 'schema-check.json', after.failure)];
  return sortChanges([...failures, ...after.findings, ...changes]);
}

/** Reads the schema and the other parts separately, because most changes leave the schema, whose composition takes longest. */
async function read(files: Files): Promise<ReadContract> {
  const isSchema = (file: string) => /^[\w-]+\.graphql$/.test(file);
  const [schema, rest] = [
    await readCached(pick(files, isSchema)),
    await readCached(pick(files, (file) => !isSchema(file))),
  ];
  const { supergraph, api } = schema.contract;
  return {
    ...rest,
    failure: schema.failure,
    contract: { ...rest.contract, supergraph, api },
  };
}

function pick(files: Files, isWanted: (file: string) => boolean): Files {
  return Object.fromEntries(Object.entries(files).filter(([file]) => isWanted(file)));
}

function readCached(files: Files): Promise<ReadContract> {
  const key = JSON.stringify(files);
  const known = contracts.get(key) ?? readContract(sourceOf(files), configurationOf(files));
  contracts.set(key, known);
  return known;
}

function subgraphsOf(files: Files): string[] {
  return Object.keys(files).flatMap((file) => /^([\w-]+)\.graphql$/.exec(file)?.[1] ?? []);
}

function sourceOf(files: Files): Source {
  return {
    name: 'files',
    commit: null,
    read: async (file) => files[file] ?? null,
    list: async (globs) => Object.keys(files).filter((file) => picomatch.isMatch(file, [...globs])),
  };
}
