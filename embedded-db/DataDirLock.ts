import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import { tryLock } from './flock.ts';
import { endOrphans } from './orphans.ts';
import { findProgram } from './runProgram.ts';

/** Time for the orderly shutdown of a database whose owner was killed, in seconds. */
const shutdownSeconds = 3;
/** After its processes were killed only the kernel has work left. */
const killedSeconds = 5;

/**
 * Ensures one process for each data directory, by two kernel locks (flock). The process that started the database holds
 * `lock` until it ends. The database processes inherit `engine.lock`, which ends with the last of them. A process that
 * gets only the first lock has found orphans of an earlier run, which it ends. The locks work across containers that
 * share the directory, where process ids are not comparable.
 *
 * Without flock(1) (not Linux) there is only the engine's own lock file.
 */
export class DataDirLock {
  /** Descriptor of the lock that the database processes inherit. */
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
