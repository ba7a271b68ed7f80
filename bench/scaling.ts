import { cpus } from 'node:os';
import { Pool } from 'undici';
import { openFleet } from '../test/support/fleet/openFleet.ts';
import type { Program } from '../test/support/stack/startProgram.ts';
import { benchmark, type Values } from './harness/benchmark.ts';
import { loadsOf } from './harness/loads.ts';
import type { Marketplace } from './harness/openMarketplace.ts';
import type { StartProgram } from './harness/programs.ts';
import { report } from './harness/report.ts';
import { type Load, sendOk } from './harness/send.ts';
import { cpuOf } from './harness/usage.ts';

/**
 * Measures the effect of more routers and subgraphs, for a join over three subgraphs. On a machine with fewer cores
 * than processes, the CPU of each part is more meaningful than the requests per second.
 */

const settings = {
  fleets: { usual: '1x1,2x1,2x2', quick: '1x1', means: 'routers x processes of each subgraph' },
  connections: { usual: 16, quick: 4, means: 'connections to the routers' },
  // Cold code costs several times as much as compiled code.
  warmUpMs: { usual: 35_000, quick: 300, means: 'before a fleet is measured' },
  roundMs: { usual: 12_000, quick: 300, means: 'for which it is measured' },
} as const;
type Chosen = Values<typeof settings>;

export default benchmark({
  measures: 'a join over three subgraphs, with more and more routers and subgraphs on one database',
  settings,
  async measure(chosen, { start, openMarketplace }) {
    const marketplace = await openMarketplace();
    await marketplace.stop();
    console.log(`  ${cpus().length} cores`);
    let alone: number | undefined;
    for (const fleet of chosen.fleets.split(',')) {
      const perSecond = await reportFleet(start, marketplace, fleet, chosen);
      if (alone !== undefined) report(`${fleet} : the first, requests/s`, (perSecond / alone).toFixed(2));
      alone ??= perSecond;
    }
  },
});

/** Measures and returns requests per second. */
async function reportFleet(
  start: StartProgram,
  { shared, database, listingId, signIn }: Marketplace,
  size: string,
  { connections, warmUpMs, roundMs }: Chosen,
): Promise<number> {
  const [routers = 0, each = 0] = size.split('x').map(Number);
  const fleet = await openFleet(
    (script, environment, args) => start(args[0] ?? 'router', script, { ...shared, ...environment }, args),
    { router: routers, identity: each, seo: each, translation: each },
  );
  const { join } = loadsOf(listingId, signIn('dealer', fleet.programs.router[0]));
  const pools = fleet.programs.router.map(({ url }) => new Pool(url, { connections }));
  await load(pools, join.adHoc, { connections, forMs: warmUpMs });
  const before = cpuOfParts(fleet.programs, database);
  const { answered, perSecond } = await load(pools, join.adHoc, { connections, forMs: roundMs });
  const after = cpuOfParts(fleet.programs, database);
  const costs = Object.entries(after).map(
    ([part, seconds]) => `${part} ${(((seconds - (before[part] ?? 0)) * 1e6) / answered).toFixed(0)}`,
  );
  report(
    `${routers} router(s), ${each} of each subgraph`,
    `${perSecond.toFixed(0)} requests/s; CPU per request in µs: ${costs.join(', ')}`,
  );
  for (const pool of pools) await pool.close();
  for (const program of Object.values(fleet.programs).flat()) await program.stop();
  await fleet.close();
  return perSecond;
}

/** Returns the CPU seconds of each part so far; those of the database include all its processes. */
function cpuOfParts(
  parts: Readonly<Record<string, readonly Program[]>>,
  database: Program,
): Record<string, number> {
  const used = Object.entries(parts).map(([part, programs]) => [
    part,
    programs.reduce((sum, program) => sum + program.cpuSeconds(), 0),
  ]);
  const { itself, children } = cpuOf(database.pid);
  return { ...(Object.fromEntries(used) as Record<string, number>), database: itself + children };
}

/** Sends requests for a period, with the same concurrency regardless of the number of routers. */
async function load(
  pools: readonly Pool[],
  join: Load,
  { connections, forMs }: { connections: number; forMs: number },
): Promise<{ answered: number; perSecond: number }> {
  const begun = performance.now();
  let answered = 0;
  const worker = async (pool: Pool): Promise<void> => {
    while (performance.now() - begun < forMs) {
      await sendOk(pool, join);
      answered += 1;
    }
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) => worker(pools[index % pools.length] as Pool)),
  );
  return { answered, perSecond: (answered * 1000) / (performance.now() - begun) };
}
