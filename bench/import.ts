import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { carFeed } from '../app/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../app/demonstration/carListings.ts';
import { benchmark } from './harness/benchmark.ts';
import type { Caller } from './harness/Caller.ts';
import type { Marketplace } from './harness/openMarketplace.ts';
import { report } from './harness/report.ts';
import { cpuOf, residentMiB } from './harness/usage.ts';

/**
 * Measures the import rate in rows per second for a feed of mutated real rows: as new published listings, as listings
 * of which a tenth has changed, and unchanged. The time is from the request to the end that its route reports, and
 * includes upload, validation and start of the job. `published` is when the other subgraphs have the events. Memory is
 * that of the whole process: after the first three imports with new listings, after repeated imports of the same stock,
 * and the peak during dry runs of a tenth and of the whole of the longest accepted feed. Finally, the database alone is
 * measured: the same records in collections with the same indexes, in transactions of the same size, written by a
 * program that does nothing else.
 */

const goalPerSecond = 1000;
const heapMb = 300;

interface Bench extends Marketplace {
  readonly connection: mongoose.Connection;
}

export default benchmark({
  measures: 'rows a second of a feed of a dealer, beside the same records written by the database alone',
  settings: {
    rows: { usual: 5000, quick: 100, means: 'rows of the feed' },
    repetitions: { usual: 20, quick: 1, means: 'further imports after which memory is read' },
  },
  async measure({ rows: size, repetitions }, { openMarketplace }) {
    // With ample memory the engine collects garbage late, and its memory is not meaningful.
    const marketplace = await openMarketplace({ NODE_OPTIONS: `--max-old-space-size=${heapMb}` });
    const connection = await mongoose.createConnection(marketplace.shared.MONGODB_URI ?? '').asPromise();
    try {
      // The API does not allow a dealer to publish as many listings.
      await connection
        .collection('dealers')
        .updateMany({}, { $set: { 'limits.maxActiveListings': 100_000 } });
      const bench = { ...marketplace, connection };
      const rows = stock(size).map((car, index) =>
        index % 10 === 0 ? { ...car, priceAmount: car.priceAmount - 100 } : car,
      );
      await reportImports(bench, rows);
      await reportMemory(bench, rows, repetitions);
    } finally {
      await connection.close();
    }
  },
});

async function reportImports(bench: Bench, changed: readonly CarListing[]): Promise<void> {
  const { pid } = bench.product;
  const before = residentMiB(pid);
  await settled(bench);
  const perSecond = await measure('new, published', bench, stock(changed.length));
  await measure('a tenth changed', bench, changed);
  await measure('unchanged', bench, changed);
  const memory = [before, residentMiB(pid), residentMiB(pid, 'VmHWM')].map((each) => each.toFixed(0));
  report('memory', `${memory[0]} MiB before, ${memory[1]} MiB after, ${memory[2]} MiB at most`);
  const bare = await insertBare(bench.connection, bench.dealerId);
  report('database alone', `${bare.perSecond} rows/s for the same listings and public copies`);
  report('import : database alone', (perSecond / bare.perSecond).toFixed(2));
}

/** Reports memory after all data exists, so that growth depends only on imports, or on the length of a feed. */
async function reportMemory(bench: Bench, rows: readonly CarListing[], repetitions: number): Promise<void> {
  const { pid } = bench.product;
  const after: string[] = [];
  for (let round = 0; round < repetitions; round += 1) {
    await importFeed(bench, carFeed(rows));
    await settled(bench);
    after.push(residentMiB(pid).toFixed(0));
  }
  report(`memory after each of ${repetitions} unchanged imports`, `${after.join(', ')} MiB`);
  for (const count of [rows.length / 10, rows.length]) {
    const feed = carFeed(stock(count));
    // Resets `VmHWM` to measure the peak of what follows.
    await writeFile(`/proc/${pid}/clear_refs`, '5');
    const begun = performance.now();
    const { end } = await importFeed(bench, feed, '?dryRun=true');
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const size = `${(feed.length / 1e6).toFixed(1)} MB`;
    report(
      `dry run of ${count} rows, ${size}`,
      `${seconds} s, ${residentMiB(pid, 'VmHWM').toFixed(0)} MiB at most; ${end}`,
    );
  }
}

async function importFeed(
  { product, caller, dealerId }: Bench,
  body: string,
  query = '',
): Promise<{ end: string }> {
  const route = `${product.url}/api/v1/dealers/${dealerId}/listing-imports`;
  const headers = { authorization: await caller.authorization() };
  const started = await fetch(`${route}${query}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body,
  });
  const { id } = (await started.json()) as { id: string };
  if (started.status !== 202) throw new Error(`The import was answered with ${started.status}.`);
  return { end: await untilDone(`${route}/${id}`, caller) };
}

async function measure(name: string, bench: Bench, rows: readonly CarListing[]): Promise<number> {
  const used = () => ({ product: cpuOf(bench.product.pid), database: cpuOf(bench.database.pid) });
  const before = used();
  const begun = performance.now();
  const { end } = await importFeed(bench, carFeed(rows));
  const perSecond = Math.round((rows.length * 1000) / (performance.now() - begun));
  const after = used();
  await settled(bench);
  const published = ((performance.now() - begun) / 1000).toFixed(1);
  const ms = (seconds: number): string => ((seconds * 1000) / rows.length).toFixed(2);
  report(
    name,
    `${perSecond} rows/s (goal at least ${goalPerSecond}), published after ${published} s; ${end}; CPU ms a row: ` +
      `product ${ms(after.product.itself - before.product.itself)}, ` +
      `gateway ${ms(after.database.itself - before.database.itself)}, ` +
      `database ${ms(after.database.children - before.database.children)}`,
  );
  return perSecond;
}

async function untilDone(route: string, caller: Caller): Promise<string> {
  for (;;) {
    const headers = { authorization: await caller.authorization() };
    const { state, counts } = (await (await fetch(route, { headers })).json()) as Progress;
    const outcome = `${state} ${JSON.stringify(counts)}`;
    if (state === 'queued' || state === 'running') {
      await pause(50);
      continue;
    }
    if (state !== 'completed' || counts.failed > 0) throw new Error(`An import ended with ${outcome}.`);
    return outcome;
  }
}

/** Waits until the events are published and every consumer has passed them. */
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
  counts: { failed: number };
}

function stock(count: number): CarListing[] {
  const cars = readCarListings();
  return Array.from({ length: count }, (_, index) => {
    const car = cars[index % cars.length] as CarListing;
    const round = Math.floor(index / cars.length);
    return { ...car, stockNumber: `BENCH-${index}`, title: `${car.title.slice(0, 100)} (${round})` };
  });
}

/** Number of rows that an import writes in a transaction. */
const batchSize = 400;
type Stored = mongoose.mongo.Document & { _id: string };

/**
 * Writes the listings of a dealer and their public copies again to new collections with the same indexes, in
 * transactions that do nothing else, to measure the database alone.
 */
async function insertBare(connection: mongoose.Connection, dealerId: string): Promise<{ perSecond: number }> {
  const listings = await copyOf(connection, 'listings', { 'owner.id': dealerId });
  const copies = await copyOf(connection, 'catalog_listings', { 'seller.id': dealerId });
  const begun = performance.now();
  for (let start = 0; start < listings.records.length; start += batchSize) {
    const session = await connection.startSession();
    await session.withTransaction(async () => {
      for (const { into, records } of [listings, copies])
        await into.insertMany(records.slice(start, start + batchSize), { session });
    });
    await session.endSession();
  }
  const seconds = (performance.now() - begun) / 1000;
  return { perSecond: Math.round(listings.records.length / seconds) };
}

async function copyOf(connection: mongoose.Connection, name: string, filter: object) {
  const from = connection.collection<Stored>(name);
  const records = await from.find(filter).toArray();
  await connection.createCollection(`bare_${name}`);
  const into = connection.collection<Stored>(`bare_${name}`);
  for (const { key, name: index, v: _, ...options } of await from.indexes())
    if (index !== '_id_') await into.createIndex(key, { ...options, ...(index && { name: index }) });
  return { into, records };
}
