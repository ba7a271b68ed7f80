import { type ApplyOptions, applyMigrations } from '../../subgraphs/platform/migration/applyMigrations.ts';
import { requireSchema } from '../../subgraphs/platform/migration/requireSchema.ts';
import type { IndexedModel } from '../../subgraphs/platform/mongo/syncIndexes.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { migrations } from './migrations.ts';

/**
 * Prepares the database for a process that uses these models. With `MIGRATE_ON_START`, missing collections, indexes and
 * migrations are applied; otherwise the process does not start without them.
 *
 * @returns lines for the user who started the process
 * @throws Error with the command that mends the database
 */
export async function settleSchema(
  { migrateOnStart, mongodbUri }: Pick<Configuration, 'migrateOnStart' | 'mongodbUri'>,
  { models }: { readonly models: readonly IndexedModel[] },
  { log, progress }: Pick<ApplyOptions, 'log' | 'progress'>,
): Promise<readonly string[]> {
  const required = { models, migrations };
  if (!migrateOnStart) return requireSchema(required);
  // No other process uses an embedded database, so no previous release needs what a contract migration removes.
  const contract = mongodbUri === undefined;
  return applyMigrations(required, { log, progress, contract });
}
