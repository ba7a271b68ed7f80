import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const folder = import.meta.dirname;
const oldestJava = 17;

/** Program that is run by the Java launcher, which compiles it. */
export const nodeSource = path.join(folder, 'OpenSearchNode.java');

/**
 * Returns the folder of the Java archives, which is filled at the first call. It is a folder of the user's cache, and of
 * the contents of `pom.xml`.
 *
 * @throws Error with the output of Maven
 */
export function openSearchLibrary(): string {
  const library = libraryFolder();
  if (existsSync(library)) return library;
  const unfinished = `${library}.${process.pid}`;
  const { status, stdout, stderr } = spawnSync(
    'mvn',
    [
      '--quiet',
      '--batch-mode',
      '--file',
      path.join(folder, 'pom.xml'),
      'dependency:copy-dependencies',
      `-DoutputDirectory=${unfinished}`,
      '-DincludeScope=runtime',
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`Maven could not download OpenSearch:\n${stdout}${stderr}`);
  }
  try {
    renameSync(unfinished, library);
  } catch (error) {
    // Another process was faster.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(library)) throw error;
  }
  return library;
}

/** Returns why OpenSearch cannot run on this machine. Undefined if it can. */
export function openSearchObstacle(): string | undefined {
  const { stdout, error } = spawnSync('java', ['--list-modules'], { encoding: 'utf8' });
  const version = /^jdk\.compiler@(\d+)/m.exec(stdout ?? '')?.[1];
  if (error || Number(version ?? 0) < oldestJava)
    return `needs a Java development kit ${oldestJava} or newer; ${version ? `found ${version}` : 'found none'}`;
  if (!existsSync(libraryFolder()) && spawnSync('mvn', ['--version']).error)
    return 'needs Maven for the first download; found none';
  return undefined;
}

function libraryFolder(): string {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  const pom = readFileSync(path.join(folder, 'pom.xml'), 'utf8');
  const version = /<opensearch\.version>([^<]+)/.exec(pom)?.[1] ?? '';
  const digest = createHash('sha256').update(pom).digest('hex').slice(0, 8);
  return path.join(cache, 'trigate', `opensearch-${version}-${digest}`);
}
