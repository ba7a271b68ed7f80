import type { Files } from '../../examples/checkFiles.ts';
import type { UsageRules } from '../../src/usage/Usage.ts';
import { type StoreFile, store, storeOpenApi } from './store.ts';

/** A change of the store. */
export interface Planted {
  /** What is changed, as in `removes a field that an operation selects`. */
  readonly title: string;
  /** Files that differ from the store; null deletes a file. */
  readonly files: Readonly<Record<string, string | null>>;
  /** Whether the check fails. */
  readonly verdict: 'refused' | 'passed';
  /** Severity and id of each reported change; without safe ones, unless there are only safe ones. */
  readonly reported: readonly string[];
  /** Lines of recorded usage, and how they are judged. */
  readonly usage?: string;
  readonly usageRules?: Partial<UsageRules>;
  /** Day of the check; the default is 2026-11-28. */
  readonly today?: string;
}

/** Returns a row whose verdict is `refused` if one of the reported changes is breaking. */
export function planted(
  title: string,
  files: Planted['files'],
  reported: readonly string[],
  more: Pick<Planted, 'usage' | 'usageRules' | 'today'> = {},
): Planted {
  const verdict = reported.some((change) => change.startsWith('breaking ')) ? 'refused' : 'passed';
  return { title, files, verdict, reported, ...more };
}

/** Replaces texts of a file of the store. */
export function edit(
  file: StoreFile,
  ...replacements: (readonly [from: string, to: string])[]
): Planted['files'] {
  return {
    [file]: replacements.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} does not contain ${JSON.stringify(from)}`);
      return text.replace(from, to);
    }, store[file]),
  };
}

/** Changes the OpenAPI document of the store. */
export function editOpenApi(change: (document: typeof storeOpenApi) => void): Planted['files'] {
  const document = structuredClone(storeOpenApi);
  change(document);
  return { 'openapi.json': JSON.stringify(document) };
}

/** Returns the files of the store with a change. */
export function plant(files: Planted['files']): Files {
  const all = Object.entries({ ...store, ...files });
  return Object.fromEntries(all.flatMap(([file, text]) => (text === null ? [] : [[file, text]])));
}
