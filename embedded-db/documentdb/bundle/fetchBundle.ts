import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDbError, reasonOf } from '../../EmbeddedDbError.ts';
import { ProgramFailed, runProgram } from '../../runProgram.ts';
import { bundleLayout } from '../bundleLayout.ts';
import { Apt, type AptPackage, DEBIAN_ARCHITECTURE } from './Apt.ts';
import { assembleBundle, MissingLibraries } from './assembleBundle.ts';
import { ROOT_PACKAGE, selectPackages } from './selectPackages.ts';

/** Testing first: it is built to work together. Unstable has the packages when testing has lost them for a while. */
const SUITES = ['forky', 'sid'];
const UNPACK_LIMIT_MS = 120_000;
const PROGRESS_MS = 2_000;

export interface FetchOptions {
  cacheDir: string;
  mirror: string;
  progress: (line: string) => void;
}

/** Changes with the layout, so that a bundle of an older version of this program is not taken for one of this. */
export function bundleDirectory(cacheDir: string): string {
  return join(cacheDir, `documentdb-1-${DEBIAN_ARCHITECTURE ?? process.arch}`);
}

export function findBundle(cacheDir: string): string | undefined {
  const directory = bundleDirectory(cacheDir);
  return existsSync(bundleLayout(directory).manifest) ? directory : undefined;
}

/**
 * Fetches PostgreSQL and DocumentDB from Debian's signed packages and returns the bundle's directory. Interrupted, it
 * goes on where it was; the bundle appears under its name only when it is complete; of several processes one fetches
 * and the others wait for it.
 */
export async function fetchBundle(options: FetchOptions): Promise<string> {
  const { cacheDir, progress } = options;
  const workDir = `${bundleDirectory(cacheDir)}.partial`;
  mkdirSync(workDir, { recursive: true });
  // The kernel's lock on a file that every apt process inherits: should this process be killed, the next one does not
  // touch the directory before the last apt has ended.
  const lock = openSync(`${bundleDirectory(cacheDir)}.lock`, 'w');
  try {
    await waitForLock(lock, progress);
    const present = findBundle(cacheDir);
    if (present) return present;
    return await fetchFromSuites(options, workDir, lock);
  } finally {
    closeSync(lock);
  }
}

async function waitForLock(lock: number, progress: (line: string) => void): Promise<void> {
  try {
    await runProgram('flock', ['-n', '3'], { inherit: [lock] });
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    progress('embedded database: another process is fetching it, waiting');
    await runProgram('flock', ['3'], { inherit: [lock] });
  }
}

async function fetchFromSuites(options: FetchOptions, workDir: string, lock: number): Promise<string> {
  const failures: string[] = [];
  for (const suite of SUITES) {
    try {
      const apt = await Apt.prepare({ directory: workDir, mirror: options.mirror, suite, lock });
      return await fetchFromSuite(apt, suite, options, workDir);
    } catch (error) {
      failures.push(`${suite}: ${reasonOf(error)}`);
    }
  }
  throw new EmbeddedDbError(
    `DocumentDB could not be fetched from ${options.mirror} (${failures.join('; ')})`,
  );
}

async function fetchFromSuite(
  apt: Apt,
  suite: string,
  options: FetchOptions,
  workDir: string,
): Promise<string> {
  const { progress, cacheDir } = options;
  progress(`embedded database: reading the package index of Debian ${suite} (once)`);
  await apt.update();
  const { needed, rest } = await selectPackages(apt);
  const packages = await apt.describe(needed);
  await download(apt, packages, progress);
  const assembled = join(workDir, 'bundle');
  try {
    await unpackAndAssemble(apt, workDir, assembled, progress);
  } catch (error) {
    if (!(error instanceof MissingLibraries)) throw error;
    progress(
      `embedded database: ${error.message} is not where it used to be, fetching all that Debian would install`,
    );
    await download(apt, await apt.describe([...needed, ...rest]), progress);
    await unpackAndAssemble(apt, workDir, assembled, progress);
  }
  const root = packages.find(({ name }) => name === ROOT_PACKAGE);
  writeFileSync(bundleLayout(assembled).manifest, JSON.stringify({ suite, sha256: root?.sha256 }));
  const target = bundleDirectory(cacheDir);
  rmSync(target, { recursive: true, force: true });
  renameSync(assembled, target);
  rmSync(workDir, { recursive: true, force: true });
  progress('embedded database: ready');
  return target;
}

async function download(apt: Apt, packages: AptPackage[], progress: (line: string) => void): Promise<void> {
  const totalBytes = packages.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = () => {
    const bytes = filesIn(apt.packagesDirectory).reduce((sum, path) => sum + statSync(path).size, 0);
    progress(
      `embedded database: fetched ${megabytes(Math.min(bytes, totalBytes))} of ${megabytes(totalBytes)} MB`,
    );
  };
  report();
  const timer = setInterval(report, PROGRESS_MS);
  try {
    await apt.download(packages.map(({ name }) => name));
    // Apt takes a file of the right length for a finished one. What was interrupted, or copied in by hand, may not be.
    if (removeAllBut(apt.packagesDirectory, packages)) {
      await apt.download(packages.map(({ name }) => name));
      if (removeAllBut(apt.packagesDirectory, packages))
        throw new Error('a downloaded package has the wrong hash');
    }
  } finally {
    clearInterval(timer);
  }
  report();
}

/** Removes every file that is not one of the packages, byte for byte. True when a package is missing afterwards. */
function removeAllBut(directory: string, packages: readonly AptPackage[]): boolean {
  const missing = new Set(packages.map(({ sha256 }) => sha256));
  for (const path of filesIn(directory)) {
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    if (!missing.delete(sha256)) rmSync(path, { recursive: true });
  }
  return missing.size > 0;
}

async function unpackAndAssemble(
  apt: Apt,
  workDir: string,
  assembled: string,
  progress: (line: string) => void,
): Promise<void> {
  progress('embedded database: unpacking');
  const unpacked = join(workDir, 'unpacked');
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  const open = filesIn(apt.packagesDirectory);
  const unpackSome = async () => {
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      await runProgram('dpkg-deb', ['-x', path, unpacked], { timeoutMs: UNPACK_LIMIT_MS });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, unpackSome));
  assembleBundle(unpacked, assembled);
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(directory, entry.name));
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
