import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare global {
  var stopTestDatabase: (() => Promise<void>) | undefined;
}

/**
 * One database server for the whole run: `MONGODB_URI` if set, else the embedded one in a folder of its own. Each
 * test file gets a database of its own on it.
 */
export default async function startTestDatabase(): Promise<void> {
  // Programs that tests start take compiled code from where `start/main.ts` leaves it; one that is killed leaves none.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  if (process.env.MONGODB_URI) return;
  const { startEmbeddedDb } = await import('../../embedded-db/startEmbeddedDb.ts');
  const dataDir = await mkdtemp(join(tmpdir(), 'trigate-test-'));
  const database = await startEmbeddedDb({
    dataDir,
    testing: true,
    // Locks of processes that tests kill; longer than any transaction of a product, whose requests end after ten seconds.
    transactionLifetimeMs: 15_000,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  process.env.MONGODB_URI = database.uri;
  globalThis.stopTestDatabase = async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
