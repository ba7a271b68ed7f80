import type { mongo } from 'mongoose';
import pLimit from 'p-limit';
import { type IndexedModel, indexesOf } from '../mongo/syncIndexes.ts';
import type { Migration, RequiredSchema } from './Migration.ts';
import { MigrationModel, type MigrationRecord } from './model.ts';

/** An index that a model states. */
export interface PlannedIndex {
  readonly collection: string;
  readonly index: mongo.IndexDescription;
}

/** Difference between a database and what a release requires of it. */
export interface MigrationPlan {
  /** Whether the database has no records yet, so that no migration has anything to do. */
  readonly isNew: boolean;
  /** Models whose collections do not exist. */
  readonly collections: readonly IndexedModel[];
  /** Indexes that existing collections lack. */
  readonly indexes: readonly PlannedIndex[];
  /** Indexes that exist with the same members and other options; a contract migration must drop them. */
  readonly conflicts: readonly PlannedIndex[];
  readonly expand: readonly Migration[];
  readonly contract: readonly Migration[];
  /** Contract migrations of a later release that were applied, or begun. This release must not use the database. */
  readonly fromLater: readonly string[];
}

/** Collections that the first run of migrations creates before all others. */
const own: ReadonlySet<string> = new Set(['leases', 'migrations']);
/** Number of collections that are read concurrently. */
const width = 8;

/** Compares the database with what a release requires of it. Reads only. */
export async function planMigrations(
  database: mongo.Db,
  { models, migrations }: RequiredSchema,
): Promise<MigrationPlan> {
  const listed = await database.listCollections({}, { nameOnly: true }).toArray();
  const existing = new Set(listed.map(({ name }) => name));
  const isNew = [...existing].every((name) => own.has(name));
  const [records, differences] = await Promise.all([
    MigrationModel.find({}).lean(),
    pLimit(width).map(
      models.filter(({ collection }) => existing.has(collection.name)),
      (model) => compareIndexes(database, model),
    ),
  ]);
  const applied = new Set(records.flatMap(({ _id, appliedAt }) => (appliedAt ? [_id] : [])));
  const pending = migrations.filter(({ id }) => !applied.has(id));
  return {
    isNew,
    collections: models.filter(({ collection }) => !existing.has(collection.name)),
    indexes: differences.flatMap(({ missing }) => missing),
    conflicts: differences.flatMap(({ conflicts }) => conflicts),
    expand: pending.filter(({ phase }) => phase === 'expand'),
    contract: pending.filter(({ phase }) => phase === 'contract'),
    fromLater: laterContracts(records, migrations),
  };
}

/** Contract migrations of the owners of these migrations that this release does not know. */
function laterContracts(records: readonly MigrationRecord[], migrations: readonly Migration[]): string[] {
  const known = new Set(migrations.map(({ id }) => id));
  return records.flatMap(({ _id, phase }) => (phase === 'contract' && !known.has(_id) ? [_id] : []));
}

async function compareIndexes(database: mongo.Db, model: IndexedModel) {
  const { name: collection } = model.collection;
  const found = await database.collection(collection).indexes();
  const missing: PlannedIndex[] = [];
  const conflicts: PlannedIndex[] = [];
  for (const index of indexesOf(model)) {
    const same = found.filter(({ key }) => JSON.stringify(key) === JSON.stringify(index.key));
    if (same.some((other) => optionsOf(other) === optionsOf(index))) continue;
    (same.length > 0 ? conflicts : missing).push({ collection, index });
  }
  return { missing, conflicts };
}

/** Options of an index that change what it holds or when documents expire. */
function optionsOf({ unique, sparse, partialFilterExpression, expireAfterSeconds }: mongo.IndexDescription) {
  return JSON.stringify([
    unique === true,
    sparse === true,
    partialFilterExpression ?? null,
    expireAfterSeconds ?? null,
  ]);
}

/** Returns a short text for an index, as in `listings (installationId, slug), unique`. */
export function describeIndex({ collection, index }: PlannedIndex): string {
  return `${collection} (${Object.keys(index.key).join(', ')})${index.unique ? ', unique' : ''}`;
}

/** Returns whether nothing is left to apply. */
export function isDone(plan: MigrationPlan, { contract }: { readonly contract: boolean }): boolean {
  const { collections, indexes, conflicts, expand, fromLater } = plan;
  const left = [collections, indexes, conflicts, expand, fromLater, contract ? plan.contract : []];
  return left.every(({ length }) => length === 0);
}
