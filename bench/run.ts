import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Program, startProgram } from '../test/support/startProgram.ts';
import { type Comparison, compare, type Load } from './compare.ts';

/** `npm run bench`: what the product costs beside hand-written handlers, as ratios measured in this run. */

const joinQuery = `query join($listingId: ID!) {
  listing(listingId: $listingId) {
    id
    title
    price { amount currency }
    seo(locale: "en") { keyphrase latestAnalysis { scores { seo { value rating earned possible applicable cappedBy } } } }
    translations { languageCode live fields { title } }
  }
}`;

const password = 'bench-password-1';
const started: Program[] = [];
const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-bench-'));

try {
  await run();
} finally {
  for (const target of started.reverse()) await target.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const database = await start('database', 'start/database.ts', {});
  const uri = database.ready.replace('MONGODB_URI=', '');
  const shared = {
    MONGODB_URI: withDatabase(uri),
    DEMO_PASSWORD: password,
    ISSUER: 'http://localhost:4000',
    RATE_LIMITS: 'off',
  };
  console.log('making the demonstration data …');
  const product = await start('product', 'start/main.ts', { ...shared, PORT: '0' });
  const handwritten = await start('handwritten', 'bench/handwritten/server.ts', { ...shared, PORT: '0' });
  const token = await signIn(product.url);
  const headers = { authorization: `Bearer ${token}` };
  const listingId = await findListing(product.url, headers);

  const me: Load = { method: 'GET', path: '/api/v1/me', headers };
  await assertSameMembers(`${product.url}${me.path}`, `${handwritten.url}${me.path}`, headers);
  report(
    'GET /api/v1/me against a hand-written handler',
    1.3,
    await compare({ target: product, load: me }, { target: handwritten, load: me }),
  );

  const join: Load = {
    method: 'POST',
    path: '/graphql',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: joinQuery, variables: { listingId } }),
  };
  const byHand: Load = { method: 'GET', path: `/join/${listingId}`, headers };
  await assertSameAnswers(product.url, handwritten.url, join, byHand);
  report(
    'join over three subgraphs against a hand-written handler',
    2,
    await compare({ target: product, load: join }, { target: handwritten, load: byHand }),
  );

  for (const target of started.splice(0).reverse()) await target.stop();
  await reportStart();
}

/** The data folder holds a database now: what is measured is a start like that of any second day. */
async function reportStart(): Promise<void> {
  const target = await start('product', 'start/main.ts', { PORT: '0', MONGODB_URI: '' });
  const begun = performance.now();
  await (await fetch(`${target.url}/api/v1/catalog/listings?limit=1`)).json();
  const seconds = (target.startMs + performance.now() - begun) / 1000;
  console.log(`start to first answer, embedded database cached: ${seconds.toFixed(2)} s (goal at most 4 s)`);
}

async function start(name: string, script: string, environment: Record<string, string>) {
  const target = await startProgram(name, script, { DATA_DIR: dataDir, ...environment });
  started.push(target);
  return target;
}

function withDatabase(uri: string): string {
  const url = new URL(uri);
  url.pathname = '/trigate';
  return url.href;
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'dealer@demo.example', password });
  const response = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The first car: it has an analysis and translations. */
async function findListing(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/api/v1/listings?stockNumber=CAR-0001`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data[0]?.id ?? '';
}

/** A comparison is only fair when both do the same work: the answers must have the same members. */
async function assertSameMembers(
  first: string,
  second: string,
  headers: Record<string, string>,
): Promise<void> {
  const [a, b] = await Promise.all(
    [first, second].map(async (url) =>
      Object.keys((await (await fetch(url, { headers })).json()) as object).sort(),
    ),
  );
  if (JSON.stringify(a) !== JSON.stringify(b))
    throw new Error(`The two answers differ: ${String(a)} against ${String(b)}`);
}

async function assertSameAnswers(
  product: string,
  handwritten: string,
  join: Load,
  byHand: Load,
): Promise<void> {
  const first = await (await fetch(product + join.path, join)).text();
  const second = await (await fetch(handwritten + byHand.path, byHand)).text();
  if (canonical(first) !== canonical(second)) throw new Error(`The two answers differ:\n${first}\n${second}`);
}

function canonical(json: string): string {
  const sort = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.map(sort).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' ? value.toLowerCase() : value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => [key, sort(member)]),
    );
  };
  return JSON.stringify(sort(JSON.parse(json)));
}

function report(
  title: string,
  goal: number,
  { cpuRatio, throughputRatio, cpuMicros, throughput }: Comparison,
): void {
  const [own, theirs] = cpuMicros.map((micros) => micros.toFixed(0));
  const [ownRate, theirRate] = throughput.map((rate) => rate.toFixed(0));
  console.log(title);
  console.log(
    `  CPU per request   ${cpuRatio.toFixed(2)}x  (${own} µs against ${theirs} µs; goal at most ${goal}x)`,
  );
  console.log(`  requests/s        ${throughputRatio.toFixed(2)}x  (${ownRate} against ${theirRate})`);
}
