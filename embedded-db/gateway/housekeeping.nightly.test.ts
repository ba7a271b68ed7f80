import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { startIfAvailable } from '../conformance/startIfAvailable.ts';
import type { EmbeddedDb } from '../startEmbeddedDb.ts';
import { PostgresConnection } from './postgres/PostgresConnection.ts';

const observedMs = 2_000;
const pollMs = 10;
const expiryLimitMs = 15_000;

const dataDir = mkdtempSync(join(tmpdir(), 'housekeeping-'));

const database = await startIfAvailable({ dataDir, testing: true });
afterAll(async () => {
  await database?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

(database ? describe : describe.skip)('the engine', () => {
  const client = new mongoose.mongo.MongoClient((database as EmbeddedDb).uri);
  const records = client.db('housekeeping').collection<{ n: number; at?: Date }>('records');
  let inside: PostgresConnection;
  beforeAll(async () => {
    const pidFile = readFileSync(join(dataDir, 'documentdb/cluster/postmaster.pid'), 'utf8').split('\n');
    const address = { socketDirectory: pidFile[4] ?? '', port: 5432, user: 'postgres', database: 'postgres' };
    inside = await PostgresConnection.open(address);
  });
  afterAll(async () => {
    inside.close();
    await client.close();
  });

  async function countSessions(): Promise<number> {
    const [row] = await inside.execute('SELECT sum(sessions) FROM pg_stat_database');
    return Number(row?.[0]);
  }

  /** How many backends the server starts while a client works. */
  async function countStarted(work: () => Promise<unknown>): Promise<number> {
    const before = await countSessions();
    const deadline = Date.now() + observedMs;
    while (Date.now() < deadline) {
      await work();
      await delay(pollMs);
    }
    return (await countSessions()) - before;
  }

  test('the engine has no scheduler of its own', async () => {
    const rows = await inside.execute(
      "SELECT backend_type FROM pg_stat_activity WHERE backend_type ~ 'cron|documentdb'",
    );
    expect(rows).toEqual([]);
  });

  test('the engine starts no backend while clients are idle', async () => {
    await records.insertOne({ n: 0 });
    await delay(1_000); // statistics are written a second late
    expect(await countStarted(async () => {})).toBe(0);
  });

  test('the engine starts at most six backends for reads beside a change stream', async () => {
    const stream = records.watch();
    await stream.tryNext();
    await records.insertOne({ n: 1 });
    await stream.next();
    const read = () => records.aggregate([{ $match: { n: 1 } }]).toArray();
    await read();
    // While no client writes, the log is read ever more rarely.
    expect(await countStarted(read)).toBeLessThanOrEqual(6);
    await stream.close();
  });

  test('an index built over existing records is used and refuses duplicates', async () => {
    const many = client.db('housekeeping').collection<{ _id: number; key: string }>('indexed');
    await many.insertMany(Array.from({ length: 3_000 }, (_, n) => ({ _id: n, key: `key ${n}` })));
    await many.createIndex({ key: 1 }, { unique: true });
    const plan = await many.find({ key: 'key 17' }).explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('"IXSCAN"');
    await expect(many.insertOne({ _id: -1, key: 'key 17' })).rejects.toMatchObject({ code: 11_000 });
    await many.insertOne({ _id: -2, key: 'key 3000' });
    expect(await many.countDocuments({ key: { $gte: 'key' } })).toBe(3_001);
  });

  test('the engine deletes an expired record, keeps another one and notifies change streams', async () => {
    await records.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    const stream = records.watch([{ $match: { operationType: 'delete' } }], { maxAwaitTimeMS: 500 });
    await stream.tryNext();
    await records.insertOne({ n: 3, at: new Date(Date.now() + 600_000) });
    const { insertedId } = await records.insertOne({ n: 2, at: new Date(Date.now() - 60_000) });
    const deadline = Date.now() + expiryLimitMs;
    while ((await records.countDocuments({ n: 2 })) > 0 && Date.now() < deadline) await delay(200);
    expect(await records.countDocuments({ n: 2 })).toBe(0);
    expect(await records.countDocuments({ n: 3 })).toBe(1);
    expect(await stream.next()).toMatchObject({ documentKey: { _id: insertedId } });
    await stream.close();
  }, 40_000);
});
