import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Contract, emptyContract } from '../Contract.ts';
import { fetchText } from '../fetchText.ts';
import { commitOf, findBase } from '../git/git.ts';
import { UsageError } from '../UsageError.ts';
import { commitSource } from './commitSource.ts';
import { folderSource } from './folderSource.ts';
import type { Configuration } from './readConfiguration.ts';
import { deriveApi, parseOpenApi, readContract } from './readContract.ts';
import type { Source } from './Source.ts';
import { urlSource } from './urlSource.ts';

/** The contract that a project is compared with. */
export interface BaseContract {
  /** Base; null in a repository without a commit. */
  readonly base: { readonly ref: string; readonly commit: string | null } | null;
  readonly contract: Contract;
  readonly missing: readonly string[];
}

/** Name of the base. */
interface BaseName {
  /** Folder of the project. */
  readonly directory: string;
  /** Folder that the path of a base is relative to. */
  readonly current: string;
  readonly name: string | undefined;
}

/**
 * Reads the contract of a base: a git ref, a folder or URL with the configured files, or a single document as a file or
 * URL. A name that is both a ref and a path is the ref. Without a name, git determines it (see `findBase`).
 *
 * @throws UsageError if the base does not exist or cannot be parsed
 */
export async function readBase(
  { directory, current, name }: BaseName,
  configuration: Configuration,
): Promise<BaseContract> {
  if (name !== undefined && URL.canParse(name) && /^https?:/.test(name)) {
    if (!isDocument(name)) return readFrom(urlSource(name), configuration);
    const text = await fetchText(new URL(name));
    if (text === null) throw new UsageError(`${name} does not exist (404).`);
    return readDocument(name, text);
  }
  if (name !== undefined && commitOf(directory, name) === null) {
    const file = path.resolve(current, name);
    const entry = statSync(file, { throwIfNoEntry: false });
    if (entry?.isDirectory()) return readFrom(folderSource(file), configuration);
    if (entry?.isFile() && isDocument(name)) return readDocument(name, readFileSync(file, 'utf8'));
  }
  const base = findBase(directory, name);
  if (base === null) return { base: null, contract: emptyContract, missing: [] };
  return readFrom(commitSource(directory, base), configuration);
}

function isDocument(name: string): boolean {
  return /\.(json|graphqls?)$/.test(name);
}

async function readFrom(source: Source, configuration: Configuration): Promise<BaseContract> {
  const { contract, missing, failure } = await readContract(source, configuration);
  if (failure !== null) throw new UsageError(`The subgraphs of ${source.name} do not compose: ${failure}`);
  return { base: { ref: source.name, commit: source.commit }, contract, missing };
}

/** Reads a single document, whose text determines its part of the contract. */
function readDocument(name: string, text: string): BaseContract {
  return {
    base: { ref: name, commit: null },
    contract: { ...emptyContract, ...partOf(name, text) },
    missing: [],
  };
}

function partOf(name: string, text: string): Partial<Contract> {
  const source = { name };
  if (name.endsWith('.json')) return { openApi: parseOpenApi(text, name, source) };
  return text.includes('@join__') ? { supergraph: text, api: deriveApi(text, source) } : { api: text };
}
