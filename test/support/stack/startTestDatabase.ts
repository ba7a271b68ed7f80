import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare global {
  var stopTestDatabase: (() => Promise<void>) | undefined;
}

/**
 * Starts one database server for the whole run: `MONGODB_URI` if set, else the embedded one in a temporary folder. Each
 * test file gets a database on it, whose name begins with `TEST_DATABASES`.
 */
export default async function startTestDatabase(): Promise<void> {
  // Programs of tests use the compile cache of `bin/main.ts`, because killed programs write none.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  process.env.TEST_DATABASES = `test_${randomBytes(4).toString('hex')}_`;
  const { MONGODB_URI: uri, TEST_DATABASES: prefix } = process.env;
  if (uri) {
    globalThis.stopTestDatabase = () => dropDatabases(uri, prefix);
    return;
  }
  const { startEmbeddedDb } = await import('../../../embedded-db/startEmbeddedDb.ts');
  const dataDir = await mkdtemp(join(tmpdir(), 'trigate-test-'));
  const database = await startEmbeddedDb({
    dataDir,
    testing: true,
    // Lifetime of transactions of killed processes. It is longer than any request of the product, which ends after 10 s.
    transactionLifetimeMs: 15_000,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  process.env.MONGODB_URI = database.uri;
  globalThis.stopTestDatabase = async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Drops the databases of the run on an external server. */
async function dropDatabases(uri: string, prefix: string): Promise<void> {
  const { mongo } = await import('mongoose');
  const client = await mongo.MongoClient.connect(uri);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase();
  await client.close();
}
