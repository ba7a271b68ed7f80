import { ProgramFailed, runProgram } from './runProgram.ts';

const lockedByAnother = 1;

/**
 * Locks an open file by flock(1), which locks the inherited descriptor, so that no native code is needed. The lock ends
 * with the last process that holds the descriptor.
 *
 * @param options of flock(1), such as `-n`
 * @returns false if another process has the lock
 */
export async function tryLock(descriptor: number, ...options: string[]): Promise<boolean> {
  try {
    await runProgram('flock', [...options, '3'], { inherit: [descriptor] });
    return true;
  } catch (error) {
    if (error instanceof ProgramFailed && error.exitCode === lockedByAnother) return false;
    throw error;
  }
}
