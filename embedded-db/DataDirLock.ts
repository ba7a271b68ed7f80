import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import { tryLock } from './flock.ts';
import { endOrphans } from './orphans.ts';
import { findProgram } from './runProgram.ts';

/** How long a database whose owner was killed may take for its orderly shutdown. */
const shutdownSeconds = 3;
/** After its processes were killed only the kernel has work left. */
const killedSeconds = 5;

/**
 * One process per data directory, by two locks of the kernel (flock). `lock` belongs to the owner, the process that
 * started the database, and ends with it. `engine.lock` is inherited by the processes of the database and ends with
 * the last of them. A process that gets the first and not the second has found orphans of a former run, which are
 * ended. Locks are visible across containers that share the directory, where process numbers mean nothing.
 *
 * Without flock(1) (not Linux) there is only the engine's own lock file.
 */
export class DataDirLock {
  /** Of the lock that the processes of the database inherit. */
  readonly engineDescriptor: number;
  readonly #ownerDescriptor: number;

  private constructor(ownerDescriptor: number, engineDescriptor: number) {
    this.#ownerDescriptor = ownerDescriptor;
    this.engineDescriptor = engineDescriptor;
  }

  /**
   * Throws an EmbeddedDbError when another running process uses the directory.
   *
   * @param folders with the data of the engines; processes that a former run left on them are ended
   */
  static async acquire(dataDir: string, folders: readonly string[]): Promise<DataDirLock> {
    const path = join(dataDir, 'lock');
    const lock = new DataDirLock(openSync(path, 'a+'), openSync(join(dataDir, 'engine.lock'), 'a+'));
    try {
      if (findProgram('flock')) await lock.#take(dataDir, folders);
      ftruncateSync(lock.#ownerDescriptor);
      writeSync(lock.#ownerDescriptor, String(process.pid));
      return lock;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  release(): void {
    closeSync(this.#ownerDescriptor);
    closeSync(this.engineDescriptor);
  }

  async #take(dataDir: string, folders: readonly string[]): Promise<void> {
    const isOwned = await tryLock(this.#ownerDescriptor, '-n');
    if (!isOwned) {
      const owner = readFileSync(join(dataDir, 'lock'), 'utf8');
      throw new EmbeddedDbError(
        `the data directory ${dataDir} is in use by process ${owner}; stop that process first`,
      );
    }
    const waitFor = (seconds: number) => tryLock(this.engineDescriptor, '-w', String(seconds));
    if (await waitFor(shutdownSeconds)) return;
    for (const folder of folders) await endOrphans(folder);
    if (await waitFor(killedSeconds)) return;
    throw new EmbeddedDbError(
      `processes of an earlier run still use the data directory ${dataDir} and could not be ended; end them manually`,
    );
  }
}
