import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeRelease } from './storedReleases.ts';

const projectRoot = path.join(import.meta.dirname, '../..');

/**
 * Stores the committed contract as a release, with which the changelog compares later changes.
 *
 * @param ref git ref of the contract; the current files by default
 * @returns the file, relative to the project
 */
export function keepRelease(name: string, ref?: string): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const read = (file: string) =>
    ref === undefined ? readFileSync(path.join(projectRoot, file), 'utf8') : git('show', `${ref}:${file}`);
  const at = ref === undefined ? Date.now() : Number(git('show', '-s', '--format=%ct', ref)) * 1000;
  const file = writeRelease(path.join(projectRoot, 'schema/releases'), {
    name,
    at: new Date(at).toISOString(),
    api: read('schema/api.graphql'),
    supergraph: read('schema/supergraph.graphql'),
    openApi: JSON.stringify(JSON.parse(read('schema/openapi.json'))),
  });
  return path.relative(projectRoot, file);
}
