/**
 * Runs work and returns the processor time that it took, in milliseconds. Unlike elapsed time it does not grow on a machine
 * that is busy with something else.
 */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
