import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processes with `text` in their command line; Linux only. */
export function processesWith(text: string): number[] {
  return processIds().filter((id) => readProc(id, 'cmdline').includes(text));
}

/** Returns the direct children of a process; Linux only. */
export function childrenOf(parent: number): number[] {
  return processIds().filter((id) => Number(readProc(id, 'stat').split(') ')[1]?.split(' ')[1]) === parent);
}

/** Kills a process with SIGKILL, if it has not ended by itself. */
export function killHard(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readProc(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}
