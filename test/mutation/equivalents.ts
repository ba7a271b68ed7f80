import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listMutants, type Mutant } from './listMutants.ts';
import type { Folder } from './scope.ts';

/** A mutant that changes no behaviour, so that no test can notice it. */
export interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

export const equivalents = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'equivalent.json'), 'utf8'),
) as readonly Equivalent[];

/** Lists the mutants of a file, as a path from the root of the repository. */
export function readMutants(file: string): readonly Mutant[] {
  return listMutants(file, readFileSync(file, 'utf8'));
}

/** Lists the entries that match no mutant of the scope. Such an entry would hide a later mutant with the same text. */
export function findStale(scope: readonly Folder[]): readonly Equivalent[] {
  const known = new Set(scope.flatMap(({ files }) => files.flatMap(readMutants)).map(keyOf));
  return equivalents.filter((entry) => !known.has(keyOf(entry)));
}

/** Identifies a mutant by its text, because line numbers change with every edit of the file. */
export function keyOf({ file, before, after }: Pick<Mutant, 'file' | 'before' | 'after'>): string {
  return JSON.stringify([file, before, after]);
}
