import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canConnect } from './canConnect.ts';
import { EmbeddedDbError, reasonOf } from './EmbeddedDbError.ts';
import { tryLock } from './flock.ts';
import { findProgram } from './runProgram.ts';

/** A directory of the cache. */
export interface CacheEntry {
  directory: string;
  /** A file that the complete directory has. */
  proof: string;
}

/** Options for filling a directory of the cache. */
export interface Download {
  /** Name of the download, for messages. */
  name: string;
  /** The address that is connected to first: the proxy or the origin. */
  firstHop: string;
  progress: (line: string) => void;
  /**
   * Downloads into `workDir`, which contains the files of an interrupted attempt. Returns the complete directory in it.
   *
   * @param lock descriptor that every program which writes to `workDir` must inherit
   */
  download: (workDir: string, lock: number) => Promise<string>;
}

/** Returns the directory if it is complete in the cache. */
export function findCached({ directory, proof }: CacheEntry): string | undefined {
  return existsSync(join(directory, proof)) ? directory : undefined;
}

/**
 * Fills a directory of the cache, which gets its name only when it is complete. Of several processes, one downloads and
 * the others wait for it; without flock(1) (not Linux), each downloads.
 *
 * @throws EmbeddedDbError
 */
export async function downloadOnce(
  entry: CacheEntry,
  { name, firstHop, progress, download }: Download,
): Promise<string> {
  if (!(await canConnect(firstHop))) throw new EmbeddedDbError(`${hostOf(firstHop)} cannot be reached`);
  const { directory } = entry;
  mkdirSync(join(directory, '..'), { recursive: true });
  // Programs of a killed process may still run, so the next attempt waits until the last one has ended.
  const lock = openSync(`${directory}.lock`, 'w');
  try {
    if (findProgram('flock') && !(await tryLock(lock, '-n'))) {
      progress('embedded database: another process is downloading it, waiting');
      await tryLock(lock);
    }
    const cached = findCached(entry);
    if (cached) return cached;
    const workDir = `${directory}.partial`;
    mkdirSync(workDir, { recursive: true });
    const complete = await download(workDir, lock);
    rmSync(directory, { recursive: true, force: true });
    renameSync(complete, directory);
    rmSync(workDir, { recursive: true, force: true });
    progress('embedded database: ready');
    return directory;
  } catch (error) {
    throw new EmbeddedDbError(`${name} could not be downloaded: ${reasonOf(error)}`, { cause: error });
  } finally {
    closeSync(lock);
  }
}

/** Returns the host without the credentials that the URL of a proxy may contain. */
function hostOf(address: string): string {
  return URL.parse(address)?.host || address;
}
