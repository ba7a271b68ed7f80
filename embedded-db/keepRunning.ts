import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from './EmbeddedDbError.ts';
import type { Tethered } from './spawnTethered.ts';

const firstPauseMs = 50;
const longestPauseMs = 5_000;

export interface SupervisedServer {
  /** Starts the program. */
  launch(): Promise<Tethered>;
  /** Resolves when the server accepts connections; rejects if it ends before, or takes too long. */
  whenReady(server: Tethered): Promise<void>;
  /** Logs a line; must not throw. */
  log(line: string): void;
}

/**
 * Starts a server and restarts it whenever it ends unexpectedly. The pause before a restart doubles after each failed
 * one.
 *
 * @throws the rejection of the first start; then nothing runs
 */
export async function keepRunning(supervised: SupervisedServer): Promise<{ stop(): Promise<void> }> {
  const { launch, whenReady, log } = supervised;
  const stopping = new AbortController();
  const { signal } = stopping;
  let server = await launch();

  async function restart(): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await delay(pauseMs, undefined, { signal });
      try {
        server = await launch();
        // A stop during the launch has stopped the previous server.
        if (signal.aborted) return await server.stop();
        return await whenReady(server);
      } catch (error) {
        await server.stop();
        if (!signal.aborted) log(`the database does not start: ${reasonOf(error)}`);
      }
    }
  }

  async function supervise(): Promise<void> {
    for (;;) {
      await server.exited;
      if (signal.aborted) return;
      log('the database ended unasked and is started again');
      await restart();
    }
  }

  try {
    await whenReady(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  // It rejects only if a pause is aborted.
  const supervision = supervise().catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await server.stop();
      await supervision;
    },
  };
}
