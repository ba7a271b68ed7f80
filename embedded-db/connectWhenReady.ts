import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import type { Tethered } from './spawnTethered.ts';

/** Recovery after a crash can take a while; a start that takes longer than this is stuck. */
const startLimitMs = 120_000;
const pollMs = 10;

/**
 * Connects to a server that is starting.
 *
 * @param name of the program, for people
 * @param open rejects as long as the server takes no connections
 * @throws EmbeddedDbError when the server ends or takes too long
 */
export async function connectWhenReady<C>(
  { server, name }: { server: Tethered; name: string },
  open: () => Promise<C>,
): Promise<C> {
  const deadline = Date.now() + startLimitMs;
  for (;;) {
    if (server.hasExited) throw new EmbeddedDbError(`${name} did not start: ${server.lastOutput()}`);
    try {
      return await open();
    } catch (error) {
      if (Date.now() > deadline)
        throw new EmbeddedDbError(`${name} is not ready after ${startLimitMs / 1000} s`, { cause: error });
    }
    await delay(pollMs);
  }
}
