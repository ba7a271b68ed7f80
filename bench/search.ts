import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { reportIndexes } from './catalogue/reportIndexes.ts';
import { everyFacet, newWords, searches } from './catalogue/searches.ts';
import { describeTimes, percentile } from './catalogue/times.ts';
import { followProgress } from './followProgress.ts';
import { varyCopies } from './varyCopies.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:search [-- --listings 100000]`: what searches and facets of a large catalogue cost over HTTP, one after
 * the other. The listings are variations of the 406 real cars of the demonstration.
 */

const goalMs = 150;
const { values } = parseArgs({
  options: { listings: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '40' } },
});
const [listings, rounds] = [Number(values.listings), Number(values.rounds)];
if (!(listings > 0 && rounds > 0)) throw new Error('State numbers: --listings 100000 --rounds 40');

await withPrograms('search', run);

async function run(start: StartProgram): Promise<void> {
  const database = await start('database', 'start/database.ts');
  const uri = database.ready.replace('MONGODB_URI=', '');
  const environment = {
    MONGODB_URI: uri.replace('/?', '/trigate?'),
    PORT: '0',
    RATE_LIMITS: 'off',
  };
  // The demonstration writes the real cars; after that nobody but the loader is needed.
  await (await start('product', 'start/main.ts', environment)).stop();
  const connection = await connectMongo({ uri, database: 'trigate', timeoutMs: 120_000 });
  try {
    await varyCopies(listings, followProgress('listings', listings));
    // Engines count their statistics behind the writes.
    await pause(10_000);
    const product = await start('product', 'start/main.ts', environment);
    const pool = new Pool(product.url, { connections: 2 });
    try {
      await reportFirst(pool);
      console.log(`memory: ${memoryOf(product.pid)}`);
      await reportNewWords(pool);
      await reportSearches(pool);
      await reportNeighbour(pool);
      await reportDeepPage(pool);
      console.log(`memory: ${memoryOf(product.pid)}`);
      await reportIndexes();
    } finally {
      await pool.close();
    }
  } finally {
    await connection.close();
  }
}

/** The first search after a start reads the whole catalogue. */
async function reportFirst(pool: Pool): Promise<void> {
  const begun = performance.now();
  let refusals = 0;
  while ((await ask(pool, '/listings')).statusCode === 503) {
    refusals += 1;
    await pause(100);
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`first answer after a start: ${seconds} s, ${refusals} times 503 until then`);
}

async function reportNewWords(pool: Pool): Promise<void> {
  const times: number[] = [];
  for (const word of newWords) times.push((await ask(pool, `/listings?q=${word}&count=true`)).ms);
  console.log(`words for the first time: ${describeTimes(times)}`);
}

async function reportSearches(pool: Pool): Promise<void> {
  const times = new Map(Object.keys(searches).map((name) => [name, [] as number[]]));
  const tell = followProgress('rounds of searches', rounds);
  // Searches take turns, so that whatever else the machine does hits all of them.
  for (let round = -3; round < rounds; round += 1) {
    for (const [name, url] of Object.entries(searches)) {
      const { statusCode, ms, text } = await ask(pool, url);
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`);
      if (round >= 0) times.get(name)?.push(ms);
    }
    tell(Math.max(0, round + 1));
  }
  console.log(`${listings} listings, p95 at most ${goalMs} ms:`);
  for (const [name, each] of times) console.log(`  ${name.padEnd(40)} ${describeTimes(each)}`);
  console.log(`  ${'all of them'.padEnd(40)} ${describeTimes([...times.values()].flat())}`);
}

/** What somebody waits who asks for something small while others have every listing counted. */
async function reportNeighbour(pool: Pool): Promise<void> {
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await askSmall(pool));
    const counting = ask(pool, everyFacet).then(() => null);
    let waited: number | null;
    do {
      const small = askSmall(pool);
      waited = await Promise.race([small, counting]);
      beside.push(waited ?? (await small));
    } while (waited !== null);
  }
  console.log(`somebody else, alone:        ${describeTimes(alone)}`);
  console.log(`somebody else, beside facets: ${describeTimes(beside)}`);
}

async function askSmall(pool: Pool): Promise<number> {
  const begun = performance.now();
  const { body } = await pool.request({ method: 'GET', path: '/health/live' });
  await body.dump();
  return performance.now() - begun;
}

/** Page 1000 against page 1, in turns. */
async function reportDeepPage(pool: Pool): Promise<void> {
  const url = '/listings?limit=20&sort=price';
  let cursor = '';
  for (let page = 1; page < 1000; page += 1) {
    const { text } = await ask(pool, cursor === '' ? url : `${url}&cursor=${cursor}`);
    const { nextCursor } = (JSON.parse(text) as { page: { nextCursor: string | null } }).page;
    if (nextCursor === null) return console.log(`there is no page ${page + 1}`);
    cursor = nextCursor;
  }
  const [first, deep]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    first.push((await ask(pool, url)).ms);
    deep.push((await ask(pool, `${url}&cursor=${cursor}`)).ms);
  }
  const ratio = percentile(deep, 0.5) / percentile(first, 0.5);
  console.log(
    `page 1000 against page 1: ${ratio.toFixed(2)}x (${describeTimes(deep)}; ${describeTimes(first)})`,
  );
}

async function ask(pool: Pool, url: string): Promise<{ statusCode: number; ms: number; text: string }> {
  const begun = performance.now();
  const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/v1/catalog${url}` });
  const text = await body.text();
  return { statusCode, text, ms: performance.now() - begun };
}

/** What the system says a process holds, now and at most. */
function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): string => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    return `${Math.round(Number(kilobytes) / 1024)} MB`;
  };
  return `${megabytes('VmRSS')} now, ${megabytes('VmHWM')} at most`;
}
