import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { engines } from '../test/engines/engines.ts';
import { benchmark } from './harness/benchmark.ts';
import {
  connections,
  type Round,
  runRound,
  type Span,
  type Subject,
  warmUpRequests,
} from './harness/compare.ts';
import { interleave, ratiosOf } from './harness/interleave.ts';
import { assertSameAnswers, loadsOf } from './harness/loads.ts';
import type { Marketplace } from './harness/openMarketplace.ts';
import type { StartProgram } from './harness/programs.ts';
import { describeRatios, medianOf, percentile, report } from './harness/report.ts';
import { jsonLoad, type Load, sendOk } from './harness/send.ts';
import { startApart } from './harness/startApart.ts';
import { cpuOf } from './harness/usage.ts';

/**
 * Measures the product in one process, its router with subgraphs apart, and every installed engine in front of the same
 * subgraphs. The CPU of all processes is counted except that of the database, which all use in the same way.
 */

const listText = `{ listings(first: 10) { nodes { id title price { amount currency } seo(locale: "en") { keyphrase }
  translations { languageCode live } } } }`;

/** A way to answer GraphQL, with all processes that it needs. */
interface Way extends Omit<Subject, 'load'> {
  readonly name: string;
  stop(): Promise<unknown>;
}

type Target = Subject['target'];

export default benchmark({
  measures: 'the product beside every installed engine: CPU of all processes, p99 at half load',
  settings: {
    rounds: { usual: 7, quick: 1, means: 'rounds in which the ways take turns' },
    roundMs: { usual: 1500, quick: 150, means: 'length of a round' },
    warmUpMs: { usual: 20_000, quick: 150, means: 'longest warm-up of a way' },
  },
  async measure(span, { start, openMarketplace }) {
    const marketplace = await openMarketplace();
    const ways = await openWays(marketplace, start);
    try {
      for (const [row, load] of Object.entries(rowsOf(marketplace))) {
        console.log(`\n${row}`);
        await assertSameAnswers(...ways.map(({ target }) => [target.url, load] as [string, Load]));
        await reportRow(row, ways, load, span);
      }
    } finally {
      for (const way of ways.toReversed()) await way.stop();
    }
  },
});

/** Returns the measured requests. */
function rowsOf({ listingId, caller }: Marketplace): Readonly<Record<string, Load>> {
  const { me, join, languages } = loadsOf(listingId, caller);
  const list = jsonLoad('POST', '/graphql', { query: listText }, caller);
  const rows = { languages: languages.adHoc, me: me.adHoc, join: join.adHoc, 'list of 10': list };
  return Object.fromEntries(Object.entries(rows).map(([row, load]) => [row, distinct(load)]));
}

/**
 * Returns a request that differs each time in a header that engines forward. Otherwise an engine that merges equal
 * concurrent fetches would answer eight requests with one, which requests of several users do not allow.
 */
function distinct(load: Load): Load {
  let sent = 0;
  return {
    ...load,
    get headers() {
      sent += 1;
      return {
        ...load.headers,
        accept: 'application/json',
        // The signer finds the installation by it.
        'x-forwarded-host': 'localhost',
        'user-agent': `bench/${sent}`,
      };
    },
  };
}

async function openWays(marketplace: Marketplace, start: StartProgram): Promise<Way[]> {
  const { product, shared } = marketplace;
  const { router, subgraphs, urls } = await startApart(start, marketplace);
  const signer = await start('signer', 'bin/signer.ts', {
    ...shared,
    ...Object.fromEntries(Object.entries(urls).map(([name, url]) => [`${name.toUpperCase()}_URL`, url])),
  });
  const ways: Way[] = [
    { name: 'one process', target: product, stop: async () => undefined },
    { name: 'our router', target: router, behind: subgraphs, stop: () => router.stop() },
  ];
  for (const engine of engines) {
    if (engine.obstacle !== undefined) {
      console.log(`${engine.name} is left out: ${engine.obstacle}`);
      continue;
    }
    const { pid, url, stop } = await engine.start(new URL(signer.url).origin);
    const target: Target = {
      name: engine.name,
      url: new URL(url).origin,
      cpuSeconds: () => cpuOf(pid).itself,
    };
    ways.push({ name: engine.name, target, behind: [signer, ...subgraphs], stop });
  }
  return ways;
}

async function reportRow(row: string, ways: readonly Way[], load: Load, span: Span): Promise<void> {
  const opened = ways.map((way) => ({ ...way, load, pool: new Pool(way.target.url, { connections }) }));
  for (const way of opened) await runRound(way, way.pool, span.warmUpMs, warmUpRequests);
  const rounds: Record<string, Round[]> = await interleave(
    span.rounds,
    Object.fromEntries(opened.map((way) => [way.name, () => runRound(way, way.pool, span.roundMs)])),
  );
  const delays: Record<string, number[][]> = await interleave(
    span.rounds,
    Object.fromEntries(
      opened.map(({ name, pool }) => {
        const perSecond = medianOf(rounds[name] ?? [], ({ throughput }) => throughput) / 2;
        return [name, () => delaysAt(perSecond, pool, load, span.roundMs)];
      }),
    ),
  );
  for (const { name, pool } of opened) {
    const [own = [], one = []] = [rounds[name], rounds['one process']];
    const [all, engine] = [medianOf(own, ({ cpu }) => cpu), medianOf(own, ({ ownCpu }) => ownCpu)];
    const p99 = percentile((delays[name] ?? []).flat(), 0.99);
    const ratio = describeRatios(ratiosOf(own, one, ({ cpu }) => cpu));
    report(
      `${row}, ${name}`,
      `${all.toFixed(0)} µs, of which ${engine.toFixed(0)} in front; p99 ${p99.toFixed(1)} ms; : one process ${ratio}`,
    );
    await pool.close();
  }
}

/** Sends requests at a fixed rate and returns how long each took, from the time at which it was due. */
async function delaysAt(perSecond: number, pool: Pool, load: Load, ms: number): Promise<number[]> {
  const begun = performance.now();
  const delays: Promise<number>[] = [];
  for (let sent = 0; ; sent += 1) {
    const due = (sent * 1000) / perSecond;
    if (due > ms) break;
    const early = due - (performance.now() - begun);
    if (early > 0) await pause(early);
    delays.push(sendOk(pool, load).then(() => performance.now() - begun - due));
  }
  return Promise.all(delays);
}
