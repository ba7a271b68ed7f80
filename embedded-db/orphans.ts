import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDbError } from './EmbeddedDbError.ts';

/** The loader of a bundle runs `postgres.bin`. */
const programNames: ReadonlySet<string> = new Set(['postgres', 'postgres.bin', 'mongod']);
const dataOptions: ReadonlySet<string | undefined> = new Set(['-D', '--dbpath']);
/** A killed process that waits for the disk takes a moment to end. */
const endLimitMs = 5_000;
const pollMs = 5;

/**
 * The ids of the engine processes that work on the data in `folder`; empty where there is no /proc. Their command lines
 * are compared, because each process of PostgreSQL leads a process group of its own. The title that it gives itself
 * replaces only the name of the program: the loader of the bundle keeps the other arguments apart from it.
 */
export function findEngineProcesses(folder: string): number[] {
  return processIds().filter((id) => {
    const args = commandLineOf(id);
    const option = args[args.indexOf(folder) - 1];
    return dataOptions.has(option) && args.some((argument) => programNames.has(basename(argument)));
  });
}

/**
 * Kills the processes that a former run left on the data in `folder`, and waits for their end. The engines recover from
 * that by their journals. The caller holds the lock of the data directory, so none of them belongs to a running owner.
 *
 * @throws EmbeddedDbError when one of them does not end
 */
export async function endOrphans(folder: string): Promise<void> {
  const deadline = Date.now() + endLimitMs;
  for (let left = findEngineProcesses(folder); left.length > 0; left = findEngineProcesses(folder)) {
    // Again in each round: a server may have started one more process meanwhile.
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
    // It has ended meanwhile, or is another user's.
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
