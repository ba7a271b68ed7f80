import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { carFeed } from '../start/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../start/demonstration/carListings.ts';
import { startProgram } from '../test/support/startProgram.ts';

/**
 * `npm run bench:import`: rows a second that a feed of 5,000 mutated real rows comes in with, as new listings that are
 * published, as listings of which a tenth has changed, and once more as it is. The clock runs from the request to the
 * end that its route reports, so upload, check and the job's start are in it. Memory is that of the whole process.
 */

const password = 'bench-password-1';
const size = 5000;
const goalPerSecond = 1000;

const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-import-'));
const database = await startProgram('database', 'start/database.ts', { DATA_DIR: dataDir });
const uri = new URL(database.ready.replace('MONGODB_URI=', ''));
uri.pathname = '/import';
const product = await startProgram('product', 'start/main.ts', {
  DATA_DIR: dataDir,
  DEMO_PASSWORD: password,
  PORT: '0',
  MONGODB_URI: uri.href,
  RATE_LIMITS: 'off',
});

try {
  await liftLimits();
  await run();
} finally {
  await product.stop();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** No method lets a dealer show as many as this. */
async function liftLimits(): Promise<void> {
  const connection = await mongoose.createConnection(uri.href).asPromise();
  await connection.collection('dealers').updateMany({}, { $set: { 'limits.maxActiveListings': 100_000 } });
  await connection.close();
}

async function run(): Promise<void> {
  const token = await signIn();
  const dealerId = await findDealer(token);
  const rows = stock();
  const changed = rows.map((car, index) =>
    index % 10 === 0 ? { ...car, priceAmount: car.priceAmount - 100 } : car,
  );
  const before = await memoryMb();
  await measure('new, published', token, dealerId, rows);
  await measure('a tenth changed', token, dealerId, changed);
  await measure('unchanged', token, dealerId, changed);
  console.log(
    `memory ${before} MB before, ${await memoryMb()} MB after, ${await memoryMb('VmHWM')} MB at most`,
  );
}

async function measure(
  name: string,
  token: string,
  dealerId: string,
  rows: readonly CarListing[],
): Promise<void> {
  const route = `${product.url}/api/v1/dealers/${dealerId}/listing-imports`;
  const feed = carFeed(rows);
  const headers = { authorization: `Bearer ${token}` };
  const begun = performance.now();
  const started = await fetch(route, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: feed,
  });
  const { id } = (await started.json()) as { id: string };
  if (started.status !== 202) throw new Error(`The import was answered with ${started.status}.`);
  for (;;) {
    const { state, counts } = (await (await fetch(`${route}/${id}`, { headers })).json()) as Progress;
    if (state !== 'queued' && state !== 'running') {
      const seconds = (performance.now() - begun) / 1000;
      const perSecond = Math.round(size / seconds);
      console.log(
        `${name.padEnd(16)} ${perSecond} rows/s (goal at least ${goalPerSecond}) ${state} ${JSON.stringify(counts)} ${(Buffer.byteLength(feed) / 2 ** 20).toFixed(1)} MiB`,
      );
      return;
    }
    await pause(20);
  }
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

async function signIn(): Promise<string> {
  const answer = await fetch(`${product.url}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username: 'dealer@demo.example', password }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function findDealer(token: string): Promise<string> {
  const answer = await fetch(`${product.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  const { dealerMemberships } = (await answer.json()) as { dealerMemberships: { dealerId: string }[] };
  return dealerMemberships[0]?.dealerId ?? '';
}

/** Linux tells it in kB. */
async function memoryMb(line: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${product.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024);
}
