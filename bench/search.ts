import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { reportIndexes } from './catalogue/reportIndexes.ts';
import { everyFacet, newWords, searches } from './catalogue/searches.ts';
import { varyCopies } from './catalogue/varyCopies.ts';
import { bench } from './harness/bench.ts';
import { followProgress } from './harness/followProgress.ts';
import { interleave, ratiosOf } from './harness/interleave.ts';
import { openMarketplace } from './harness/openMarketplace.ts';
import { describeRatios, describeTimes, report } from './harness/report.ts';
import { type Answer, send, sendOk } from './harness/send.ts';
import { residentMiB } from './harness/usage.ts';

/**
 * What searches and facets of a large catalogue cost over HTTP, one after the other. The listings are variations of the
 * 406 real cars of the demonstration.
 */

const goalMs = 150;
const path = (url: string): string => `/api/v1/catalog${url}`;

await bench(
  {
    script: 'bench:search',
    measures: 'searches and facets of a large catalogue over HTTP, and page 1000 against page 1',
    settings: {
      listings: { usual: 100_000, quick: 1000, means: 'listings in the catalogue' },
      rounds: { usual: 40, quick: 2, means: 'times that each search is sent' },
      page: { usual: 1000, quick: 10, means: 'the page that is compared with page 1' },
    },
  },
  async ({ listings, rounds, page }, start) => {
    // The demonstration writes the real cars; after that nobody but the loader is needed.
    const { shared, product: seeded } = await openMarketplace(start);
    await seeded.stop();
    const connection = await connectMongo({ uri: shared.MONGODB_URI ?? '', timeoutMs: 120_000 });
    try {
      await varyCopies(listings, followProgress('listings', listings));
      // Engines count their statistics behind the writes.
      await pause(Math.min(10_000, listings / 10));
      const product = await start('product', 'start/main.ts', shared);
      const pool = new Pool(product.url, { connections: 2 });
      await reportFirst(pool);
      await reportNewWords(pool);
      await reportSearches(pool, rounds);
      await reportNeighbour(pool, rounds);
      await reportDeepPage(pool, page, rounds);
      await pool.close();
      const [now, most] = [residentMiB(product.pid), residentMiB(product.pid, 'VmHWM')];
      report('memory of the product', `${now.toFixed(0)} MiB now, ${most.toFixed(0)} MiB at most`);
      await reportIndexes();
    } finally {
      await connection.close();
    }
  },
);

/** The first search after a start reads the whole catalogue. */
async function reportFirst(pool: Pool): Promise<void> {
  const begun = performance.now();
  let refusals = 0;
  while ((await send(pool, { method: 'GET', path: path('/listings') })).status === 503) {
    refusals += 1;
    await pause(100);
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  report('first answer after a start', `${seconds} s, ${refusals} times 503 until then`);
}

async function reportNewWords(pool: Pool): Promise<void> {
  const times: number[] = [];
  for (const word of newWords) times.push((await ask(pool, `/listings?q=${word}&count=true`)).ms);
  report('words for the first time', describeTimes(times));
}

async function reportSearches(pool: Pool, rounds: number): Promise<void> {
  const warmUp = 3;
  const tell = followProgress('rounds of searches', rounds + warmUp);
  let asked = 0;
  const sides = Object.entries(searches).map(([name, url]) => [
    name,
    async (): Promise<number> => {
      asked += 1;
      tell(Math.floor(asked / sides.length));
      return (await ask(pool, url)).ms;
    },
  ]);
  const times = await interleave(
    rounds + warmUp,
    Object.fromEntries(sides) as Record<string, () => Promise<number>>,
  );
  const warm = Object.entries(times).map(([name, each]) => [name, each.slice(warmUp)] as const);
  for (const [name, each] of warm) report(name, describeTimes(each));
  report(
    'all of them',
    `${describeTimes(warm.flatMap(([, each]) => each))}  (goal: p95 at most ${goalMs} ms)`,
  );
}

/** What somebody waits who asks for something small while others have every listing counted. */
async function reportNeighbour(pool: Pool, rounds: number): Promise<void> {
  const { alone, beside } = await interleave(rounds, {
    alone: async () => [await askSmall(pool)],
    beside: async () => {
      const times: number[] = [];
      const counted = { isOver: false };
      const counting = ask(pool, everyFacet).finally(() => {
        counted.isOver = true;
      });
      while (!counted.isOver) times.push(await askSmall(pool));
      await counting;
      return times;
    },
  });
  report('GET /health/live, alone', describeTimes(alone.flat()));
  report('GET /health/live, beside eight facets', describeTimes(beside.flat()));
}

async function askSmall(pool: Pool): Promise<number> {
  return (await sendOk(pool, { method: 'GET', path: '/health/live' })).ms;
}

async function reportDeepPage(pool: Pool, deepPage: number, rounds: number): Promise<void> {
  const url = '/listings?limit=20&sort=price';
  let cursor = '';
  for (let page = 1; page < deepPage; page += 1) {
    const { text } = await ask(pool, cursor === '' ? url : `${url}&cursor=${cursor}`);
    const { nextCursor } = (JSON.parse(text) as { page: { nextCursor: string | null } }).page;
    if (nextCursor === null) return console.log(`  there is no page ${page + 1}`);
    cursor = nextCursor;
  }
  const { first, deep } = await interleave(rounds, {
    first: async () => (await ask(pool, url)).ms,
    deep: async () => (await ask(pool, `${url}&cursor=${cursor}`)).ms,
  });
  const ratios = ratiosOf(deep, first, (ms) => ms);
  report(`page ${deepPage} : page 1`, `${describeRatios(ratios)}; ${describeTimes(deep)}`);
}

function ask(pool: Pool, url: string): Promise<Answer> {
  return sendOk(pool, { method: 'GET', path: path(url) });
}
