import { execFile } from 'node:child_process';
import { access, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const inPackage = 'usr/share/doc/debian-handbook/html';
const corpus = fileURLToPath(new URL('./corpus', import.meta.url));

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the folder of the Debian Administrator's Handbook with its 26 languages: the installed one, or the package's
 * content next to this file, downloaded with apt and unpacked without an installation.
 *
 * @throws Error if neither is available
 */
export async function obtainHandbook(): Promise<string> {
  const installed = path.join('/', inPackage);
  if (await exists(installed)) return installed;
  const unpacked = path.join(corpus, inPackage);
  if (await exists(unpacked)) return unpacked;
  await mkdir(corpus, { recursive: true });
  await run('apt-get', ['download', 'debian-handbook'], { cwd: corpus });
  const archive = (await readdir(corpus)).find((name) => name.endsWith('.deb'));
  if (!archive) throw new Error('apt-get brought no package "debian-handbook": run "apt-get update" first.');
  await run('dpkg-deb', ['-x', path.join(corpus, archive), corpus]);
  return unpacked;
}
