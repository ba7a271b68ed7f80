/** How long a process has for what it began, before another one takes it up. */
export const takeUpMs = 15_000;

/**
 * How long a process that was killed keeps others out of the jobs that go on with money. Together with the rest of such a
 * job (15 s) and `takeUpMs` it stays below a minute.
 */
export const leaseMs = 20_000;
