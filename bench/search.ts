import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { Pool } from 'undici';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { type Program, startProgram } from '../test/support/startProgram.ts';
import { varyCopies } from './varyCopies.ts';

/**
 * `node bench/search.ts [--listings 100000]`: what searches and facets of a large catalogue cost over HTTP, one after the
 * other. The listings are variations of the 406 real cars of the demonstration.
 */

const goalMs = 150;
const rounds = 40;
const { values } = parseArgs({ options: { listings: { type: 'string', default: '100000' } } });
const listings = Number(values.listings);

const members = 'make,fuel,transmission,bodyType,price,mileageKm,powerKw,modelYear';
const berlin = 'near=52.52,13.405';
const searches: Readonly<Record<string, string>> = {
  newest: '/listings?limit=20',
  'by price, counted': '/listings?limit=20&sort=price&count=true',
  'four conditions, by price':
    '/listings?attr.make=ford,toyota&attr.fuel=petrol&attr.modelYear.min=2015&price.max=900000&currency=EUR&sort=price',
  'a combination that hardly any has':
    '/listings?attr.make=bmw&attr.bodyType=saloon&attr.mileageKm.max=500&attr.modelYear.min=2024&count=true',
  'what none has': '/listings?attr.make=ford&attr.fuel=hydrogen&count=true',
  'by mileage': '/listings?attr.transmission=automatic&sort=-mileageKm',
  'around Berlin, the nearest first': `/listings?${berlin}&radiusKm=100&sort=distance&count=true`,
  'on a map': '/listings?bounds=50,8,51,9&attr.make=ford&sort=-price',
  'a rare word': '/listings?q=biscayne',
  'a word of every twelfth, by price': '/listings?q=ford&sort=price',
  'eight facets of everything': `/facets?facets=${members}`,
  'eight facets of four conditions': `/facets?facets=${members}&attr.make=ford,toyota&attr.fuel=petrol&attr.modelYear.min=2015&price.max=900000&currency=EUR`,
  'eight facets around Berlin': `/facets?facets=${members}&${berlin}&radiusKm=100`,
  'eight facets of a rare word': `/facets?facets=${members}&q=biscayne`,
  'eight facets of a word of every twelfth': `/facets?facets=${members}&q=ford`,
};

/** Words that nobody asked for since a listing changed: the text index is read for each of them. */
const newWords = ['ford', 'chevrolet', 'plymouth', 'dodge', 'toyota', 'datsun', 'amc', 'volkswagen', 'buick'];

const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-search-'));
const started: Program[] = [];
const start = async (name: string, script: string, environment: Record<string, string>): Promise<Program> => {
  const program = await startProgram(name, script, { DATA_DIR: dataDir, ...environment });
  started.push(program);
  return program;
};

try {
  await run();
} finally {
  await mongoose.disconnect();
  for (const program of started.reverse()) await program.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const database = await start('database', 'start/database.ts', {});
  const uri = database.ready.replace('MONGODB_URI=', '');
  const environment = {
    MONGODB_URI: `${uri.replace(/\/[^/]*$/, '')}/trigate`,
    PORT: '0',
    RATE_LIMITS: 'off',
  };
  const seeding = await start('product', 'start/main.ts', environment);
  await connectMongo({ uri, database: 'trigate', timeoutMs: 120_000 });
  const begun = performance.now();
  await varyCopies(listings, (done) => {
    if (done % 50_000 === 0) console.log(`${done} listings, ${seconds(begun)} s`);
  });
  await seeding.stop();
  // Engines count their statistics behind the writes.
  await pause(10_000);
  const product = await start('product', 'start/main.ts', environment);
  const pool = new Pool(product.url, { connections: 1 });
  try {
    await reportFirst(pool);
    await reportNewWords(pool);
    await reportSearches(pool);
    await reportDeepPage(pool);
    await reportIndexes();
  } finally {
    await pool.close();
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
  console.log(`first answer after a start: ${seconds(begun)} s, ${refusals} times 503 until then`);
}

async function reportNewWords(pool: Pool): Promise<void> {
  const times: number[] = [];
  for (const word of newWords) times.push((await ask(pool, `/listings?q=${word}&count=true`)).ms);
  console.log(`words for the first time: ${describe(times)}`);
}

async function reportSearches(pool: Pool): Promise<void> {
  const times = new Map(Object.keys(searches).map((name) => [name, [] as number[]]));
  // Searches take turns, so that whatever else the machine does hits all of them.
  for (let round = -3; round < rounds; round += 1)
    for (const [name, url] of Object.entries(searches)) {
      const { statusCode, ms, text } = await ask(pool, url);
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`);
      if (round >= 0) times.get(name)?.push(ms);
    }
  console.log(`${listings} listings, p95 at most ${goalMs} ms:`);
  for (const [name, each] of times) console.log(`  ${name.padEnd(40)} ${describe(each)}`);
  console.log(`  ${'all of them'.padEnd(40)} ${describe([...times.values()].flat())}`);
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
  console.log(`page 1000 against page 1: ${ratio.toFixed(2)}x (${describe(deep)}; ${describe(first)})`);
}

/** How the database answers the commands that a search consists of. */
async function reportIndexes(): Promise<void> {
  const copies = mongoose.connection.collection<{ _id: string; installationId: string }>('catalog_listings');
  const some = await copies.find({}).sort({ _id: 1 }).limit(20).toArray();
  const installationId = some[0]?.installationId;
  const page = { _id: { $in: some.map(({ _id }) => _id) }, installationId };
  const since = { installationId, changedAt: { $gt: new Date() } };
  const sort = { changedAt: 1, _id: 1 };
  const words = { installationId, $text: { $search: 'ford' } };
  for (const [name, command] of Object.entries({
    'a page': { find: 'catalog_listings', filter: page },
    'what was written since': { find: 'catalog_listings', filter: since, sort },
    'what was removed since': { find: 'catalog_removals', filter: since, sort },
    words: { find: 'catalog_listings', filter: words, projection: { _id: 1 }, limit: 10_001 },
  })) {
    const plan = await mongoose.connection.db?.command({ explain: command, verbosity: 'queryPlanner' });
    console.log(`${name}: read through ${[...new Set(indexNames(plan))].join(', ') || 'NO INDEX'}`);
  }
}

function* indexNames(plan: unknown): Generator<string> {
  if (typeof plan !== 'object' || plan === null) return;
  for (const [member, value] of Object.entries(plan)) {
    if (member === 'rejectedPlans') continue;
    if (member === 'indexName' && typeof value === 'string') yield value;
    else yield* indexNames(value);
  }
}

async function ask(pool: Pool, url: string): Promise<{ statusCode: number; ms: number; text: string }> {
  const begun = performance.now();
  const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/v1/catalog${url}` });
  const text = await body.text();
  return { statusCode, text, ms: performance.now() - begun };
}

function describe(times: readonly number[]): string {
  const [median, high, most] = [0.5, 0.95, 1].map((part) => percentile(times, part).toFixed(1).padStart(6));
  return `median ${median} ms, p95 ${high} ms, most ${most} ms`;
}

function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
