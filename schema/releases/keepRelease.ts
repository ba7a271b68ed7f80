import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRelease } from '../schema/releases/storedReleases.ts';

const projectRoot = path.join(import.meta.dirname, '..');

/**
 * `npm run release -- <name> [--ref <git ref>]`: keeps the committed contract, of now or of a commit, as a release that
 * the changelog tells changes against. Answers 0, or 1 with the reason.
 */
function release(args: string[]): number {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { ref: { type: 'string' } },
  });
  const [name] = positionals;
  if (name === undefined || positionals.length !== 1)
    throw new Error('usage: npm run release -- <name> [--ref <git ref>]');
  const { ref } = values;
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
  console.log(`kept ${path.relative(projectRoot, file)}; npm run generate tells of it`);
  return 0;
}

try {
  process.exitCode = release(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
