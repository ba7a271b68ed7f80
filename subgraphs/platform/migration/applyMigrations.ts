import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import { keepLease, type Lease } from '../jobs/lease.ts';
import { withLongCommands } from '../mongo/connectMongo.ts';
import { openedDatabase } from '../mongo/openedDatabase.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import type { Migration, MigrationWork, RequiredSchema } from './Migration.ts';
import { MigrationModel } from './model.ts';
import {
  describeIndex,
  isDone,
  type MigrationPlan,
  type PlannedIndex,
  planMigrations,
} from './planMigrations.ts';
import { contractNotices, refuseConflicts, refuseLater } from './requireSchema.ts';

/** How migrations are applied. */
export interface ApplyOptions {
  readonly log: Pick<Logger, 'error'>;
  /** Called with one line for each step. */
  readonly progress: (line: string) => void;
  /** Whether contract migrations are applied too: all processes of the previous release have ended. */
  readonly contract: boolean;
  readonly now?: () => number;
}

/** Name of the lease of the process that applies migrations. */
const leaseName = 'migrations';
/** A killed process blocks the next one for this time at most. */
const leaseMs = 5000;
/** Number of documents that are read, changed and counted as done together. */
const batchSize = 500;

/**
 * Creates the missing collections and indexes, then runs the migrations that were not applied yet, one after another.
 * One process at a time changes what exists; another one waits, and then applies what is left. An interrupted run can be
 * repeated.
 *
 * @returns lines for the user, about contract migrations that are left
 * @throws Error with the remedy if the database belongs to a later release, or if an index exists with other options
 */
export async function applyMigrations(
  required: RequiredSchema,
  options: ApplyOptions,
): Promise<readonly string[]> {
  const database = openedDatabase();
  const plan = await planMigrations(database, required);
  refuseLater(plan);
  refuseConflicts(plan);
  if (plan.isNew) await skipAll(required.migrations, options);
  await createCollections(plan, options);
  if (plan.isNew) return [];
  const left = options.contract ? [] : contractNotices(plan);
  if (isDone({ ...plan, collections: [] }, options)) return left;
  const closing = new AbortController();
  const keeper = keepLease(leaseName, { lengthMs: leaseMs, closing: closing.signal, log: options.log });
  try {
    const lease = await keeper.held();
    if (lease === null) return left;
    // Again, because another process may have applied a part of it meanwhile.
    const { indexes, expand, contract } = await planMigrations(database, required);
    await createIndexes(indexes, lease, options);
    for (const migration of options.contract ? [...expand, ...contract] : expand)
      await runMigration(database, migration, lease, options);
    return left;
  } finally {
    closing.abort();
    await keeper.release();
  }
}

/** Creates collections with their indexes. Processes may do this concurrently, because they are empty. */
async function createCollections({ collections }: MigrationPlan, { progress }: ApplyOptions): Promise<void> {
  if (collections.length === 0) return;
  progress(`migrations: creating ${collections.length} collections`);
  await syncIndexes(collections);
}

/** Creates indexes of collections that may have many documents, one after another. */
async function createIndexes(
  indexes: readonly PlannedIndex[],
  lease: Lease,
  { progress }: ApplyOptions,
): Promise<void> {
  if (indexes.length === 0) return;
  await withLongCommands(async (database) => {
    for (const [at, planned] of indexes.entries()) {
      await lease.assertHeld();
      progress(`migrations: index ${at + 1} of ${indexes.length}: ${describeIndex(planned)}`);
      await database.collection(planned.collection).createIndexes([planned.index]);
    }
  });
}

/** Marks migrations as applied in a database that never had the records they change. */
async function skipAll(migrations: readonly Migration[], { now = Date.now }: ApplyOptions): Promise<void> {
  const at = new Date(now());
  const rest = { startedAt: at, appliedAt: at, positions: {}, documents: 0 };
  await MigrationModel.bulkWrite(
    migrations.map(({ id, phase }) => ({
      updateOne: { filter: { _id: id }, update: { $setOnInsert: { phase, ...rest } }, upsert: true },
    })),
  );
}

async function runMigration(
  database: mongo.Db,
  migration: Migration,
  lease: Lease,
  { progress, now = Date.now }: ApplyOptions,
): Promise<void> {
  const { id, phase, about } = migration;
  progress(`migrations: ${id}: ${about}`);
  await MigrationModel.updateOne(
    { _id: id },
    { $setOnInsert: { phase, startedAt: new Date(now()), positions: {}, documents: 0 } },
    { upsert: true },
  );
  await migration.run({ database, eachBatch: eachBatch(database, id, { lease, progress }) });
  await lease.assertHeld();
  await MigrationModel.updateOne({ _id: id }, { $set: { appliedAt: new Date(now()) } });
  progress(`migrations: ${id} is applied`);
}

function eachBatch(
  database: mongo.Db,
  id: string,
  { lease, progress }: { lease: Lease; progress: (line: string) => void },
): MigrationWork['eachBatch'] {
  return async (collection, filter, change) => {
    for (;;) {
      const begunAt = performance.now();
      await lease.assertHeld();
      const record = await MigrationModel.findById(id).lean();
      const position = record?.positions[collection];
      const after = position === undefined ? {} : { _id: { $gt: position as mongo.BSON.ObjectId } };
      const batch = await database
        .collection(collection)
        .find({ $and: [filter, after] })
        .sort({ _id: 1 })
        .limit(batchSize)
        .toArray();
      if (batch.length === 0) return;
      await change(batch);
      const done = (record?.documents ?? 0) + batch.length;
      await MigrationModel.updateOne(
        { _id: id },
        { $set: { positions: { ...record?.positions, [collection]: batch.at(-1)?._id }, documents: done } },
      );
      progress(`migrations: ${id}: ${done} documents of ${collection}`);
      await wait(performance.now() - begunAt);
    }
  };
}
