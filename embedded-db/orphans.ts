import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDbError } from './EmbeddedDbError.ts';

/** The loader of a bundle runs `postgres.bin`. */
const programNames: ReadonlySet<string> = new Set(['postgres', 'postgres.bin', 'mongod']);
const dataOptions: ReadonlySet<string | undefined> = new Set(['-D', '--dbpath']);
/** Maximum time in milliseconds for a killed process to end while it waits for the disk. */
const endLimitMs = 5_000;
const pollMs = 5;

/**
 * Returns the ids of the engine processes that use the data in `folder`; empty without /proc. It compares command
 * lines, because each process of PostgreSQL leads a separate process group. A process title replaces only the program
 * name; the bundle's loader keeps the other arguments.
 */
export function findEngineProcesses(folder: string): number[] {
  return processIds().filter((id) => {
    const args = commandLineOf(id);
    const option = args[args.indexOf(folder) - 1];
    return dataOptions.has(option) && args.some((argument) => programNames.has(basename(argument)));
  });
}

/**
 * Kills the processes that an earlier run left on the data in `folder`, and waits for their end. The engines recover
 * from their journals. The caller holds the lock of the data directory, so none of them belongs to a running owner.
 *
 * @throws EmbeddedDbError if one of them does not end
 */
export async function endOrphans(folder: string): Promise<void> {
  const deadline = Date.now() + endLimitMs;
  for (let left = findEngineProcesses(folder); left.length > 0; left = findEngineProcesses(folder)) {
    // Repeated in each round, because a server may have started another process.
    for (const id of left) kill(id);
    if (Date.now() > deadline)
      throw new EmbeddedDbError(`processes of an earlier run on ${folder} do not end: ${left.join(', ')}`);
    await delay(pollMs);
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has already ended, or belongs to another user.
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function commandLineOf(id: number): string[] {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // it has ended meanwhile
  }
}
