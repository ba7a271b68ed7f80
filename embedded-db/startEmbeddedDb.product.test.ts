import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import mongoose from 'mongoose';
import { tempFolder } from '../test/support/tempFolder.ts';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import { type EmbeddedDb, type StartOptions, startEmbeddedDb } from './startEmbeddedDb.ts';

const nobodyListens = 'http://127.0.0.1:9/debian';
const freshLimitMs = 10_000;

const root = tempFolder();
const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
});

let directories = 0;
const freshDir = () => join(root, String(++directories));

/** An engine that is there, or undefined, with a warning, when this machine can have none. */
async function startFirst(options: StartOptions): Promise<EmbeddedDb | undefined> {
  try {
    return await startEmbeddedDb(options);
  } catch (error) {
    if (!(error instanceof EmbeddedDbError)) throw error;
    console.warn(`SKIPPED, no database: ${error.message}`);
    return undefined;
  }
}

async function withCollection<T>(
  { uri }: EmbeddedDb,
  work: (collection: mongoose.mongo.Collection) => Promise<T>,
): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    return await work(client.db('test').collection('documents'));
  } finally {
    await client.close();
  }
}

const dataDir = freshDir();
const first = await startFirst({ dataDir, testing: true });
afterAll(() => first?.stop());

(first ? describe : describe.skip)('with an engine at hand', () => {
  const { engine } = first as EmbeddedDb;

  test('a second start on the same data is refused and names the process that holds it', async () => {
    const second = startEmbeddedDb({ dataDir });
    await expect(second).rejects.toThrow(`${dataDir} is in use by process ${process.pid}`);
    await expect(second).rejects.toThrow('MONGODB_URI');
    await withCollection(first as EmbeddedDb, (collection) => collection.insertOne({ isAlive: true }));
  });

  // The following tests go on with one database.
  const options = { dataDir: freshDir(), testing: true };
  let database: EmbeddedDb;

  test(`a cached engine starts a fresh database offline within ${freshLimitMs} ms`, async () => {
    process.env.EMBEDDED_DB_MIRROR = nobodyListens;
    process.env.MONGOMS_DOWNLOAD_MIRROR = nobodyListens;
    const startMs = performance.now();
    database = await startEmbeddedDb(options);
    expect(performance.now() - startMs).toBeLessThan(freshLimitMs);
    expect(database.engine).toBe(engine);
    await withCollection(database, (collection) => collection.insertOne({ n: 1 }));
  });

  test('stopping a database twice has the effect of stopping once and leaves no socket', async () => {
    const folder = dirname(decodeURIComponent(new URL(database.uri).hostname));
    expect(existsSync(folder)).toBe(true);
    await Promise.all([database.stop(), database.stop()]);
    expect(existsSync(folder)).toBe(false);
  });

  test('data survives a restart, and existing data selects the engine if none is requested', async () => {
    delete process.env.EMBEDDED_DB;
    database = await startEmbeddedDb(options);
    expect(database.engine).toBe(engine);
    expect(await withCollection(database, (collection) => collection.findOne())).toMatchObject({ n: 1 });
    await database.stop();
  });
});

test('the error without a network and a cache names every reason and the remedy within 5 seconds', async () => {
  process.env.EMBEDDED_DB_MIRROR = nobodyListens;
  process.env.MONGOMS_DOWNLOAD_MIRROR = nobodyListens;
  process.env.PATH = withoutProgram('mongod');
  const startMs = performance.now();
  const start = startEmbeddedDb({ dataDir: freshDir(), cacheDir: freshDir() });
  await expect(start).rejects.toThrow(
    /no embedded database .*documentdb: .*mongod: .*MONGODB_URI|mongod: .*documentdb: .*MONGODB_URI/s,
  );
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

test('a requested engine that is unavailable is not replaced by another', async () => {
  process.env.EMBEDDED_DB_MIRROR = nobodyListens;
  const start = startEmbeddedDb({ dataDir: freshDir(), cacheDir: freshDir(), engine: 'documentdb' });
  await expect(start).rejects.toThrow(/documentdb was asked for/);
});

test('refuses another value of EMBEDDED_DB before anything is created', async () => {
  process.env.EMBEDDED_DB = 'postgres';
  const directory = freshDir();
  await expect(startEmbeddedDb({ dataDir: directory })).rejects.toThrow(
    'EMBEDDED_DB is "postgres"; it can be mongod or documentdb',
  );
  expect(existsSync(directory)).toBe(false);
});

function withoutProgram(name: string): string {
  const directories = (process.env.PATH ?? '').split(':');
  return directories.filter((directory) => !existsSync(join(directory, name))).join(':');
}
