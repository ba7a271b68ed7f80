import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { CatalogListingModel } from '../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { startOpenSearch } from '../test/opensearch/startOpenSearch.ts';
import { varyCopies } from './data/varyCopies.ts';
import { benchmark } from './harness/benchmark.ts';
import { interleave, ratiosOf } from './harness/interleave.ts';
import { describeRatios, describeTimes, report } from './harness/report.ts';
import { reportIndexes } from './harness/reportIndexes.ts';
import { type Answer, send, sendOk } from './harness/send.ts';
import { residentMiB } from './harness/usage.ts';

/**
 * Measures sequential searches and facets of a large catalog over HTTP. The listings are variations of the 406 real
 * cars of the demonstration.
 */

const goalMs = 150;
const route = (url: string): string => `/api/v1/catalog${url}`;

const members = 'make,fuel,transmission,bodyType,price,mileageKm,powerKw,modelYear';
const fourConditions =
  'attr.make=ford,toyota&attr.fuel=petrol&attr.modelYear.min=2015&price.max=900000&currency=EUR';
const berlin = 'near=52.52,13.405';

/** The most expensive request. */
const everyFacet = `/facets?facets=${members}`;

/** Searches by name; paths relative to `/api/v1/catalog`. */
const searches: Readonly<Record<string, string>> = {
  newest: '/listings?limit=20',
  'by price, counted': '/listings?limit=20&sort=price&count=true',
  'four conditions, by price': `/listings?${fourConditions}&sort=price`,
  'a combination that hardly any has':
    '/listings?attr.make=bmw&attr.bodyType=saloon&attr.mileageKm.max=500&attr.modelYear.min=2024&count=true',
  'what none has': '/listings?attr.make=ford&attr.fuel=hydrogen&count=true',
  'by mileage': '/listings?attr.transmission=automatic&sort=-mileageKm',
  'around Berlin, the nearest first': `/listings?${berlin}&radiusKm=100&sort=distance&count=true`,
  'on a map': '/listings?bounds=50,8,51,9&attr.make=ford&sort=-price',
  'a rare word': '/listings?q=biscayne',
  'a word of every twelfth': '/listings?q=ford&count=true',
  'a word of every twelfth, by price': '/listings?q=ford&sort=price',
  'a word of every listing': '/listings?q=cylinders&count=true',
  'four words, one of them in every listing': '/listings?q=ford+torino+wagon+cylinders&count=true',
  'eight facets of everything': everyFacet,
  'eight facets of four conditions': `${everyFacet}&${fourConditions}`,
  'eight facets around Berlin': `${everyFacet}&${berlin}&radiusKm=100`,
  'eight facets of a rare word': `${everyFacet}&q=biscayne`,
  'eight facets of a word of every twelfth': `${everyFacet}&q=ford`,
  'eight facets of a word of every listing': `${everyFacet}&q=cylinders`,
};

/** Words that were never searched in this process, so that no cache contains them. */
const newWords = [
  'ford',
  'chevrolet',
  'plymouth',
  'dodge',
  'toyota',
  'datsun',
  'amc',
  'volkswagen',
  'buick',
  'cylinders',
];

export default benchmark({
  measures: 'searches and facets of a large catalogue over HTTP, and page 1000 against page 1',
  settings: {
    listings: { usual: 100_000, quick: 1000, means: 'listings in the catalogue' },
    rounds: { usual: 40, quick: 2, means: 'times that each search is sent' },
    engine: {
      usual: 'embedded',
      quick: 'embedded',
      means: 'embedded, or opensearch, which needs Java; see docs/how-to/opensearch.md',
    },
    page: { usual: 1000, quick: 10, means: 'the page that is compared with page 1' },
    lagSeconds: { usual: 30, quick: 1, means: 'for which listings are written, with opensearch only' },
    folder: {
      usual: '',
      quick: '',
      means: 'folder that keeps the data, from which an interrupted run continues; usually a temporary one',
    },
  },
  async measure({ listings, rounds, page, engine, lagSeconds }, { openMarketplace, dataDir }) {
    const data = path.join(dataDir, 'opensearch');
    const node = engine === 'opensearch' ? await startOpenSearch({ folder: data }) : null;
    const own: Record<string, string> = node ? { CATALOG_SEARCH: engine, OPENSEARCH_URL: node.url } : {};
    const { shared, stop, restart } = await openMarketplace(own);
    await stop();
    const connection = await connectMongo({ uri: shared.MONGODB_URI ?? '', timeoutMs: 120_000 });
    try {
      console.log(`  filling the catalogue up to ${listings.toLocaleString('en')} listings`);
      await varyCopies(listings);
      // Databases update their statistics after the writes.
      await pause(Math.min(10_000, listings / 10));
      if (node) await rebuildOnce(path.join(dataDir, 'indexed'), listings, { ...shared, ...own });
      const product = await restart(own);
      report('start of the product', `${(product.startMs / 1000).toFixed(1)} s`);
      const pool = new Pool(product.url, { connections: visitors });
      await reportFirst(pool);
      await reportNewWords(pool);
      await reportSearches(pool, rounds);
      await reportEqual(pool, rounds);
      await reportNeighbour(pool, rounds);
      await reportDeepPage(pool, page, rounds);
      if (node) await reportLag(pool, lagSeconds);
      await pool.close();
      const [now, most] = [residentMiB(product.pid), residentMiB(product.pid, 'VmHWM')];
      report('memory of the product', `${now.toFixed(0)} MiB now, ${most.toFixed(0)} MiB at most`);
      if (node) report('memory of OpenSearch', `${residentMiB(node.pid).toFixed(0)} MiB`);
      await reportIndexes();
      report('searches that were refused and repeated', String(refusals));
      report('load average of the machine', `${loadavg()[1]?.toFixed(1)} over the last five minutes`);
    } finally {
      await connection.close();
      await node?.stop();
    }
  },
});

/** Rebuilds the index, unless an earlier run on this folder has done so for as many listings. */
async function rebuildOnce(
  mark: string,
  listings: number,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  if ((await readFile(mark, 'utf8').catch(() => '')) === String(listings)) return;
  await reportRebuild(environment);
  await writeFile(mark, String(listings));
}

/** Reports how long a new index of the whole catalog takes. The listings were written without their regular times. */
async function reportRebuild(environment: Readonly<Record<string, string>>): Promise<void> {
  const begun = performance.now();
  const program = path.join(import.meta.dirname, '../bin/catalog.ts');
  const child = spawn(process.execPath, [program, 'rebuild'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The index was not rebuilt.');
  report('rebuild of the index', `${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

/** Reports the first search after a start, which reads the whole catalog. */
async function reportFirst(pool: Pool): Promise<void> {
  const begun = performance.now();
  let refusals = 0;
  while ((await send(pool, { method: 'GET', path: route('/listings') })).status === 503) {
    refusals += 1;
    await pause(100);
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  report('first answer after a start', `${seconds} s, ${refusals} times 503 until then`);
}

const writesPerSecond = 200;
const writesAtOnce = 10;

/** Reports the time from the write of a listing to the first search that finds it, while other listings are written. */
async function reportLag(pool: Pool, seconds: number): Promise<void> {
  const copies = CatalogListingModel.collection;
  const ids = (await copies.find({}).sort({ _id: 1 }).limit(5000).toArray()).map(({ _id }) => String(_id));
  // The other writes must not replace the word that is looked for.
  const rewritten = ids.splice(ids.length / 2);
  const retitle = (id: string | undefined, title: string) =>
    copies.updateOne({ _id: id as never }, {
      $set: { title },
      $currentDate: { changedAt: true },
    } as never);
  // The listings of a kept folder contain the words of earlier runs.
  const run = { name: Date.now().toString(36), isOver: false, written: 0 };
  const begun = performance.now();
  const write = async (): Promise<void> => {
    while (!run.isOver) {
      const ahead = run.written - ((performance.now() - begun) / 1000) * writesPerSecond;
      if (ahead > 0) await pause((ahead * 1000) / writesPerSecond);
      run.written += 1;
      await retitle(rewritten[run.written % rewritten.length], `Rewritten ${run.written}`);
    }
  };
  const writing = Promise.all(Array.from({ length: writesAtOnce }, write));
  const lags: number[] = [];
  while (performance.now() - begun < seconds * 1000) {
    const word = `lag${run.name}x${lags.length}x`;
    await retitle(ids[lags.length], `Marked ${word}`);
    const written = performance.now();
    while (!(await ask(pool, `/listings?q=${word}`)).text.includes(word)) await pause(50);
    lags.push(performance.now() - written);
  }
  const perSecond = (run.written * 1000) / (performance.now() - begun);
  run.isOver = true;
  await writing;
  report(`lag of the index, ${perSecond.toFixed(0)} writes/s`, describeTimes(lags));
}

async function reportNewWords(pool: Pool): Promise<void> {
  const times: number[] = [];
  for (const word of newWords) times.push((await ask(pool, `/listings?q=${word}&count=true`)).ms);
  report('words for the first time', describeTimes(times));
}

async function reportSearches(pool: Pool, rounds: number): Promise<void> {
  const warmUp = 3;
  const sides = Object.entries(searches).map(([name, url]) => [
    name,
    async (): Promise<number> => (await ask(pool, url)).ms,
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

const visitors = 10;

/** Reports the most expensive request when many visitors send it at once, as on the first page of a marketplace. */
async function reportEqual(pool: Pool, rounds: number): Promise<void> {
  const begun = performance.now();
  const times: number[] = [];
  const visit = async (): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) times.push((await ask(pool, everyFacet)).ms);
  };
  await Promise.all(Array.from({ length: visitors }, visit));
  const perSecond = (times.length * 1000) / (performance.now() - begun);
  report(
    `eight facets of everything, ${visitors} visitors`,
    `${describeTimes(times)}; ${perSecond.toFixed(1)} per second`,
  );
}

/** Reports the delay of a small request while others count every listing. */
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

/** Searches that the engine did not answer in time, and that were sent again. */
let refusals = 0;
const mostRefusals = 100;
const breakerMs = 2000;

/** Sends a search, again if the engine was too slow for it. The time is that of the answered request. */
async function ask(pool: Pool, url: string): Promise<Answer> {
  const answer = await send(pool, { method: 'GET', path: route(url) });
  if (answer.status === 200) return answer;
  if (![503, 504].includes(answer.status) || refusals === mostRefusals)
    throw new Error(`GET ${url} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  refusals += 1;
  await pause(breakerMs);
  return ask(pool, url);
}
