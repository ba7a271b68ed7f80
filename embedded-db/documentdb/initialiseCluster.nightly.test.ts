import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { EmbeddedDbError } from '../EmbeddedDbError.ts';
import { startEmbeddedDb } from '../startEmbeddedDb.ts';
import { bundleDirectory, obtainBundle } from './debian/obtainBundle.ts';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trigate');

async function findBundle(): Promise<string | undefined> {
  try {
    return await obtainBundle({ cacheDir: cache, progress: () => {} });
  } catch (error) {
    if (!(error instanceof EmbeddedDbError)) throw error;
    console.warn(`SKIPPED, no DocumentDB: ${error.message}`);
    return undefined;
  }
}

const bundle = await findBundle();
const root = tempFolder();

(bundle ? describe : describe.skip)('a fresh data directory', () => {
  let count = 0;
  /** A cache with the programs and without the prepared cluster. */
  function cacheWithoutTemplate(): { cacheDir: string; copy: string } {
    const cacheDir = join(root, `cache ${++count}`); // a blank in the path must do no harm
    const copy = bundleDirectory(cacheDir);
    mkdirSync(copy, { recursive: true });
    for (const name of ['lib', 'usr', 'bundle.json']) symlinkSync(join(bundle ?? '', name), join(copy, name));
    return { cacheDir, copy };
  }

  async function startAndWrite(dataDir: string, cacheDir: string): Promise<number> {
    const { uri, stop } = await startEmbeddedDb({ dataDir, cacheDir, engine: 'documentdb', testing: true });
    const client = await new mongoose.mongo.MongoClient(uri).connect();
    const collection = client.db('test').collection('documents');
    await collection.insertOne({});
    const documents = await collection.countDocuments();
    await client.close();
    await stop();
    return documents;
  }

  test('two concurrent first starts create a cluster from one template', async () => {
    const { cacheDir, copy } = cacheWithoutTemplate();
    const starts = [1, 2].map((number) => startAndWrite(join(root, `together ${number}`), cacheDir));
    expect(await Promise.all(starts)).toEqual([1, 1]);
    expect(readdirSync(copy).sort()).toEqual(['bundle.json', 'lib', 'template', 'usr']);
    expect(await startAndWrite(join(root, 'later'), cacheDir)).toBe(1);
  }, 60_000);

  test('creates a cluster without a template if the cache cannot hold one', async () => {
    const { cacheDir, copy } = cacheWithoutTemplate();
    symlinkSync(join(root, 'nowhere'), join(copy, 'template')); // stands in the way
    expect(await startAndWrite(join(root, 'alone'), cacheDir)).toBe(1);
    expect(readdirSync(copy).filter((name) => name.startsWith('template.'))).toEqual([]);
  });

  test('completes a cluster whose first start was killed', async () => {
    const dataDir = join(root, 'half way');
    const unfinished = join(dataDir, 'documentdb/cluster.initialising-1');
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'PG_VERSION'), '18');
    expect(await startAndWrite(dataDir, cache)).toBe(1);
    expect(existsSync(unfinished)).toBe(false);
  });
});
