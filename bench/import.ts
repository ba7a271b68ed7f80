import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { carFeed } from '../start/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../start/demonstration/carListings.ts';
import type { Program } from '../test/support/startProgram.ts';
import { insertBare } from './bareInsert.ts';
import { cpuOf } from './cpuOf.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:import`: rows a second that a feed of 5,000 mutated real rows comes in with, as new listings that are
 * published, as listings of which a tenth has changed, and once more as it is. The clock runs from the request to the
 * end that its route reports, so upload, check and the job's start are in it; `told` is when the other subgraphs know.
 * Memory is that of the whole process: for the first three imports with all that the catalogue keeps of new listings, then
 * of ever the same stock, and at most during dry runs of a tenth of the feed and of the whole, the longest that is taken.
 * At last the database alone: the same records into collections with the same indexes, in transactions of as many, by a
 * program that does nothing else; what it needs no import can do without.
 */

const password = 'bench-password-1';
const size = 5000;
const goalPerSecond = 1000;
const heapMb = 300;
const repetitions = 20;

await withPrograms('import', run);

interface Bench {
  database: Program;
  product: Program;
  connection: mongoose.Connection;
  token: string;
  dealerId: string;
}

async function run(start: StartProgram): Promise<void> {
  const database = await start('database', 'start/database.ts');
  const uri = new URL(database.ready.replace('MONGODB_URI=', ''));
  uri.pathname = '/import';
  const product = await start('product', 'start/main.ts', {
    DEMO_PASSWORD: password,
    PORT: '0',
    MONGODB_URI: uri.href,
    RATE_LIMITS: 'off',
    // With room to waste the engine lets garbage lie, and its memory says nothing.
    NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
  });
  const connection = await mongoose.createConnection(uri.href).asPromise();
  try {
    // No method lets a dealer show as many as this.
    await connection.collection('dealers').updateMany({}, { $set: { 'limits.maxActiveListings': 100_000 } });
    const token = await signIn(product);
    const bench = { database, product, connection, token, dealerId: await findDealer(product, token) };
    await reportImports(bench);
  } finally {
    await connection.close();
  }
}

async function reportImports(bench: Bench): Promise<void> {
  const rows = stock();
  const changed = rows.map((car, index) =>
    index % 10 === 0 ? { ...car, priceAmount: car.priceAmount - 100 } : car,
  );
  const before = await memoryMb(bench.product);
  await settled(bench);
  const perSecond = await measure('new, published', bench, rows);
  await measure('a tenth changed', bench, changed);
  await measure('unchanged', bench, changed);
  console.log(
    `memory ${before} MB before, ${await memoryMb(bench.product)} MB after, ${await memoryMb(bench.product, 'VmHWM')} MB at most`,
  );
  await reportMemory(bench, changed);
  const bare = await insertBare(bench.connection, bench.dealerId);
  console.log(
    `database alone   ${bare.perSecond} rows/s for the same listings and public copies; the import reaches ` +
      `${((100 * perSecond) / bare.perSecond).toFixed(0)} % of that`,
  );
}

/** Nothing is new any more: what grows now grows with imports, or with the length of a feed. */
async function reportMemory(bench: Bench, rows: readonly CarListing[]): Promise<void> {
  const after: number[] = [];
  for (let round = 0; round < repetitions; round += 1) {
    await importFeed(bench, carFeed(rows));
    await settled(bench);
    after.push(await memoryMb(bench.product));
  }
  console.log(`memory after each of ${repetitions} more imports that change nothing: ${after.join(', ')} MB`);
  for (const count of [size / 10, size]) {
    const feed = carFeed(stock(count));
    await forgetPeak(bench.product);
    const begun = performance.now();
    const { end } = await importFeed(bench, feed, '?dryRun=true');
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const most = await memoryMb(bench.product, 'VmHWM');
    console.log(
      `dry run of ${count} rows, ${(feed.length / 1e6).toFixed(1)} MB, in ${seconds} s: ${most} MB at most; ${end}`,
    );
  }
}

async function importFeed(
  { product, token, dealerId }: Bench,
  body: string,
  query = '',
): Promise<{ end: string }> {
  const route = `${product.url}/api/v1/dealers/${dealerId}/listing-imports`;
  const headers = { authorization: `Bearer ${token}` };
  const started = await fetch(`${route}${query}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body,
  });
  const { id } = (await started.json()) as { id: string };
  if (started.status !== 202) throw new Error(`The import was answered with ${started.status}.`);
  return { end: await untilDone(`${route}/${id}`, headers) };
}

async function measure(name: string, bench: Bench, rows: readonly CarListing[]): Promise<number> {
  const { product, database } = bench;
  const before = { product: cpuOf(product.pid), database: cpuOf(database.pid) };
  const begun = performance.now();
  const { end } = await importFeed(bench, carFeed(rows));
  const perSecond = Math.round((size * 1000) / (performance.now() - begun));
  const after = { product: cpuOf(product.pid), database: cpuOf(database.pid) };
  await settled(bench);
  const told = ((performance.now() - begun) / 1000).toFixed(1);
  const ms = (seconds: number): string => ((seconds * 1000) / size).toFixed(2);
  console.log(
    `${name.padEnd(16)} ${perSecond} rows/s (goal at least ${goalPerSecond}), told after ${told} s; ${end}; CPU ms a row: ` +
      `product ${ms(after.product.itself - before.product.itself)}, ` +
      `gateway ${ms(after.database.itself - before.database.itself)}, ` +
      `database ${ms(after.database.children - before.database.children)}`,
  );
  return perSecond;
}

async function untilDone(route: string, headers: Record<string, string>): Promise<string> {
  for (;;) {
    const { state, counts } = (await (await fetch(route, { headers })).json()) as Progress;
    if (state !== 'queued' && state !== 'running') return `${state} ${JSON.stringify(counts)}`;
    await pause(50);
  }
}

/** Waits until the events are told and every consumer has passed them. */
async function settled({ connection }: Bench): Promise<void> {
  for (;;) {
    const waiting = await countWaiting(connection);
    const head = await connection.collection('events').findOne({}, { sort: { position: -1 } });
    const cursors = await connection.collection('relay_cursors').find({}).toArray();
    const heads = cursors.filter(({ _id }) => /heads|page-index/.test(String(_id)));
    const behind = heads.filter(({ position }) => position < (head?.position ?? 0) - 100);
    if (waiting === 0 && behind.length === 0) return;
    await pause(200);
  }
}

async function countWaiting(connection: mongoose.Connection): Promise<number> {
  const counts = ['listings', 'arrivals'].map((name) =>
    connection.collection(name).countDocuments({ 'outbox.at': { $type: 'date' } }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count);
}

interface Progress {
  state: string;
  counts: object;
}

function stock(count = size): CarListing[] {
  const cars = readCarListings();
  return Array.from({ length: count }, (_, index) => {
    const car = cars[index % cars.length] as CarListing;
    const round = Math.floor(index / cars.length);
    return { ...car, stockNumber: `BENCH-${index}`, title: `${car.title.slice(0, 100)} (${round})` };
  });
}

async function signIn(product: Program): Promise<string> {
  const answer = await fetch(`${product.url}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username: 'dealer@demo.example', password }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function findDealer(product: Program, token: string): Promise<string> {
  const answer = await fetch(`${product.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  const { dealerMemberships } = (await answer.json()) as { dealerMemberships: { dealerId: string }[] };
  return dealerMemberships[0]?.dealerId ?? '';
}

/** From here on `VmHWM` is the most of what follows. */
async function forgetPeak({ pid }: Program): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** Linux tells it in kB. */
async function memoryMb(product: Program, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${product.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024);
}
