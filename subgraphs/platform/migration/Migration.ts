import type { mongo } from 'mongoose';
import type { IndexedModel } from '../mongo/syncIndexes.ts';

/** A change of stored records that belongs to a release. Its file is `subgraphs/<owner>/migrations/<number>-<name>.ts`. */
export interface Migration {
  /** Path of the file without `subgraphs/`, `migrations/` and the extension, as in `identity/0001-drop-account-tokens`. */
  readonly id: string;
  /** What changes and why, in one sentence. */
  readonly about: string;
  /**
   * `expand` adds what this release needs, and the previous release ignores; it runs before the first process of this
   * release starts. `contract` removes what only the previous release needs, or adds what it refuses; it runs after its
   * last process has ended.
   */
  readonly phase: 'expand' | 'contract';
  /** Changes the records. A run that was interrupted is repeated, so every step must be repeatable. */
  run(work: MigrationWork): Promise<void>;
}

/** What a migration works with. */
export interface MigrationWork {
  readonly database: mongo.Db;
  /**
   * Calls `change` with the matching documents in batches, in ascending order of `_id`. The position is stored after each
   * batch, so an interrupted run continues with the next batch. After each batch it waits as long as the batch took, so
   * that the migration uses at most half of the time of one connection.
   *
   * @throws Error if another process has taken over the migrations
   */
  eachBatch(
    collection: string,
    filter: mongo.Filter<mongo.Document>,
    change: (documents: mongo.Document[]) => Promise<void>,
  ): Promise<void>;
}

/** What a process requires of its database. */
export interface RequiredSchema {
  /** Models whose collections and indexes must exist. */
  readonly models: readonly IndexedModel[];
  /** Migrations of this release, in the order in which they run. */
  readonly migrations: readonly Migration[];
}
