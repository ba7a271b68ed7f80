import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresConnection } from '../gateway/postgres/PostgresConnection.ts';
import { type PostgresOptions, startPostgres } from './startPostgres.ts';

/** The index handler is a separate extension that DocumentDB does not install. */
const prepare = `
CREATE EXTENSION IF NOT EXISTS documentdb CASCADE;
CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum;
ALTER EXTENSION documentdb_core UPDATE;
ALTER EXTENSION documentdb UPDATE;
ALTER EXTENSION documentdb_extended_rum UPDATE;`;

/**
 * Installs or updates DocumentDB in a cluster, with a temporary server. Does nothing if this bundle has already
 * prepared the cluster.
 */
export async function prepareExtensions(options: PostgresOptions, bundleVersion: string): Promise<void> {
  const marker = join(options.clusterDir, 'prepared-for');
  if (readIfPresent(marker) === bundleVersion) return;
  const postgres = await startPostgres({ ...options, isPreparing: true });
  try {
    const connection = await PostgresConnection.open(postgres.address);
    await connection.execute(prepare);
    connection.close();
  } finally {
    await postgres.stop();
  }
  writeFileSync(marker, bundleVersion);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
