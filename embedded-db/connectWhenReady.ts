import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import type { Tethered } from './spawnTethered.ts';

/** Maximum duration of a start in milliseconds. Recovery after a crash can take a while. */
const startLimitMs = 120_000;
const pollMs = 10;

/**
 * Connects to a server that is starting.
 *
 * @param name display name of the program
 * @param open rejects while the server does not accept connections
 * @throws EmbeddedDbError if the server ends or takes too long
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
