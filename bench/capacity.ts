import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import mongoose from 'mongoose';
import { Pool } from 'undici';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { benchmark } from './harness/benchmark.ts';
import { interleave } from './harness/interleave.ts';
import { documents } from './harness/loads.ts';
import type { Marketplace } from './harness/openMarketplace.ts';
import { medianOf, report } from './harness/report.ts';
import { jsonLoad, type Load, sendOk } from './harness/send.ts';
import { cpuOf } from './harness/usage.ts';

/**
 * Measures what a request of each class costs, and computes from it the machines for a number of requests a second. CPU
 * time is independent of the number of cores, so it is the figure to plan with.
 */

/** Part of a core that requests use, so that there is room for peaks and for the loss of a machine. */
const utilization = 0.6;
const rates = [10, 1000, 100_000];
const secondsPerMonth = 30 * 24 * 3600;

/** A class of requests, with its share of all requests of a marketplace. The shares are an assumption. */
interface RequestClass {
  readonly share: number;
  readonly load: (count: number) => Load;
  readonly status?: number;
}

/** Costs of one request. */
interface Cost {
  readonly productMs: number;
  readonly databaseMs: number;
  readonly commands: number;
  readonly responseBytes: number;
  /** Everything that the process reads and writes: to clients, and to the database. */
  readonly processBytes: number;
}

const members = ['productMs', 'databaseMs', 'commands', 'responseBytes', 'processBytes'] as const;

export default benchmark({
  measures:
    'CPU, database commands and bytes of each class of requests, and the machines that follow from them',
  settings: {
    rounds: { usual: 3, quick: 1, means: 'rounds in which the classes take turns' },
    roundMs: { usual: 4000, quick: 100, means: 'for which a class is sent in a round' },
    warmUpMs: { usual: 4000, quick: 50, means: 'for which a class is sent before the rounds' },
    connections: { usual: 4, quick: 2, means: 'concurrent requests' },
    corePrice: { usual: 25, quick: 25, means: 'price of a core for a month, in any currency' },
    primaryCores: { usual: 32, quick: 32, means: 'cores of the largest primary of the database' },
  },
  async measure({ rounds, roundMs, warmUpMs, connections, ...prices }, { openMarketplace }) {
    const marketplace = await openMarketplace();
    const connection = await connectMongo({ uri: marketplace.shared.MONGODB_URI, timeoutMs: 60_000 });
    const pool = new Pool(marketplace.product.url, { connections });
    try {
      const classes = classesOf(marketplace, await ownListings(pool, marketplace));
      const idlePerMs = await idleCommands(roundMs);
      const measure = (one: RequestClass, forMs: number): Promise<Cost> =>
        measureClass(one, { marketplace, pool, connections, forMs, idlePerMs });
      for (const one of Object.values(classes)) await measure(one, warmUpMs);
      const sides = Object.entries(classes).map(([name, one]) => [name, () => measure(one, roundMs)]);
      const measured: Record<string, Cost[]> = await interleave(rounds, Object.fromEntries(sides));
      const costs = Object.entries(measured).map(([name, each]) => [name, medianCost(each)] as const);
      for (const [name, cost] of costs) report(name, describeCost(cost));
      const mix = mixOf(costs.map(([name, cost]) => [classes[name]?.share ?? 0, cost]));
      report('the mix', describeCost(mix));
      reportMachines(mix, prices);
      report('load average of the machine', `${loadavg()[1]?.toFixed(1)} over the last five minutes`);
    } finally {
      await pool.close();
      await connection.close();
    }
  },
});

/** Returns listings of the dealer, so that concurrent changes are not those of one record. */
async function ownListings(pool: Pool, { caller: as }: Marketplace): Promise<string[]> {
  const { text } = await sendOk(pool, { method: 'GET', path: '/api/v1/listings?limit=50', as });
  return (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id);
}

function classesOf(
  { listingId, caller: as, signIn, shared }: Marketplace,
  own: readonly string[],
): Record<string, RequestClass> {
  const get = (path: string, by?: typeof as): Load => ({ method: 'GET', path, ...(by && { as: by }) });
  const catalog = '/api/v1/catalog/listings';
  const credentials = {
    grant_type: 'password',
    username: 'buyer@demo.example',
    password: shared.DEMO_PASSWORD,
  };
  const draft = {
    content: `<h2>Volvo 145</h2><p>${'The Volvo 145 is a sound estate. '.repeat(60)}</p>`,
    keyphrase: 'volvo 145',
    locale: 'en',
  };
  const editor = signIn('editor');
  const join = jsonLoad('POST', '/graphql', { query: documents.join, variables: { listingId } }, as);
  return {
    'search of the catalogue': { share: 0.35, load: () => get(`${catalog}?q=ford&sort=price&limit=20`) },
    'listing of the catalogue': { share: 0.35, load: () => get(`${catalog}/${listingId}`) },
    'five facets': {
      share: 0.05,
      load: () => get('/api/v1/catalog/facets?facets=make,fuel,price,mileageKm,modelYear'),
    },
    'own profile': { share: 0.08, load: () => get('/api/v1/me', as) },
    'own listings, 20': { share: 0.05, load: () => get('/api/v1/listings?limit=20', as) },
    'join over three subgraphs': { share: 0.05, load: () => join },
    'change of a listing': {
      share: 0.05,
      load: (count) =>
        jsonLoad(
          'PATCH',
          `/api/v1/listings/${own[count % own.length]}`,
          { price: { amount: 890_000 + (count % 1000) * 100, currency: 'EUR' } },
          as,
        ),
    },
    'analysis of 400 words': {
      share: 0.01,
      load: () => jsonLoad('POST', '/api/rest/seo-tools/v1/analysis', draft, editor),
    },
    'sign-in': { share: 0.01, load: () => jsonLoad('POST', '/api/v1/auth/token', credentials) },
  };
}

interface Measuring {
  readonly marketplace: Marketplace;
  readonly pool: Pool;
  readonly connections: number;
  readonly forMs: number;
  /** Commands of jobs and change streams. */
  readonly idlePerMs: number;
}

async function measureClass(
  { load, status }: RequestClass,
  { marketplace, pool, connections, forMs, idlePerMs }: Measuring,
): Promise<Cost> {
  const { product, database } = marketplace;
  const before = await readUsage(product.pid, database.pid);
  const begun = performance.now();
  let [answered, bytes] = [0, 0];
  const work = async (): Promise<void> => {
    do {
      answered += 1;
      const { text } = await sendOk(pool, load(answered), status);
      bytes += Buffer.byteLength(text);
    } while (performance.now() - begun < forMs);
  };
  await Promise.all(Array.from({ length: connections }, work));
  const elapsed = performance.now() - begun;
  const after = await readUsage(product.pid, database.pid);
  const perRequest = (member: keyof typeof after): number => (after[member] - before[member]) / answered;
  return {
    productMs: perRequest('productMs'),
    databaseMs: perRequest('databaseMs'),
    commands: Math.max(0, perRequest('commands') - (idlePerMs * elapsed) / answered),
    responseBytes: bytes / answered,
    processBytes: perRequest('processBytes'),
  };
}

async function readUsage(product: number, database: number) {
  const totalMs = ({ itself, children }: { itself: number; children: number }) => (itself + children) * 1000;
  return {
    productMs: totalMs(cpuOf(product)),
    databaseMs: totalMs(cpuOf(database)),
    commands: await countCommands(),
    processBytes: bytesOf(product),
  };
}

/** Returns the commands that the database has executed since its start. */
async function countCommands(): Promise<number> {
  const status = await mongoose.connection.db?.admin().command({ serverStatus: 1 });
  const counters = Object.values((status?.opcounters ?? {}) as Record<string, number>);
  return counters.reduce((sum, count) => sum + count, 0);
}

async function idleCommands(forMs: number): Promise<number> {
  const before = await countCommands();
  await new Promise((done) => setTimeout(done, forMs));
  return ((await countCommands()) - before) / forMs;
}

/** Returns the bytes that a process has read and written, sockets included. Linux only. */
function bytesOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  return ['rchar', 'wchar'].reduce(
    (sum, name) => sum + Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]),
    0,
  );
}

function medianCost(rounds: readonly Cost[]): Cost {
  return costOf((member) => medianOf(rounds, (one) => one[member]));
}

function mixOf(parts: readonly (readonly [share: number, cost: Cost])[]): Cost {
  return costOf((member) => parts.reduce((sum, [share, cost]) => sum + share * cost[member], 0));
}

function costOf(value: (member: keyof Cost) => number): Cost {
  return Object.fromEntries(members.map((member) => [member, value(member)])) as unknown as Cost;
}

function describeCost({ productMs, databaseMs, commands, responseBytes, processBytes }: Cost): string {
  return (
    `CPU ${productMs.toFixed(2)} ms product, ${databaseMs.toFixed(2)} ms database; ` +
    `${commands.toFixed(1)} commands; response ${(responseBytes / 1000).toFixed(1)} kB, ` +
    `process ${(processBytes / 1000).toFixed(1)} kB`
  );
}

function reportMachines(
  { productMs, databaseMs, responseBytes }: Cost,
  { corePrice, primaryCores }: { corePrice: number; primaryCores: number },
): void {
  const perCore = (ms: number): number => (utilization * 1000) / ms;
  report('requests/s of a process, which has one core', perCore(productMs).toFixed(0));
  report(
    `requests/s of a primary with ${primaryCores} cores`,
    (primaryCores * perCore(databaseMs)).toFixed(0),
  );
  for (const rate of rates) {
    const product = Math.ceil(rate / perCore(productMs));
    const database = rate / perCore(databaseMs);
    const shards = Math.ceil(database / primaryCores);
    // A replica set has three members, and each of them applies all writes.
    const databaseCores = 3 * Math.max(1, Math.ceil(database));
    const price = (product + databaseCores) * corePrice;
    report(
      `${rate.toLocaleString('en')} requests/s`,
      `${product} cores of the product, ${database.toFixed(1)} of primaries (${shards} shards), ` +
        `${((rate * responseBytes * 8) / 1e6).toFixed(1)} Mbit/s; ${price.toFixed(0)} a month, ` +
        `${((price * 1e6) / (rate * secondsPerMonth)).toFixed(2)} for a million requests`,
    );
  }
}
