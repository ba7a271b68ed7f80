import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { embeddedUriFile } from '../../app/services/openDatabase.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../../test/support/stack/openHttpClient.ts';
import { runProgram } from '../../test/support/stack/runProgram.ts';
import { type Program, startProgram } from '../../test/support/stack/startProgram.ts';
import { childrenOf, killHard } from './processTree.ts';

/** `KILLS=20 npm run test:product -- supervision` is the long form. */
const kills = Number(process.env.KILLS ?? 1);
const recoveryLimitMs = 5_000;
const host = 'shop.localhost';
const dataDir = mkdtempSync(join(tmpdir(), 'supervision-'));
const database = 'trigate';

let program: Program;
let http: HttpClient;
let token: string;
/** What the API answered, and how often; filled until `over`. */
const answers = new Map<string, number>();
/** Each change of the answer of `/health/ready`. */
const readiness: number[] = [];
/** Numbers of documents, and the number in the display name, whose writes were acknowledged. */
const acknowledged: number[] = [];
let acknowledgedName = 0;
const over = new AbortController();
let work: Promise<unknown> = Promise.resolve();

const settings = {
  MONGODB_URI: '',
  EMBEDDED_DB: 'documentdb',
  DATA_DIR: dataDir,
  TRIGATE_SECRET: '\u0007'.repeat(32),
  DEMO: 'off',
  PORT: '0',
  LOG_LEVEL: 'silent',
};

async function start(): Promise<void> {
  program = await startProgram('product', 'bin/main.ts', settings);
  http = openHttpClient(Number(new URL(program.url).port));
}

beforeAll(async () => {
  await start();
  const shop = ['--name', 'Shop', '--base-url', `http://${host}`, '--admin-email', 'admin@example.test'];
  expect(await runProgram('bin/installations.ts', ['create', ...shop], settings)).toMatchObject({
    code: 0,
  });
  // The running product learns of the installation by a change stream.
  await until(async () => (await send('GET', '/api/v1/catalog/listings')).status === 200);
  const person = { email: 'ada@example.test', password: 'a long and strange sentence', displayName: 'n0' };
  const { json } = await send('POST', '/api/v1/auth/register', person);
  token = json.tokens.accessToken;
}, 60_000);
afterAll(async () => {
  over.abort();
  await work.catch(() => {});
  await program?.stop();
  http?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const send = (method: string, path: string, body?: object): Promise<HttpAnswer> =>
  http.send({ method, path, host, body, ...(token && { token }) });
const postmaster = () =>
  Number(readFileSync(join(dataDir, 'db/documentdb/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
const openClient = () => {
  const uri = readFileSync(embeddedUriFile(dataDir), 'utf8');
  return new mongoose.mongo.MongoClient(uri, { retryWrites: false }).connect();
};

/** Writes documents one after the other, and notes each that was acknowledged. */
let next = 0;
async function insertOn(collection: mongoose.mongo.Collection<{ _id: number }>): Promise<void> {
  while (!over.signal.aborted) {
    const _id = next++;
    await collection.insertOne({ _id }).then(
      () => acknowledged.push(_id),
      () => pause(5),
    );
  }
}

/** Reads and writes as a client of the API, and notes what it is answered. */
async function callOn(): Promise<void> {
  for (let name = 1; !over.signal.aborted; name++) {
    const written = await send('PATCH', '/api/v1/me', { displayName: `n${name}` });
    if (written.status === 200) acknowledgedName = name;
    for (const answer of [written, await send('GET', '/api/v1/me')]) {
      const { code = 'ok' } = answer.json ?? {};
      const told = answer.status === 503 ? ` after ${String(answer.headers['retry-after'])}` : '';
      const kind = `${answer.status} ${code}${told}`;
      answers.set(kind, (answers.get(kind) ?? 0) + 1);
    }
    await pause(100);
  }
}

async function watchReadiness(): Promise<void> {
  while (!over.signal.aborted) {
    const { status } = await send('GET', '/health/ready');
    if (readiness.at(-1) !== status) readiness.push(status);
    await pause(5);
  }
}

/** Kills the server, and every other time with a process of it that cannot notice: it is stopped. */
function killServer(round: number): void {
  const id = postmaster();
  const [orphan] = childrenOf(id);
  if (round % 2 === 1 && orphan !== undefined) process.kill(orphan, 'SIGSTOP');
  killHard(id);
}

/** Ends with the file at the latest. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5, undefined, { signal: over.signal });
}

async function isServed(since: number): Promise<boolean> {
  return acknowledged.length > since && (await send('GET', '/api/v1/me')).status === 200;
}

test(
  `${kills} kills of the database server lose no acknowledged write, and each is recovered within ${recoveryLimitMs} ms`,
  async () => {
    const client = await openClient();
    const documents = client.db(database).collection<{ _id: number }>('written');
    work = Promise.all([callOn(), watchReadiness(), ...Array.from({ length: 4 }, () => insertOn(documents))]);
    // A failure is reported where the work is awaited.
    work.catch(() => {});
    await until(() => readiness.at(-1) === 200);
    const recoveries: number[] = [];
    for (let round = 0; round < kills; round++) {
      await pause(100 + Math.random() * 300);
      killServer(round);
      const begun = performance.now();
      await until(() => readiness.at(-1) === 503);
      const before = acknowledged.length;
      await until(async () => readiness.at(-1) === 200 && (await isServed(before)));
      recoveries.push(performance.now() - begun);
    }
    over.abort();
    await work;
    const present = new Set((await documents.find().toArray()).map(({ _id }) => _id));
    await client.close();
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    expect(Number((await send('GET', '/api/v1/me')).json.displayName.slice(1))).toBeGreaterThanOrEqual(
      acknowledgedName,
    );
    expect(Math.max(...recoveries)).toBeLessThan(recoveryLimitMs);
    expect(
      [...answers.keys()].filter((kind) => !/^(200 ok|429 |503 unavailable after \d+$)/.test(kind)),
    ).toEqual([]);
    expect(answers.get('200 ok')).toBeGreaterThan(0);
    // Once down and once up for each kill.
    expect(readiness).toEqual([200, ...Array.from({ length: kills }, () => [503, 200]).flat()]);
  },
  30_000 + kills * 10_000,
);

test('database:uri prints no address after a kill of the product and its database, and the product starts again with all data', async () => {
  killServer(1);
  await program.kill();
  http.close();
  // The file with the address of the database outlives the killed process.
  expect(existsSync(embeddedUriFile(dataDir))).toBe(true);
  expect(await runProgram('bin/databaseUri.ts', [], settings)).toMatchObject({ code: 1, stdout: '' });
  await start();
  expect((await send('GET', '/health/ready')).status).toBe(200);
  expect((await send('GET', '/api/v1/me')).json.displayName).toMatch(/^n\d+$/);
}, 60_000);
