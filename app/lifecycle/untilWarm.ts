import { setTimeout as pause } from 'node:timers/promises';

/**
 * Time after which a process is ready even if a large catalog is still being loaded; all other requests can be served.
 */
const longestMs = 10_000;

/** Waits until the subgraphs of a process are warm, but not for longer than a deployment should wait for a process. */
export async function untilWarm(warmed: Promise<unknown>, longest = longestMs): Promise<void> {
  await Promise.race([warmed, pause(longest, undefined, { ref: false })]);
}
