import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Caller } from './Caller.ts';
import { interleave, ratiosOf } from './interleave.ts';
import { describeRatios, describeTimes, percentile, report } from './report.ts';
import { sendOk } from './send.ts';

/** Delay of a reader after each response in milliseconds, so that the reader is measured and not its queue. */
const thinkMs = 4;

/** A load that runs until it is stopped. */
export interface Bustle {
  end(): Promise<void>;
}

/**
 * Reports the duration of `GET /api/v1/me`, alone and with concurrent load, alternating.
 *
 * @param beside concurrent load by name; restarted for each round
 */
export async function reportReader(
  { url, caller }: { url: string; caller: Caller },
  { rounds, roundMs }: { rounds: number; roundMs: number },
  [name, startBustle]: readonly [name: string, start: (round: number) => Bustle],
): Promise<void> {
  const pool = new Pool(url, { connections: 1 });
  try {
    await readMe(pool, caller, roundMs);
    const { alone, beside } = await interleave(rounds, {
      alone: () => readMe(pool, caller, roundMs),
      beside: async (round) => {
        const bustle = startBustle(round);
        // The measurement starts after the load has started.
        await pause(Math.min(500, roundMs / 4));
        const times = await readMe(pool, caller, roundMs);
        await bustle.end();
        return times;
      },
    });
    report('GET /api/v1/me, alone', describeTimes(alone.flat()));
    report(`GET /api/v1/me, beside ${name}`, describeTimes(beside.flat()));
    const ratios = ratiosOf(beside, alone, (times) => percentile(times, 0.99));
    report('p99 beside it : alone', `${describeRatios(ratios)}  (goal at most 3)`);
  } finally {
    await pool.close();
  }
}

/** Returns durations in milliseconds of sequential requests. */
async function readMe(pool: Pool, as: Caller, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    times.push((await sendOk(pool, { method: 'GET', path: '/api/v1/me', as })).ms);
    await pause(thinkMs);
  }
  return times;
}

/** Repeats an action, in several places concurrently, until it is stopped. */
export function startBustle(places: number, once: (place: number) => Promise<void>): Bustle {
  const over = new AbortController();
  const all = Promise.all(
    Array.from({ length: places }, async (_, place) => {
      while (!over.signal.aborted) await once(place);
    }),
  );
  // A failure is thrown by `end`, not during a measurement.
  all.catch(() => undefined);
  return {
    async end() {
      over.abort();
      await all;
    },
  };
}
