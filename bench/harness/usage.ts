import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux are hundredths of a second on every architecture that Node runs on. */
const ticksPerSecond = 100;

/**
 * Returns the memory of a process in MiB, as reported by Linux.
 *
 * @param line `VmHWM` for the peak so far
 */
export function residentMiB(pid: number, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

/** Returns the CPU seconds of a process, and of all processes it has started, including ended ones. Linux only. */
export function cpuOf(pid: number): { itself: number; children: number } {
  const parents = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat) parents.set(Number(name), stat);
  }
  let children = 0;
  for (const [one, { ticks }] of parents) if (one !== pid && descends(one, pid, parents)) children += ticks;
  return {
    itself: (parents.get(pid)?.ticks ?? 0) / ticksPerSecond,
    children: children / ticksPerSecond,
  };
}

type Stats = ReadonlyMap<number, { parent: number; ticks: number }>;

function descends(pid: number, ancestor: number, stats: Stats): boolean {
  for (let at = stats.get(pid); at; at = stats.get(at.parent)) if (at.parent === ancestor) return true;
  return false;
}

/** Reads the statistics of a process; null if it has ended. */
function readStat(pid: number): { parent: number; ticks: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}
