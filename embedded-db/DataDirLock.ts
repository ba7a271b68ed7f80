import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import { findProgram, ProgramFailed, runProgram } from './runProgram.ts';

/** How long a database whose owner has just died may take to write its last page. */
const DYING_SECONDS = 15;
const LOCKED_BY_ANOTHER = 1;

/**
 * One process per data directory. The lock is the kernel's (flock), on a file descriptor that the database process
 * inherits: it holds for exactly as long as anybody works on the data, ends with the last of them however that one
 * ends, and is seen across containers that share the directory, where process numbers mean nothing. flock(1) locks
 * the open file that it inherits from us, which is how a lock can be had without native code.
 *
 * Without flock(1) (not Linux) there is only the engine's own lock file.
 */
export class DataDirLock {
  readonly descriptor: number;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** Throws an EmbeddedDbError when another running process uses the directory. */
  static async acquire(dataDir: string): Promise<DataDirLock> {
    const path = join(dataDir, 'lock');
    const descriptor = openSync(path, 'a+');
    try {
      const flock = findProgram('flock');
      if (flock) await lockOrRefuse(flock, descriptor, path, dataDir);
      ftruncateSync(descriptor);
      writeSync(descriptor, String(process.pid));
      return new DataDirLock(descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  release(): void {
    closeSync(this.descriptor);
  }
}

async function lockOrRefuse(flock: string, descriptor: number, path: string, dataDir: string): Promise<void> {
  if (await tryLock(flock, ['-n', '3'], descriptor)) return;
  const owner = Number.parseInt(readFileSync(path, 'utf8'), 10);
  // The owner is gone, its database is still shutting down: this is a restart, not a second start.
  const isRestart = owner !== process.pid && !isAlive(owner);
  if (isRestart && (await tryLock(flock, ['-w', String(DYING_SECONDS), '3'], descriptor))) return;
  throw new EmbeddedDbError(
    `the data directory ${dataDir} is in use by process ${owner}; stop that one first`,
  );
}

async function tryLock(flock: string, args: string[], descriptor: number): Promise<boolean> {
  try {
    await runProgram(flock, args, { inherit: [descriptor] });
    return true;
  } catch (error) {
    if (error instanceof ProgramFailed && error.exitCode === LOCKED_BY_ANOTHER) return false;
    throw error;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
