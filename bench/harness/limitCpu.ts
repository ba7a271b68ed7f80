import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Period of the quota in microseconds. */
const periodUs = 100_000;

/** Paths of cgroups: one hierarchy for all controllers, or one for the CPU. */
const trees = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];

/**
 * Limits a process to a share of one processor, as a container's limit does. Requires root and Linux.
 *
 * @param share as in 0.2
 * @returns a function that removes the limit; null if this process may not set one
 */
export function limitCpu(pid: number, share: number): (() => void) | null {
  const tree = trees.find((folder) => existsSync(path.join(folder, 'cgroup.procs')));
  if (tree === undefined) return null;
  const group = path.join(tree, `trigate-bench-${pid}`);
  const quotaUs = Math.round(share * periodUs);
  try {
    mkdirSync(group);
    if (existsSync(path.join(group, 'cpu.cfs_quota_us'))) {
      writeFileSync(path.join(group, 'cpu.cfs_period_us'), String(periodUs));
      writeFileSync(path.join(group, 'cpu.cfs_quota_us'), String(quotaUs));
    } else writeFileSync(path.join(group, 'cpu.max'), `${quotaUs} ${periodUs}`);
    writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
  } catch {
    return null;
  }
  return () => {
    writeFileSync(path.join(tree, 'cgroup.procs'), String(pid));
    rmdirSync(group);
  };
}
