import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { carFeed } from '../start/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../start/demonstration/carListings.ts';
import type { Program } from '../test/support/startProgram.ts';
import { cpuOf } from './cpuOf.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:import`: rows a second that a feed of 5,000 mutated real rows comes in with, as new listings that are
 * published, as listings of which a tenth has changed, and once more as it is. The clock runs from the request to the
 * end that its route reports, so upload, check and the job's start are in it. Memory is that of the whole process.
 */

const password = 'bench-password-1';
const size = 5000;
const goalPerSecond = 1000;

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
  await measure('new, published', bench, rows);
  await measure('a tenth changed', bench, changed);
  await measure('unchanged', bench, changed);
  console.log(
    `memory ${before} MB before, ${await memoryMb(bench.product)} MB after, ${await memoryMb(bench.product, 'VmHWM')} MB at most`,
  );
}

async function measure(name: string, bench: Bench, rows: readonly CarListing[]): Promise<void> {
  const { product, database, token, dealerId } = bench;
  const route = `${product.url}/api/v1/dealers/${dealerId}/listing-imports`;
  const feed = carFeed(rows);
  const headers = { authorization: `Bearer ${token}` };
  const cpuBefore = [cpuOf(product.pid), cpuOf(database.pid)];
  const begun = performance.now();
  const started = await fetch(route, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: feed,
  });
  const { id } = (await started.json()) as { id: string };
  if (started.status !== 202) throw new Error(`The import was answered with ${started.status}.`);
  const tell = (what: string, from: number, rest = '') => {
    const [p, d] = [cpuOf(product.pid), cpuOf(database.pid)];
    const ms = (b: number, a: number | undefined) => (((b - (a ?? 0)) / size) * 1000).toFixed(2);
    console.log(
      `${what.padEnd(16)} ${((performance.now() - from) / 1000).toFixed(1)} s, CPU ms a row: product ${ms(p.itself, cpuBefore[0]?.itself)}, gateway ${ms(d.itself, cpuBefore[1]?.itself)}, database ${ms(d.children, cpuBefore[1]?.children)} ${rest}`,
    );
  };
  for (;;) {
    const { state, counts } = (await (await fetch(`${route}/${id}`, { headers })).json()) as Progress;
    if (state !== 'queued' && state !== 'running') {
      const seconds = (performance.now() - begun) / 1000;
      const perSecond = Math.round(size / seconds);
      console.log(
        `${name.padEnd(16)} ${perSecond} rows/s (goal at least ${goalPerSecond}) ${state} ${JSON.stringify(counts)} ${(Buffer.byteLength(feed) / 2 ** 20).toFixed(1)} MiB`,
      );
      tell('  imported', begun);
      break;
    }
    await pause(100);
  }
  await settled(bench);
  tell('  told', begun);
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

function stock(): CarListing[] {
  const cars = readCarListings();
  return Array.from({ length: size }, (_, index) => {
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

/** Linux tells it in kB. */
async function memoryMb(product: Program, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${product.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024);
}
