import { type Benchmark, type Options, scriptOf, type Tools, valuesOf } from './benchmark.ts';
import { type Marketplace, openMarketplace } from './openMarketplace.ts';
import { withPrograms } from './programs.ts';
import { countResults } from './report.ts';

/** Timeout of a quick benchmark in milliseconds. It takes seconds, and minutes on a busy machine. */
const longestQuickMs = 5 * 60_000;

/**
 * Runs benchmarks one after the other and prints their results. Two or more share a database and a product.
 *
 * @returns the names of those that failed, printed no result, or hung
 */
export async function runBenchmarks(
  benchmarks: ReadonlyMap<string, Benchmark>,
  options: Pick<Options, 'isQuick' | 'stated'>,
): Promise<string[]> {
  return withPrograms(async (openGroup) => {
    const common = openGroup();
    let shared: Promise<Marketplace> | undefined;
    const failed: string[] = [];
    for (const [name, { measures, settings, measure }] of benchmarks) {
      const values = valuesOf(settings, options);
      const chosen = Object.entries(values).map(([setting, value]) => `${setting} ${value}`);
      console.log(
        `\n${scriptOf(name)}: ${measures}\n${chosen.length > 0 ? `  with ${chosen.join(', ')}` : ''}`,
      );
      const own = openGroup();
      const tools: Tools = {
        start: own.start,
        dataDir: own.dataDir,
        async openMarketplace(environment) {
          if (benchmarks.size === 1) return openMarketplace(own, environment);
          // One product satisfies the needs of all benchmarks.
          shared ??= openMarketplace(common, { METRICS_PORT: '0' });
          const marketplace = await shared;
          return { ...marketplace, stop: async () => undefined, restart: async () => marketplace.product };
        },
      };
      const [begun, before] = [performance.now(), countResults()];
      try {
        await inTime(measure(values, tools), options.isQuick ? longestQuickMs : undefined);
        if (countResults() === before) throw new Error('It printed no result.');
      } catch (error) {
        failed.push(name);
        console.log(`${scriptOf(name)} FAILED: ${(error as Error).stack}`);
      }
      await own.end();
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`${scriptOf(name)}: ${countResults() - before} results in ${seconds} s`);
    }
    return failed;
  }, options.stated.folder);
}

async function inTime(measured: Promise<void>, limitMs: number | undefined): Promise<void> {
  if (limitMs === undefined) return measured;
  // What still fails after the limit has been reported.
  measured.catch(() => undefined);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It has not ended after ${limitMs / 1000} s.`)), limitMs);
  await Promise.race([measured, late]).finally(() => clearTimeout(timer));
}
