import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresConnection } from '../gateway/postgres/PostgresConnection.ts';

/**
 * The index handler is an extension of its own that DocumentDB does not ask for. Index builds in the background are
 * switched off, because the gateway builds indexes in the foreground and the two jobs would start a process every two
 * seconds for nothing. Expired documents go every ten seconds instead of every minute: here somebody may be watching.
 */
const PREPARE = `
CREATE EXTENSION IF NOT EXISTS documentdb CASCADE;
CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum;
ALTER EXTENSION documentdb_core UPDATE;
ALTER EXTENSION documentdb UPDATE;
ALTER EXTENSION documentdb_extended_rum UPDATE;
UPDATE cron.job SET active = false WHERE command LIKE '%build_index_concurrently%';
UPDATE cron.job SET schedule = '10 seconds' WHERE command LIKE '%delete_expired_rows%';`;

/** Installs or updates DocumentDB in a cluster; does nothing when the cluster has met this very bundle before. */
export async function prepareExtensions(
  connection: PostgresConnection,
  clusterDir: string,
  bundleVersion: string,
): Promise<void> {
  const marker = join(clusterDir, 'prepared-for');
  if (readIfPresent(marker) === bundleVersion) return;
  await connection.execute(PREPARE);
  writeFileSync(marker, bundleVersion);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
