import { Pool } from 'undici';
import type { Program } from '../../test/support/stack/startProgram.ts';
import { interleave, ratiosOf } from './interleave.ts';
import { medianOf } from './report.ts';
import { type Load, sendOk } from './send.ts';

/** A server under its load. */
export interface Subject {
  target: Pick<Program, 'name' | 'url' | 'cpuSeconds'>;
  /** Processes that the server depends on; their CPU is counted separately. */
  behind?: readonly Pick<Program, 'cpuSeconds'>[];
  load: Load;
}

/** Duration of a measurement. */
export interface Span {
  readonly rounds: number;
  readonly roundMs: number;
  /**
   * Warm-up in milliseconds or requests. Cold code costs several times as much as compiled code, and the last of it is
   * compiled only after about 15,000 requests.
   */
  readonly warmUpMs: number;
}

/** A figure of both subjects. */
export interface Pair {
  /** Medians over the rounds. */
  figures: [number, number];
  /** Ratio of the first subject to the second, by round. */
  ratios: number[];
}

/** Result of a comparison. */
export interface Comparison {
  /** Microseconds of CPU per request, of the server and the processes behind it. */
  cpu: Pair;
  /** Microseconds of CPU per request, of the server alone. */
  ownCpu: Pair;
  /** Requests per second. */
  throughput: Pair;
}

/** Figures of one round. */
export type Round = Record<keyof Comparison, number>;

/** Concurrent requests of a round. */
export const connections = 8;
/** Requests after which a server is warm. */
export const warmUpRequests = 15_000;

/** Compares two servers in one run. CPU per request is the steady figure on a noisy machine. */
export async function compare(first: Subject, second: Subject, span: Span): Promise<Comparison> {
  const pools = [first, second].map(({ target }) => new Pool(target.url, { connections })) as [Pool, Pool];
  const run = (index: 0 | 1, ms: number, most?: number) =>
    runRound([first, second][index] as Subject, pools[index], ms, most);
  for (const index of [0, 1] as const) await run(index, span.warmUpMs, warmUpRequests);
  const measured = await interleave(span.rounds, {
    first: () => run(0, span.roundMs),
    second: () => run(1, span.roundMs),
  });
  await Promise.all(pools.map((pool) => pool.close()));
  const pairOf = (key: keyof Round): Pair => {
    const figure = (round: Round) => round[key];
    return {
      figures: [medianOf(measured.first, figure), medianOf(measured.second, figure)],
      ratios: ratiosOf(measured.first, measured.second, figure),
    };
  };
  return { cpu: pairOf('cpu'), ownCpu: pairOf('ownCpu'), throughput: pairOf('throughput') };
}

/** Sends requests for a time, eight at once, and returns what they cost. */
export async function runRound(
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
      await sendOk(pool, load);
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
