import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeRelease } from './storedReleases.ts';

const projectRoot = path.join(import.meta.dirname, '../..');

/**
 * Keeps the committed contract as a release that the changelog compares later changes with.
 *
 * @param ref git ref whose contract is kept; default: the files as they are now
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
