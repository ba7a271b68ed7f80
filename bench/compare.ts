import { Pool } from 'undici';
import type { Program } from '../test/support/startProgram.ts';

/** One request that is sent again and again. */
export interface Load {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A server under its load. */
export interface Subject {
  target: Program;
  load: Load;
}

/** What a comparison found; ratios are the first subject's figure over the second's, medians over the rounds. */
export interface Comparison {
  cpuRatio: number;
  throughputRatio: number;
  /** Microseconds of CPU per request. */
  cpuMicros: [number, number];
  /** Requests per second. */
  throughput: [number, number];
}

interface Round {
  cpuMicros: number;
  throughput: number;
}

const connections = 8;

/**
 * Compares two servers in one run: short rounds in turn, so that what the machine does besides hits both. CPU per
 * request is the steady figure on a noisy machine.
 */
export async function compare(
  first: Subject,
  second: Subject,
  { rounds = 7, roundMs = 1500 } = {},
): Promise<Comparison> {
  const pools = [first, second].map(({ target }) => new Pool(target.url, { connections })) as [Pool, Pool];
  const measured: [Round[], Round[]] = [[], []];
  for (const index of [0, 1] as const)
    await runRound([first, second][index] as Subject, pools[index], roundMs);
  for (let round = 0; round < rounds; round++) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      measured[index].push(await runRound([first, second][index] as Subject, pools[index], roundMs));
    }
  }
  await Promise.all(pools.map((pool) => pool.close()));
  const figure = (index: 0 | 1, key: keyof Round) => median(measured[index].map((round) => round[key]));
  const ratio = (key: keyof Round) =>
    median(measured[0].map((round, at) => round[key] / (measured[1][at] as Round)[key]));
  return {
    cpuRatio: ratio('cpuMicros'),
    throughputRatio: ratio('throughput'),
    cpuMicros: [figure(0, 'cpuMicros'), figure(1, 'cpuMicros')],
    throughput: [figure(0, 'throughput'), figure(1, 'throughput')],
  };
}

async function runRound({ target, load }: Subject, pool: Pool, roundMs: number): Promise<Round> {
  const cpuBefore = target.cpuSeconds();
  const begun = performance.now();
  let requests = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - begun < roundMs) {
      const { statusCode, body } = await pool.request(load);
      const text = await body.text();
      if (statusCode !== 200)
        throw new Error(`${target.name} answered ${statusCode} to ${load.path}: ${text.slice(0, 300)}`);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - begun) / 1000;
  return { cpuMicros: ((target.cpuSeconds() - cpuBefore) * 1e6) / requests, throughput: requests / seconds };
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
