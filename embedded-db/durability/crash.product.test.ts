import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { startIfAvailable } from '../conformance/startIfAvailable.ts';
import { startEmbeddedDb } from '../startEmbeddedDb.ts';
import { childrenOf, killHard, processesWith } from './processTree.ts';

const program = fileURLToPath(new URL('./writeUntilKilled.ts', import.meta.url));
const endLimitMs = 10_000;

const dataDir = tempFolder();

/** Whether DocumentDB runs here; also makes the data directory that the tests go on with. */
async function canRun(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const database = await startIfAvailable({ dataDir });
  await database?.stop();
  return database !== undefined;
}

((await canRun()) ? describe : describe.skip)('when processes are killed', () => {
  type Victim = { child: ChildProcessByStdio<null, Readable, null>; lines: AsyncIterator<string> };

  async function startVictim(writers: number): Promise<Victim> {
    const child = spawn(process.execPath, [program, dataDir, String(writers)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect(await lines.next()).toMatchObject({ value: 'ready' });
    return { child, lines };
  }

  async function waitUntilNoneRuns(): Promise<void> {
    const deadline = Date.now() + endLimitMs;
    while (processesWith(dataDir).length > 0) {
      if (Date.now() > deadline) throw new Error(`still running: ${processesWith(dataDir).join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test('kill -9 of all processes under load loses no acknowledged write', async () => {
    const { child, lines } = await startVictim(8);
    const acknowledged: number[] = [];
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      acknowledged.push(Number(line.value));
      if (acknowledged.length === 1_500) {
        const postmaster = Number(
          readFileSync(join(dataDir, 'documentdb/cluster/postmaster.pid'), 'utf8').split('\n')[0],
        );
        for (const id of [...childrenOf(postmaster), postmaster, child.pid ?? 0]) killHard(id);
      }
    }
    const database = await startEmbeddedDb({ dataDir, engine: 'documentdb' });
    const client = await new mongoose.mongo.MongoClient(database.uri).connect();
    const collection = client.db('crash').collection<{ _id: number; key: string }>('written');
    const present = new Set(
      (await collection.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id),
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(1_500);
    expect(acknowledged.filter((number) => !present.has(number))).toEqual([]);
    // The index is as complete as the collection.
    expect(await collection.countDocuments({ key: { $gte: 'key' } })).toBe(present.size);
    await expect(collection.insertOne({ _id: -1, key: 'key 1' })).rejects.toMatchObject({ code: 11_000 });
    await client.close();
    await database.stop();
  }, 60_000);

  test('the database stops with its process and removes its sockets, even when that process is killed', async () => {
    const { child } = await startVictim(0);
    const sockets = readFileSync(join(dataDir, 'documentdb/cluster/socket-directory'), 'utf8');
    expect(existsSync(sockets)).toBe(true);
    expect(processesWith(dataDir).length).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await waitUntilNoneRuns();
    expect(existsSync(sockets)).toBe(false);
  }, 30_000);

  test('a start right after the process was killed waits for the old database and finds its data', async () => {
    const { child, lines } = await startVictim(4);
    const { value: acknowledged } = await lines.next();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const database = await startEmbeddedDb({ dataDir, engine: 'documentdb' });
    const client = await new mongoose.mongo.MongoClient(database.uri).connect();
    const collection = client.db('crash').collection<{ _id: number }>('written');
    expect(await collection.countDocuments({ _id: Number(acknowledged) })).toBe(1);
    await client.close();
    await database.stop();
    await waitUntilNoneRuns();
  }, 30_000);
});
