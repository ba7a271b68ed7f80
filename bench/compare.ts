import { Pool } from 'undici';
import type { Program } from '../test/support/startProgram.ts';

/** One request that is sent again and again. */
export interface Load {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A server under its load. */
export interface Subject {
  target: Pick<Program, 'name' | 'url' | 'cpuSeconds'>;
  /** Processes that answer for the server; what they use is counted beside it. */
  behind?: readonly Pick<Program, 'cpuSeconds'>[];
  load: Load;
}

/** A figure of both subjects, medians over the rounds. */
export interface Pair {
  figures: [number, number];
  /** Median over the rounds of the first subject's figure over the second's. */
  ratio: number;
}

/** What a comparison found. */
export interface Comparison {
  /** Microseconds of CPU per request, of the server and of those behind it. */
  cpu: Pair;
  /** Of the server alone. */
  ownCpu: Pair;
  /** Requests per second. */
  throughput: Pair;
}

type Round = Record<keyof Comparison, number>;

const connections = 8;
/**
 * Cold code costs several times what it costs when it was compiled, and the last of it is compiled only after some 15,000
 * requests: both have answered so often, or for so long, before they are measured.
 */
const warmUp = { requests: 15_000, longestMs: 20_000 };

/**
 * Compares two servers in one run: short rounds in turn, so that what the machine does besides hits both. CPU per
 * request is the steady figure on a noisy machine.
 */
export async function compare(
  first: Subject,
  second: Subject,
  { rounds = 7, roundMs = 1500 } = {},
): Promise<Comparison> {
  const subjects = [first, second] as const;
  const pools = subjects.map(({ target }) => new Pool(target.url, { connections })) as [Pool, Pool];
  const measured: [Round[], Round[]] = [[], []];
  for (const index of [0, 1] as const)
    await runRound(subjects[index], pools[index], warmUp.longestMs, warmUp.requests);
  for (let round = 0; round < rounds; round++) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      measured[index].push(await runRound(subjects[index], pools[index], roundMs));
    }
  }
  await Promise.all(pools.map((pool) => pool.close()));
  const pairOf = (key: keyof Round): Pair => {
    const figure = (index: 0 | 1) => median(measured[index].map((round) => round[key]));
    const ratio = median(measured[0].map((round, at) => round[key] / (measured[1][at] as Round)[key]));
    return { figures: [figure(0), figure(1)], ratio };
  };
  return { cpu: pairOf('cpu'), ownCpu: pairOf('ownCpu'), throughput: pairOf('throughput') };
}

async function runRound(
  { target, behind = [], load }: Subject,
  pool: Pool,
  roundMs: number,
  most = Number.POSITIVE_INFINITY,
): Promise<Round> {
  const used = () => behind.reduce((sum, one) => sum + one.cpuSeconds(), 0);
  const [ownBefore, behindBefore] = [target.cpuSeconds(), used()];
  const begun = performance.now();
  let requests = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - begun < roundMs && requests < most) {
      const { statusCode, body } = await pool.request(load);
      const text = await body.text();
      if (statusCode !== 200)
        throw new Error(`${target.name} answered ${statusCode} to ${load.path}: ${text.slice(0, 300)}`);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - begun) / 1000;
  const own = target.cpuSeconds() - ownBefore;
  return {
    cpu: ((own + used() - behindBefore) * 1e6) / requests,
    ownCpu: (own * 1e6) / requests,
    throughput: requests / seconds,
  };
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
