import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type CacheEntry, downloadOnce, findCached } from '../../downloadOnce.ts';
import { EmbeddedDbError, reasonOf } from '../../EmbeddedDbError.ts';
import { findProgram, runProgram } from '../../runProgram.ts';
import { bundleLayout } from '../bundleLayout.ts';
import { Apt, type AptPackage, debianArchitecture, findAptProxy, findDebianMirror, hasApt } from './Apt.ts';
import { assembleBundle, MissingLibraries } from './assembleBundle.ts';
import { downloadPackages } from './downloadPackages.ts';
import { rootPackage, selectPackages } from './selectPackages.ts';

/** Testing first: it is built to work together. Unstable has the packages when testing has lost them for a while. */
const suites = ['forky', 'sid'];
const unpackLimitMs = 120_000;

type Progress = (line: string) => void;

export interface ObtainOptions {
  cacheDir: string;
  progress: Progress;
}

/**
 * Returns the cache entry. Its name changes with the layout, so that a bundle of an older version of this program is
 * not used.
 */
function cacheEntry(cacheDir: string): CacheEntry {
  const directory = join(cacheDir, `documentdb-1-${debianArchitecture ?? process.arch}`);
  return { directory, proof: 'bundle.json' };
}

/** Returns the directory of the bundle in the cache. */
export function bundleDirectory(cacheDir: string): string {
  return cacheEntry(cacheDir).directory;
}

/** Returns the bundle's directory if it is in the cache. */
export function findBundle(cacheDir: string): string | undefined {
  return findCached(cacheEntry(cacheDir));
}

/**
 * Returns the directory with PostgreSQL and DocumentDB, built from Debian's signed packages if it is not in the cache.
 *
 * @throws EmbeddedDbError that states what is missing
 */
export async function obtainBundle({ cacheDir, progress }: ObtainOptions): Promise<string> {
  const cached = findBundle(cacheDir);
  if (cached) return cached;
  if (!hasApt(findProgram)) {
    throw new EmbeddedDbError(
      'DocumentDB comes from Debian packages, and this machine lacks apt or the Debian keyring',
    );
  }
  const mirror = process.env.EMBEDDED_DB_MIRROR || (await findDebianMirror());
  if (!mirror) {
    throw new EmbeddedDbError('apt on this machine has no Debian mirror; set one with EMBEDDED_DB_MIRROR');
  }
  return downloadOnce(cacheEntry(cacheDir), {
    name: `DocumentDB of ${mirror}`,
    firstHop: (await findAptProxy()) ?? mirror,
    progress,
    download: (workDir, lock) => downloadFromSuites(mirror, workDir, lock, progress),
  });
}

async function downloadFromSuites(
  mirror: string,
  workDir: string,
  lock: number,
  progress: Progress,
): Promise<string> {
  const failures: string[] = [];
  for (const suite of suites) {
    try {
      const apt = await Apt.prepare({ directory: workDir, mirror, suite, lock });
      progress(`embedded database: reading the package index of Debian ${suite} (once)`);
      await apt.update();
      return await makeBundle(apt, suite, workDir, progress);
    } catch (error) {
      failures.push(`${suite}: ${reasonOf(error)}`);
    }
  }
  throw new Error(failures.join('; '));
}

async function makeBundle(apt: Apt, suite: string, workDir: string, progress: Progress): Promise<string> {
  const { needed, all } = await selectPackages(apt);
  const bundle = join(workDir, 'bundle');
  const assemble = async (packages: readonly AptPackage[]) => {
    const files = await downloadPackages(apt, packages, progress);
    progress('embedded database: unpacking');
    await assembleBundle(await unpack(files, join(workDir, 'unpacked')), bundle);
  };
  try {
    await assemble(needed);
  } catch (error) {
    if (!(error instanceof MissingLibraries)) throw error;
    progress(
      `embedded database: ${error.message} is not where it used to be, downloading all that Debian would install`,
    );
    await assemble(all);
  }
  const root = needed.find(({ name }) => name === rootPackage);
  writeFileSync(bundleLayout(bundle).manifest, JSON.stringify({ suite, sha256: root?.sha256 }));
  return bundle;
}

/** Unpacks packages into one directory, as in an installation. */
async function unpack(packages: readonly string[], directory: string): Promise<string> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  await pLimit(availableParallelism()).map(packages, (path) =>
    runProgram('dpkg-deb', ['-x', path, directory], { timeoutMs: unpackLimitMs }),
  );
  return directory;
}
